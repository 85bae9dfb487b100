import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Roots } from '../../../extension/files/roots.ts';
import { codeOf, textOf } from './plain-tool.ts';
import { layer, sessionHost } from './session-host.ts';

const allowing = { layers: [layer([{ decision: 'allow' }])] };

test('of folders within each other each file is found once, by the name of the innermost', async (t) => {
  const files = { 'mono/a.txt': 'needle', 'mono/node_modules/lib/b.txt': 'needle', 'mono/node_modules/other/d.txt': 'needle', 'mono/packages/app/c.txt': 'needle' };
  const session = await sessionHost(t, { folders: ['mono', 'mono/packages/app', 'mono/node_modules/lib'], files, policy: allowing });
  assert.deepEqual(session.roots.list.map(({ name }) => name), ['mono', 'mono-packages-app', 'mono-node_modules-lib']);
  assert.match(textOf(await session.propose('search_text', { query: 'needle' })), /^mono\/a\.txt:1: needle\nmono-packages-app\/c\.txt:1: needle\nmono-node_modules-lib\/b\.txt:1: needle\n\[3 matches in 3 files searched\]/);
  assert.match(textOf(await session.propose('find_files', { pattern: '*.txt' })), /^mono\/a\.txt\nmono-packages-app\/c\.txt\nmono-node_modules-lib\/b\.txt\n\[left out: mono\/node_modules /);
  assert.match(textOf(await session.propose('find_files', { pattern: '*.txt', path: 'mono/packages' })), /^mono-packages-app\/c\.txt$/);
  assert.match(textOf(await session.propose('find_files', { pattern: 'c.txt', path: 'mono' })), /^mono-packages-app\/c\.txt/, 'asked for alone, the outer folder is read with all that is in it');
  await session.read('mono/packages/app/c.txt');
  const outcome = await session.propose('edit_file', { path: 'mono-packages-app/c.txt', edits: [{ oldText: 'needle', newText: 'thread' }] });
  assert.deepEqual([codeOf(outcome), (await session.world())['mono/packages/app/c.txt']], ['well', 'thread']);
});

test('two folders that are one, by a link, are read once; both names lead there', async (t) => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'linked-')));
  t.after(() => rm(base, { recursive: true }));
  await mkdir(join(base, 'one'));
  await writeFile(join(base, 'one/a.txt'), 'needle');
  await symlink('one', join(base, 'two'));
  const roots = await Roots.of([{ name: 'one', path: join(base, 'one') }, { name: 'two', path: join(base, 'two') }]);
  const session = await sessionHost(t, { host: { roots } });
  session.setPolicy({});
  assert.equal(roots.absolute('two/a.txt'), join(base, 'one/a.txt'));
  const outcome = await session.propose('search_text', { query: 'needle' });
  assert.equal(outcome.effects.length, 1);
});

test('two folders of one name are told apart by a number, for every tool', async (t) => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'twins-')));
  t.after(() => rm(base, { recursive: true }));
  for (const folder of ['x/app', 'y/app']) {
    await mkdir(join(base, folder), { recursive: true });
    await writeFile(join(base, folder, 'a.txt'), `in ${folder}`);
  }
  const roots = await Roots.of([{ name: 'app', path: join(base, 'x/app') }, { name: 'app', path: join(base, 'y/app') }]);
  assert.deepEqual([roots.absolute('app/a.txt'), roots.absolute('app-2/a.txt')], [join(base, 'x/app/a.txt'), join(base, 'y/app/a.txt')]);
  assert.deepEqual([roots.display(join(base, 'x/app/a.txt')), roots.display(join(base, 'y/app/a.txt'))], ['app/a.txt', 'app-2/a.txt']);
});

test('what is known to be read-only is refused before anybody is asked', async (t) => {
  const session = await sessionHost(t, { files: { 'file.txt': 'one', 'folder/a.txt': 'one' }, answer: 'allowed' });
  for (const path of ['file.txt', 'folder/a.txt']) await session.read(path);
  await chmod(session.at('file.txt'), 0o444);
  await chmod(session.at('folder'), 0o555);
  const edits = [{ oldText: 'one', newText: 'two' }];
  const refusals = [
    ['edit_file', { path: 'file.txt', edits }, /^FS_REFUSED: Cannot change file\.txt: the file is read-only\. Ask the user to make it writable first, or choose another place\./],
    ['edit_file', { path: 'folder/a.txt', edits }, /^FS_REFUSED: Cannot change folder\/a\.txt: the folder .*folder is read-only\./],
    ['write_file', { path: 'folder/new.txt', content: 'x' }, /^FS_REFUSED: Cannot change folder\/new\.txt: the folder .*folder is read-only\./],
    ['write_file', { path: 'folder/deep/er/new.txt', content: 'x' }, /^FS_REFUSED: .*the folder .*folder is read-only\./],
    ['write_file', { path: '/proc/new.txt', content: 'x' }, /^FS_REFUSED: Cannot change \/proc\/new\.txt: /],
  ] as const;
  const texts: string[] = [];
  for (const [tool, args] of refusals) texts.push(textOf(await session.propose(tool, args)));
  // So that it can be removed also by those who are no administrators.
  await chmod(session.at('folder'), 0o755);
  refusals.forEach(([, , said], n) => { assert.match(texts[n] ?? '', said); });
  assert.equal(session.asks.length, 0);
  assert.equal(textOf(await session.propose('read_file', { path: 'folder/a.txt' })), '1\tone');
});

test('without a folder, absolute paths are read and written, each after the person was asked; relative ones lead nowhere', async (t) => {
  const session = await sessionHost(t, { folders: [], outside: { 'a.txt': 'one\n' }, answer: 'allowed' });
  const path = session.at('outside/a.txt');
  assert.equal(textOf(await session.propose('read_file', { path })), '1\tone');
  const outcome = await session.propose('edit_file', { path, edits: [{ oldText: 'one', newText: 'two' }] });
  assert.deepEqual([textOf(outcome), (await session.world())['outside/a.txt']], [`Edited ${path}: 1 replacement made, exactly as proposed.`, 'two\n']);
  assert.equal(codeOf(await session.propose('write_file', { path: session.at('outside/new.txt'), content: 'x' })), 'well');
  assert.match(textOf(await session.propose('list_directory', { path: session.at('outside') })), /^a\.txt {2}4\nnew\.txt {2}1$/);
  assert.deepEqual([session.asks.length, new Set(session.asks.map(({ verdict }) => verdict.decidedBy))], [4, new Set(['built-in: outside'])]);
  for (const [tool, args, said] of [
    ['read_file', { path: 'a.txt' }, /^FS_NOT_FOUND: No folder is open, so a relative path leads nowhere\. Give the absolute path\./], ['write_file', { path: 'a.txt', content: '' }, /^FS_NOT_FOUND: No folder is open/],
    ['list_directory', {}, /^FS_NOT_FOUND: No folder is open\. Give an absolute path/], ['search_text', { query: 'x' }, /^FS_NOT_FOUND: No folder is open/], ['find_files', { pattern: '*' }, /^FS_NOT_FOUND: No folder is open/],
  ] as const) assert.match(textOf(await session.propose(tool, args)), said);
});

test('without a folder, a rule of the user still denies, and a secret is still denied', async (t) => {
  const session = await sessionHost(t, { folders: [], outside: { '.env': 'KEY=1', 'a.txt': 'one' }, answer: 'allowed', policy: { layers: [layer([{ path: '/**/a.txt', decision: 'deny' }])] } });
  for (const name of ['.env', 'a.txt']) assert.equal(codeOf(await session.propose('read_file', { path: session.at(`outside/${name}`) })), 'DENIED_BY_POLICY', name);
});
