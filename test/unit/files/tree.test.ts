import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { RealPath } from '../../../extension/boundary/effect.ts';
import { walkTree, type TreeReport, type TreeWalk } from '../../../extension/files/tree.ts';

let folder = '';
beforeEach(async () => { folder = await realpath(await mkdtemp(join(tmpdir(), 'tree-'))); });
afterEach(async () => { await rm(folder, { recursive: true, force: true }); });

async function make(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), '');
  }
}

async function walk(options: Partial<TreeWalk> = {}): Promise<TreeReport & { readonly seen: readonly string[] }> {
  const seen: string[] = [];
  const report = await walkTree({ root: folder as RealPath, skip: () => null, signal: new AbortController().signal, ...options }, ({ relative, type }) => {
    seen.push(type === 'link' ? `${relative}@` : relative);
  });
  return { seen, ...report };
}

test('files come in the order of their paths', async () => {
  await make('b', 'a/z', 'a.txt', 'a/b/c', 'a-b/x', 'Z', '.hidden/x');
  const { seen } = await walk();
  assert.deepEqual(seen, ['.hidden/x', 'Z', 'a-b/x', 'a.txt', 'a/b/c', 'a/z', 'b']);
  assert.deepEqual(seen, seen.toSorted());
});

test('links are named and never followed', async () => {
  await make('in/a', 'b');
  await symlink(join(folder, 'in'), join(folder, 'to-folder'));
  await symlink(folder, join(folder, 'in/up'));
  await symlink(join(folder, 'b'), join(folder, 'to-file'));
  assert.deepEqual((await walk()).seen, ['b', 'in/a', 'in/up@', 'to-file@', 'to-folder@']);
});

test('what a rule leaves out is not visited, and is reported with its glob', async () => {
  await make('a', '.env', 'secret/x', 'secret/deep/y');
  const { seen, leftOut, leftOutCount } = await walk({
    skip: (path, isDirectory) => (path.endsWith('.env') ? '**/.env' : isDirectory && path.endsWith('secret') ? '**/secret' : null),
  });
  assert.deepEqual(seen, ['a']);
  assert.deepEqual(leftOut, [{ path: join(folder, '.env'), glob: '**/.env' }, { path: join(folder, 'secret'), glob: '**/secret' }]);
  assert.equal(leftOutCount, 2);
});

test('a hundred of those left out are named, all are counted', async () => {
  await make(...Array.from({ length: 130 }, (_, n) => `f${n}`));
  const { leftOut, leftOutCount } = await walk({ skip: () => '**' });
  assert.equal(leftOut.length, 100);
  assert.equal(leftOutCount, 130);
});

test('.git and node_modules are not entered, and that is reported', async () => {
  await make('.git/config', 'node_modules/m/index.js', 'pkg/node_modules/m/index.js', 'src/a');
  const { seen, leftOut } = await walk();
  assert.deepEqual(seen, ['src/a']);
  assert.deepEqual(leftOut.map(({ path, glob }) => [path.slice(folder.length + 1), glob]), [['.git', '**/.git/**'], ['node_modules', '**/node_modules/**'], ['pkg/node_modules', '**/node_modules/**']]);
});

test('node_modules is entered where the walk starts in one', async () => {
  await make('node_modules/m/index.js', 'node_modules/m/node_modules/n/index.js');
  assert.deepEqual((await walk({ root: join(folder, 'node_modules') as RealPath })).seen, ['m/index.js', 'm/node_modules/n/index.js']);
});

test('caps on files and depth end the walk and are said', async () => {
  await make('a/b/c/deep', 'a/x', 'b', 'c');
  const few = await walk({ caps: { files: 2 } });
  assert.deepEqual({ seen: few.seen, truncated: few.truncated }, { seen: ['a/b/c/deep', 'a/x'], truncated: true });
  const shallow = await walk({ caps: { depth: 1 } });
  assert.deepEqual({ seen: shallow.seen, truncated: shallow.truncated }, { seen: ['a/x', 'b', 'c'], truncated: true });
  assert.equal((await walk({ caps: { files: 4 } })).truncated, false);
});

test('a folder that cannot be read is reported, and the walk goes on', async () => {
  await make('a/x', 'b/y', 'c');
  const { seen, unreadable } = await walk({
    skip: (path) => {
      // It disappears between being listed and being entered: unreadable for every user alike.
      if (path === join(folder, 'a')) rmSync(path, { recursive: true });
      return null;
    },
  });
  assert.deepEqual(seen, ['b/y', 'c']);
  assert.deepEqual(unreadable, [join(folder, 'a')]);
});

test('a root that cannot be read is an error', async () => {
  await assert.rejects(walk({ root: join(folder, 'missing') as RealPath }), { code: 'ENOENT' });
});

test('the signal ends the walk with its reason', async () => {
  await make('a', 'b', 'c');
  const controller = new AbortController();
  const seen: string[] = [];
  const reason = new Error('stopped by the person');
  await assert.rejects(walkTree({ root: folder as RealPath, skip: () => null, signal: controller.signal }, ({ relative }) => {
    seen.push(relative);
    controller.abort(reason);
  }), reason);
  assert.deepEqual(seen, ['a']);
});

test('the visitor can stop the walk', async () => {
  await make('a/x', 'b');
  const seen: string[] = [];
  await walkTree({ root: folder as RealPath, skip: () => null, signal: new AbortController().signal }, ({ relative }) => {
    seen.push(relative);
    return 'stop';
  });
  assert.deepEqual(seen, ['a/x']);
});
