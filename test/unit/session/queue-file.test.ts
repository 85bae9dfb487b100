import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import { QueueFile } from '../../../extension/session/queue-file.ts';
import type { QueuedMessage } from '../../../extension/session/queued-message.ts';
import { temporaryFolder } from './session-logs.ts';

const image = { digest: sha256('picture'), mediaType: 'image/png', bytes: 7, thumbnail: 'data:image/png;base64,AA==' } as const;
const waits: readonly QueuedMessage[] = [
  { id: 'a', text: 'steer é😀\n', images: [], when: 'next-step' },
  { id: 'b', text: '', images: [image], when: 'after-turn' },
];

test('what waits is read again as it was, by the next window too', (t) => {
  const file = join(temporaryFolder(t), 'sessions', 's.queue.json');
  new QueueFile(file).write(waits);
  assert.deepEqual(new QueueFile(file).read([]), { queued: waits, notice: null });
  assert.deepEqual(readdirSync(join(file, '..')), ['s.queue.json']);
  if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('where nothing waits there is no file', (t) => {
  const file = join(temporaryFolder(t), 's.queue.json');
  const queue = new QueueFile(file);
  assert.deepEqual(queue.read([]), { queued: [], notice: null });
  queue.write(waits);
  queue.write([]);
  assert.equal(existsSync(file), false);
});

test('a message that a crash left both in the log and in the queue is not sent twice', (t) => {
  const queue = new QueueFile(join(temporaryFolder(t), 's.queue.json'));
  queue.write(waits);
  assert.deepEqual(queue.read([{ type: 'user', turn: 't', text: 'steer é😀\n', id: 'a' }, { type: 'user', turn: 't', text: '' }]).queued, waits.slice(1));
});

test('a file that holds something else is dropped, and that is said', (t) => {
  const file = join(temporaryFolder(t), 's.queue.json');
  const [one] = waits;
  const bad: readonly unknown[] = [
    null, [], {}, { queued: {} }, { queued: [null] }, { queued: ['text'] }, { queued: [{ ...one, id: '' }] }, { queued: [{ ...one, text: 5 }] }, { queued: [{ ...one, when: 'now' }] },
    { queued: [{ ...one, text: 'x'.repeat(1024 * 1024 + 1) }] }, { queued: Array.from({ length: 1001 }, () => one) }, { queued: [{ ...one, images: [{ ...image, digest: 'abc' }] }] },
    { queued: [{ ...one, images: Array.from({ length: 9 }, () => image) }] }, { queued: [{ ...one, images: [{ ...image, mediaType: 'image/svg+xml' }] }] },
    { queued: [{ ...one, images: [{ ...image, thumbnail: 'https://evil.example/' }] }] }, { queued: [{ ...one, images: [{ ...image, bytes: -1 }] }] },
  ];
  for (const text of [...bad.map((value) => JSON.stringify(value)), '', '{"queued":[', '\u0000']) {
    writeFileSync(file, text);
    const { queued, notice } = new QueueFile(file).read([]);
    assert.deepEqual(queued, [], text.slice(0, 200));
    assert.match(notice ?? '', /may be lost/);
    assert.equal(readFileSync(file, 'utf8'), text, 'it is left as it is');
  }
});

test('a queue that cannot be written says so, and leaves no half of it', (t) => {
  const file = join(temporaryFolder(t), 's.queue.json');
  mkdirSync(join(file, 'in the way'), { recursive: true });
  assert.throws(() => new QueueFile(file).write(waits));
  assert.deepEqual(readdirSync(join(file, '..')), ['s.queue.json']);
});

test('half of a character is read as one that the log takes', (t) => {
  const file = join(temporaryFolder(t), 's.queue.json');
  new QueueFile(file).write([{ id: 'a', text: 'half \ud83d', images: [], when: 'next-step' }]);
  assert.equal(new QueueFile(file).read([]).queued[0]?.text, 'half \ufffd');
});
