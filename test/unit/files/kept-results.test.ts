import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { asLines, FileKeptResults, maxKept } from '../../../extension/files/kept-results.ts';

async function folderOf(t: TestContext): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), 'countersign-kept-'));
  t.after(() => rm(base, { recursive: true, force: true }));
  return join(base, 'results');
}

const logged = (call: string): string | null => (call.startsWith('call') ? `${call} as logged` : null);

test('what is kept is read again, whole, by whoever opens the folder later; only its owner can', async (t) => {
  const folder = await folderOf(t);
  new FileKeptResults(folder, logged).keep('call-1', 'größe\n'.repeat(10_000));
  assert.equal(new FileKeptResults(folder, logged).read('call-1'), 'größe\n'.repeat(10_000));
  assert.deepEqual(await readdir(folder), ['call-1.txt']);
  assert.equal((await stat(join(folder, 'call-1.txt'))).mode & 0o077, 0);
});

test('a result that was not cut, or whose file is gone, is what the log has; a call that the log does not know is nothing', async (t) => {
  const folder = await folderOf(t);
  const kept = new FileKeptResults(folder, logged);
  assert.equal(kept.read('call-1'), 'call-1 as logged');
  kept.keep('other', 'of another session');
  assert.equal(kept.read('other'), null);
});

test('an id never leads out of the folder', async (t) => {
  const folder = await folderOf(t);
  await writeFile(join(folder, '..', 'secret.txt'), 'secret');
  const kept = new FileKeptResults(folder, () => null);
  for (const id of ['../secret', '..', '.', '', '/etc/passwd', 'a/b', 'a\\b', 'a\0', 'a..b', 'a.', 'C:x', ' a', 'ä', 'x'.repeat(200)]) {
    assert.equal(new FileKeptResults(folder, () => 'logged').read(id), null, id);
    assert.throws(() => kept.keep(id, 'x'), /no name of a file/, id);
  }
});

test('no more than 16 MB are kept, cut at a character, and the end says so', async (t) => {
  const kept = new FileKeptResults(await folderOf(t), logged);
  kept.keep('call-1', `x${'ä'.repeat(maxKept / 2)}`);
  const read = kept.read('call-1') ?? '';
  assert.ok(!read.includes('\uFFFD') && read.endsWith('ä\n[2 more bytes were not kept]'));
});

test('what cannot be kept throws', async (t) => {
  const folder = await folderOf(t);
  await writeFile(folder, 'a file in the place of the folder');
  assert.throws(() => new FileKeptResults(folder, logged).keep('call-1', 'x'));
});

test('lines are broken between characters, and no line is longer than is shown', () => {
  const text = `short\n${'😀'.repeat(5000)}\nx${'😀'.repeat(5000)}\r\n${'x'.repeat(1900)}\nend`;
  const broken = asLines(text);
  assert.ok(broken.split(/\r\n|\n/).every((line) => line.length <= 1900 && line.isWellFormed()));
  assert.ok(broken.includes(`\r\n${'x'.repeat(1900)}\nend`));
  assert.equal(broken.replaceAll(/[\r\n]/g, ''), text.replaceAll(/[\r\n]/g, ''));
});

test('lines just short of what is shown cost no more than others: the editor does not stand still', () => {
  const text = `${'x'.repeat(1898)}\n`.repeat(550);
  const start = process.cpuUsage();
  assert.equal(asLines(text), text);
  assert.ok(process.cpuUsage(start).user < 2_000_000);
});
