import assert from 'node:assert/strict';
import { chmod, link, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { RealPath } from '../../../extension/boundary/effect.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { makeAll, type Change } from '../../../extension/edits/change.ts';
import { diskDeletion } from '../../../extension/edits/delete-disk.ts';
import { diskWrite } from '../../../extension/edits/write-disk.ts';

let names = 0;
const random = (): string => `t${++names}`;
const nothing = (): void => {};

async function folderWith(t: TestContext, files: Readonly<Record<string, string>>): Promise<(name: string) => RealPath> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'countersign-delete-')));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return (name) => join(folder, name) as RealPath;
}

function deletion(path: RealPath, base: string, recheck: () => Promise<void> | void = nothing): Change {
  return diskDeletion({ path, base: sha256(base), recheck, random });
}

function write(path: RealPath, base: string, text: string, recheck: () => Promise<void> | void = nothing): Change {
  return diskWrite({ path, base: sha256(base), baseBytes: Buffer.from(base), bytes: Buffer.from(text), recheck, random });
}

/** Runs at the second check, which comes just before it lands. */
function whenLanding(act: () => Promise<void>): () => Promise<void> {
  let checks = 0;
  return async () => { if (++checks === 2) await act(); };
}

async function refused(work: Promise<unknown>, code: string, words: RegExp): Promise<void> {
  await assert.rejects(work, (error) => error instanceof CodedError && error.code === code && words.test(error.message));
}

test('files are deleted beside those that are written, and nothing is left behind', async (t) => {
  const at = await folderWith(t, { a: '1', b: '1', c: '1' });
  const stands: string[] = [];
  await makeAll([deletion(at('a'), '1'), write(at('b'), '1', '2'), deletion(at('c'), '1')], (path) => stands.push(path));
  assert.deepEqual(await readdir(at('.')), ['b']);
  assert.deepEqual(stands, [at('a'), at('b'), at('c')]);
});

test('where one fails after files were deleted, they are there again as the same files: mode and other names too', async (t) => {
  const at = await folderWith(t, { a: '1', b: '1' });
  await chmod(at('a'), 0o640);
  await link(at('a'), at('other'));
  const before = await stat(at('a'));
  const stands: string[] = [];
  await refused(makeAll([deletion(at('a'), '1'), write(at('b'), '1', '2', whenLanding(() => writeFile(at('b'), 'theirs')))], (path) => stands.push(path)), 'STALE_PERMIT', /content of .*b changed.*put back as they were/s);
  const after = await stat(at('a'));
  assert.deepEqual([after.ino, after.mode, after.nlink, await readFile(at('a'), 'utf8')], [before.ino, before.mode, 2, '1']);
  assert.deepEqual([await readdir(at('.')), stands], [['a', 'b', 'other'], []]);
});

test('a file is not put back over one that took its name meanwhile; it is named, and counts as deleted', async (t) => {
  const at = await folderWith(t, { a: '1', b: '1' });
  const meddle = async (): Promise<void> => {
    await writeFile(at('a'), 'theirs');
    await writeFile(at('b'), 'theirs');
  };
  const stands: string[] = [];
  await refused(makeAll([deletion(at('a'), '1'), write(at('b'), '1', '2', whenLanding(meddle))], (path) => stands.push(path)), 'STALE_PERMIT', /not put back: .*\/a \(it is called .*\.countersign-t\d+\.tmp now/s);
  assert.deepEqual([await readFile(at('a'), 'utf8'), stands], ['theirs', [at('a')]]);
  const [kept = ''] = (await readdir(at('.'))).filter((name) => name.endsWith('.tmp'));
  assert.equal(await readFile(at(kept), 'utf8'), '1');
});

const moved: readonly (readonly [string, (at: (name: string) => RealPath) => Promise<void>, RegExp])[] = [
  ['changed', (at) => writeFile(at('a'), 'other'), /content of .*a changed/], ['went', (at) => unlink(at('a')), /a is gone/],
  ['became a link to the same bytes', async (at) => { await writeFile(at('b'), '1'); await unlink(at('a')); await symlink('b', at('a')); }, /now it is a link/],
  ['became a folder', async (at) => { await unlink(at('a')); await mkdir(at('a')); }, /now it is a folder/],
];
for (const [what, move, words] of moved) {
  for (const when of ['before', 'when it lands']) {
    test(`a file that ${what} ${when} is not deleted`, async (t) => {
      const at = await folderWith(t, { a: '1' });
      if (when === 'before') await move(at);
      await refused(makeAll([deletion(at('a'), '1', when === 'before' ? nothing : whenLanding(() => move(at)))]), 'STALE_PERMIT', words);
      assert.equal((await readdir(at('.'))).some((name) => name.endsWith('.tmp')), false);
    });
  }
}

test('a file that is written and deleted in one call is refused', async (t) => {
  const at = await folderWith(t, { a: '1' });
  await refused(makeAll([write(at('a'), '1', '2'), deletion(at('a'), '1')]), 'EDIT_INVALID', /changed twice/);
  assert.equal(await readFile(at('a'), 'utf8'), '1');
});

test('a read-only file is not deleted', async (t) => {
  const at = await folderWith(t, { a: '1' });
  await chmod(at('a'), 0o444);
  await refused(makeAll([deletion(at('a'), '1')]), 'FS_REFUSED', /read-only/);
  assert.equal(await readFile(at('a'), 'utf8'), '1');
});
