import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { codeOf, textOf } from '../pipeline/plain-tool.ts';
import { layer, sessionHost } from '../pipeline/session-host.ts';

const allowing = { layers: [layer([{ effect: 'write', decision: 'allow' }])] };

test('write_file creates a file with its folders, which the session then knows', async (t) => {
  const session = await sessionHost(t, { policy: allowing });
  assert.equal(textOf(await session.propose('write_file', { path: 'deep/er/a.txt', content: 'grün\n' })), 'Wrote deep/er/a.txt: 6 bytes, exactly as proposed.');
  assert.equal(await readFile(session.at('deep/er/a.txt'), 'utf8'), 'grün\n');
  assert.equal(codeOf(await session.propose('edit_file', { path: 'deep/er/a.txt', edits: [{ oldText: 'grün', newText: 'blau' }] })), 'well');
  assert.deepEqual(Object.keys(await session.world()), ['home/', 'outside/', 'ws/', 'ws/deep/', 'ws/deep/er/', 'ws/deep/er/a.txt']);
});

for (const [what, before, content, after] of [
  ['an empty file', null, '', ''], ['CRLF as proposed', null, 'a\r\nb', 'a\r\nb'], ['LF over CRLF as proposed', 'a\r\n', 'a\n', 'a\n'], ['a byte order mark that the file has', '\uFEFFone', 'two', '\uFEFFtwo'], ['a byte order mark once', '\uFEFFone', '\uFEFFtwo', '\uFEFFtwo'],
  ['nothing over something', 'one', '', ''], ['a template as it is', null, '${HOME} $& `x`', '${HOME} $& `x`'],
] as const) {
  test(`write_file writes ${what}`, async (t) => {
    const session = await sessionHost(t, { files: before === null ? {} : { 'a.txt': before }, policy: allowing });
    if (before !== null) await session.read('a.txt');
    assert.equal(codeOf(await session.propose('write_file', { path: 'a.txt', content })), 'well');
    assert.equal(await readFile(session.at('a.txt'), 'utf8'), after);
  });
}

test('write_file overwrites only what the session has read, and as it read it', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'one' }, policy: allowing });
  const write = async (): Promise<string> => codeOf(await session.propose('write_file', { path: 'a.txt', content: 'mine' }));
  assert.equal(await write(), 'FS_NOT_OBSERVED');
  await session.read('a.txt');
  await writeFile(session.at('a.txt'), 'theirs');
  assert.equal(await write(), 'FS_STALE');
  assert.equal((await session.world())['ws/a.txt'], 'theirs');
  await session.read('a.txt');
  assert.equal(await write(), 'well');
  assert.equal(await write(), 'EDIT_INVALID');
});

test('write_file refuses places where no file can stand, before anybody is asked', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'one', 'src/b': '' }, answer: 'allowed' });
  await symlink('../outside/none', session.at('dangling'));
  for (const [path, code] of [['src', 'FS_REFUSED'], ['.', 'FS_REFUSED'], ['a.txt/b', 'FS_NOT_FOUND'], ['dangling', 'FS_REFUSED'], ['//server/x', 'FS_REFUSED'], ['', 'INVALID_ARGS'], ['x'.repeat(5000), 'INVALID_ARGS']] as const) {
    assert.equal(codeOf(await session.propose('write_file', { path, content: 'x' })), code, path.slice(0, 20));
  }
  assert.equal(session.asks.length, 0);
  assert.deepEqual(Object.keys(await session.world()), ['home/', 'outside/', 'ws/', 'ws/a.txt', 'ws/dangling', 'ws/src/', 'ws/src/b']);
});

test('write_file through a linked folder writes, and asks for, the real place', async (t) => {
  const session = await sessionHost(t, { policy: allowing });
  await symlink('../outside', session.at('link'));
  const outcome = await session.propose('write_file', { path: 'link/a', content: 'x' });
  assert.deepEqual([codeOf(outcome), outcome.verdict?.decidedBy], ['ASK_UNAVAILABLE', 'built-in: outside']);
  assert.deepEqual(outcome.effects.map((effect) => ('path' in effect ? effect.path : '')), [session.at('../outside/a')]);
});

test('with several folders, each is written in its own', async (t) => {
  const session = await sessionHost(t, { folders: ['one', 'two'], policy: allowing });
  await session.propose('write_file', { path: 'two/a', content: '2' });
  assert.equal(codeOf(await session.propose('write_file', { path: 'three/a', content: '3' })), 'FS_NOT_FOUND');
  assert.deepEqual(Object.keys(await session.world()), ['home/', 'one/', 'outside/', 'two/', 'two/a']);
});
