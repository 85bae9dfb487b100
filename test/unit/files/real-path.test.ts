import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { accessError, errnoOf, realPathOf } from '../../../extension/files/real-path.ts';

let base = '';
before(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'real-')));
  await mkdir(join(base, 'dir/sub'), { recursive: true });
  await writeFile(join(base, 'dir/file'), '');
  for (const [link, target] of [['to-dir', 'dir'], ['to-file', 'dir/file'], ['chain', 'to-dir'], ['dir/up', '..'], ['dangling', 'none'], ['dir/to-dangling', '../dangling'], ['loop', 'loop'], ['to-outside', tmpdir()]] as const) await symlink(target, join(base, link));
});
after(() => rm(base, { recursive: true, force: true }));

const at = (path: string): string => join(base, path);

for (const [given, expected] of [
  ['dir/file', 'dir/file'], ['to-file', 'dir/file'], ['to-dir/file', 'dir/file'], ['chain/sub', 'dir/sub'], ['dir/up/to-dir/up/dir', 'dir'],
  ['new', 'new'], ['dir/new/er', 'dir/new/er'], ['to-dir/new', 'dir/new'], ['chain/new/er/still', 'dir/new/er/still'], ['dir/file/below', 'dir/file/below'],
] as const) {
  test(`${given} really is ${expected}`, async () => assert.equal(await realPathOf(at(given)), at(expected)));
}

test('what lies behind a link out of the folder lies outside', async () => {
  assert.equal(await realPathOf(at('to-outside/none-such')), join(await realpath(tmpdir()), 'none-such'));
});

for (const [given, said] of [['dangling', /dangling is a link whose target does not exist/], ['dangling/new', /target does not exist/], ['dir/to-dangling', /target does not exist/], ['loop', /loop of links/], ['loop/new', /loop of links/]] as const) {
  test(`${given} is refused: nothing is written through it`, async () => {
    await assert.rejects(realPathOf(at(given)), (error) => error instanceof CodedError && error.code === 'FS_REFUSED' && said.test(error.message));
  });
}

test('a name that is too long for the file system is refused', async () => {
  await assert.rejects(realPathOf(at('x'.repeat(300))), (error) => error instanceof CodedError && error.code === 'FS_REFUSED');
});

test('errors of the file system become coded ones that say what to do', () => {
  const coded = (code: string): readonly [string, string] => {
    const { code: own, message } = accessError('/w/a', Object.assign(new Error('x'), { code }));
    return [own, message];
  };
  assert.deepEqual(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EIO'].map((code) => coded(code)[0]), ['FS_NOT_FOUND', 'FS_NOT_FOUND', 'FS_REFUSED', 'FS_REFUSED', 'FS_REFUSED']);
  assert.match(coded('EACCES')[1], /refuses access \(EACCES\)\. The person may change/);
  assert.match(accessError('/w/a', 'odd').message, /cannot be used \(odd\)/);
});

test('an errno is read from errors alone', () => {
  assert.deepEqual([Object.assign(new Error('x'), { code: 'EIO' }), Object.assign(new Error('x'), { code: 5 }), { code: 'EIO' }, null, 'EIO'].map(errnoOf), ['EIO', undefined, undefined, undefined, undefined]);
});
