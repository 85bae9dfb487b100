import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { EventLog } from '../../../extension/session/event-log.ts';
import { FollowedLog } from '../../../extension/session/follow-log.ts';
import { LogDamaged, readLog } from '../../../extension/session/read-log.ts';
import { reopenLog } from '../../../extension/session/repair.ts';
import type { LogEvent } from '../../../extension/session/records.ts';
import { startOther } from './owners.ts';
import { event, logOf, start, temporaryFolder, wholeTurn } from './session-logs.ts';

interface Following {
  readonly log: FollowedLog;
  readonly told: LogEvent[];
  /** Resolves once so many events are known. */
  known(count: number): Promise<void>;
  readonly ended: Promise<string>;
}

function follow(t: TestContext, file: string): Following {
  const log = new FollowedLog(file, () => performance.now());
  t.after(() => log.close());
  const told: LogEvent[] = [];
  let look = (): void => undefined;
  log.onAppend((one) => { told.push(one); look(); });
  return {
    log, told,
    known: (count) => new Promise((resolve) => {
      look = () => { if (log.events.length >= count) resolve(); };
      look();
    }),
    ended: new Promise((resolve) => { log.onEnd(resolve); }),
  };
}

test('a log that another process appends to is told record by record, each once, in order', { timeout: 60_000 }, async (t) => {
  const file = join(temporaryFolder(t), 'session.jsonl');
  const other = startOther(t, import.meta.resolve('./append-for-ever.ts'), file);
  await other.says(/^5$/);
  const { log, told, known } = follow(t, file);
  const before = log.events.length;
  await known(before + 200);
  other.child.kill('SIGKILL');
  await other.ended;
  const { records } = readLog(file);
  await known(records.length);
  assert.deepEqual(log.events, records.map((record) => record.event));
  assert.deepEqual(told, log.events.slice(before));
});

test('half a record is waited for', async (t) => {
  const file = logOf(t, wholeTurn);
  const whole = readFileSync(file);
  const lastLine = whole.lastIndexOf(0x0a, whole.length - 2) + 1;
  truncateSync(file, lastLine + 40);
  const { log, told, known } = follow(t, file);
  assert.equal(log.events.length, wholeTurn.length);
  // Cut in the middle of a character, too.
  for (let at = lastLine + 40; at < whole.length; at += 7) appendFileSync(file, whole.subarray(at, Math.min(at + 7, whole.length)));
  await known(wholeTurn.length + 1);
  assert.deepEqual(told, [event.ended()]);
});

test('a torn last line that is cut off, and a log that another file takes the place of, are followed on', async (t) => {
  const file = logOf(t, [event.user()]);
  appendFileSync(file, '{"n":3,"at":1,"ev');
  const { log, known } = follow(t, file);
  const reopened = reopenLog(file);
  t.after(() => reopened.log.close());
  await known(3);
  assert.deepEqual(log.events.map(({ type }) => type), ['session', 'user', 'turn-ended']);
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
  const next = reopenLog(file).log;
  t.after(() => next.close());
  next.append(event.user('in the copy'));
  reopened.log.append(event.user('in the old file'));
  await known(4);
  assert.deepEqual(log.events.at(-1), event.user('in the copy'));
});

test('it ends, and says why, where a record does not fit, the file is shorter or gone; what it knew stays', { timeout: 30_000 }, async (t) => {
  const harm: readonly (readonly [string, (file: string) => void, RegExp])[] = [
    ['a strange line', (file) => appendFileSync(file, 'no record\n'), /line 3: it is not JSON/],
    ['a record of another log', (file) => appendFileSync(file, `${readFileSync(logOf(t, [event.user(), event.user('other')]), 'utf8').split('\n')[2]}\n`), /line 3: its hash/],
    ['shorter', (file) => writeFileSync(file, readFileSync(file).subarray(0, 20)), /shorter/],
    ['gone', (file) => rmSync(file), /ENOENT/],
  ];
  await Promise.all(harm.map(async ([name, hurt, why]) => {
    const file = logOf(t, [event.user(name)]);
    const { log, told, ended } = follow(t, file);
    hurt(file);
    assert.match(await ended, why, name);
    assert.deepEqual(log.events.slice(1), [event.user(name)]);
    assert.deepEqual(told, []);
  }));
});

test('nothing can be appended to it', (t) => {
  const { log } = follow(t, logOf(t, []));
  assert.throws(() => log.append(), /LOG_UNAVAILABLE|Another window/);
});

test('what is no log is not followed', (t) => {
  const file = join(temporaryFolder(t), 'session.jsonl');
  writeFileSync(file, '');
  assert.throws(() => new FollowedLog(file, () => 0), LogDamaged);
});

test('what is appended after it was closed is not told', async (t) => {
  const file = join(temporaryFolder(t), 'session.jsonl');
  const written = EventLog.create(file, start);
  t.after(() => written.close());
  const closed = follow(t, file);
  const open = follow(t, file);
  closed.log.close();
  written.append(event.user());
  await open.known(2);
  assert.deepEqual(closed.told, []);
});
