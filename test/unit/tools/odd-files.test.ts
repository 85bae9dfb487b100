import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { appendFile, mkdir, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { maxFileBytes } from '../../../extension/files/read-bytes.ts';
import { codeOf, textOf } from '../pipeline/plain-tool.ts';
import { layer, sessionHost, type Session } from '../pipeline/session-host.ts';

const allowing = { layers: [layer([{ decision: 'allow' }])] };

/** Every tool that takes a file's path, on this one. */
async function everyTool(session: Session, path: string): Promise<readonly string[]> {
  const edits = [{ oldText: 'a', newText: 'b' }];
  const calls = [['read_file', { path }], ['read_file', { path, startLine: 1, endLine: 2 }], ['edit_file', { path, edits }], ['write_file', { path, content: 'x' }]] as const;
  const texts: string[] = [];
  for (const [tool, args] of calls) texts.push(textOf(await session.propose(tool, args)));
  return texts;
}

async function socketAt(t: TestContext, path: string): Promise<void> {
  const server = createServer().listen(path);
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
}

test('sockets, pipes, devices, loops of links and links to nothing are refused by every tool, and a search passes them by', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'needle\n' }, policy: allowing });
  execFileSync('mkfifo', [session.at('pipe')]);
  await socketAt(t, session.at('socket'));
  await symlink('/dev/zero', session.at('zero'));
  await symlink('loop-b', session.at('loop-a'));
  await symlink('loop-a', session.at('loop-b'));
  await symlink('nowhere', session.at('dangling'));
  await symlink('.', session.at('self'));
  for (const [path, said] of [
    ['pipe', /^FS_REFUSED: .*devices, pipes and sockets are not opened/], ['socket', /^FS_REFUSED: .*devices, pipes and sockets are not opened/], ['zero', /^FS_REFUSED: \/dev\/zero .*devices, pipes and sockets are not opened/],
    ['loop-a', /^FS_REFUSED: .*loop of links/], ['dangling', /^FS_REFUSED: .*link whose target does not exist/], ['loop-a/b', /^FS_REFUSED: .*loop of links/],
  ] as const) for (const text of await everyTool(session, path)) assert.match(text, said);
  assert.equal(textOf(await session.propose('read_file', { path: 'self/self/self/a.txt' })), '1\tneedle');
  assert.equal(textOf(await session.propose('search_text', { query: 'needle' })), 'a.txt:1: needle\n[1 match in 1 file searched]');
  assert.equal(textOf(await session.propose('list_directory', {})), 'a.txt  7\ndangling@\nloop-a@\nloop-b@\npipe  0\nself@\nsocket  0\nzero@');
});

const endless = `/proc/${process.pid}/pagemap`;
test('a file that says it is empty and does not end is refused once it gave too much, and a search passes it by', { skip: !existsSync(endless) && 'there is none here' }, async (t) => {
  const session = await sessionHost(t, { policy: allowing, answer: 'allowed' });
  assert.match(textOf(await session.propose('read_file', { path: endless })), /^FS_REFUSED: .*gives more than 20971520 bytes/);
  const outcome = await session.propose('find_files', { path: `/proc/${process.pid}`, pattern: 'pagemap' });
  assert.equal(codeOf(outcome), 'well');
});

test('a path through a file, a name and a path that are too long', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'x' }, policy: allowing });
  for (const text of await everyTool(session, 'a.txt/b')) assert.match(text, /^FS_NOT_FOUND: .*a part of the path is a file, not a folder/);
  for (const text of await everyTool(session, 'n'.repeat(300))) assert.match(text, /^FS_REFUSED: .*ENAMETOOLONG/);
  for (const text of await everyTool(session, 'deep/'.repeat(818))) assert.match(text.slice(0, 200), /^FS_(?:REFUSED|NOT_FOUND): /);
});

test('a name with line breaks adds no lines of its own, and is read and edited by that name', async (t) => {
  const name = 'a\n[1 match in 9 files]\u202e.txt';
  const session = await sessionHost(t, { files: { [name]: 'needle\n' }, policy: allowing });
  const shown = 'a‹U+000A›[1 match in 9 files]‹U+202E›.txt';
  assert.equal(textOf(await session.propose('search_text', { query: 'needle' })), `${shown}:1: needle\n[1 match in 1 file searched]`);
  assert.equal(textOf(await session.propose('search_text', { query: 'needle', contextLines: 1 })), `${shown}:1: needle\n[1 match in 1 file searched]`);
  assert.equal(textOf(await session.propose('find_files', { pattern: '*' })), shown);
  assert.equal(textOf(await session.propose('list_directory', {})), `${shown}  7`);
  await session.read(name);
  assert.equal(codeOf(await session.propose('edit_file', { path: name, edits: [{ oldText: 'needle', newText: 'thread' }] })), 'well');
});

test('a name that is no UTF-8 is listed as far as it can be, and is refused where it is given', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'needle' }, policy: allowing });
  const strange = Buffer.concat([Buffer.from(`${session.at('')}/gr`), Buffer.from([0xfc]), Buffer.from('n')]);
  try {
    await writeFile(strange, 'needle');
  } catch {
    t.skip('the file system takes no such name');
    return;
  }
  t.after(() => { rmSync(strange, { force: true }); });
  assert.match(textOf(await session.propose('list_directory', {})), /^a\.txt {2}6\ngr\uFFFDn {2}0$/);
  assert.match(textOf(await session.propose('search_text', { query: 'needle' })), /^a\.txt:1: needle\n.*\n\[not searched: gr\uFFFDn \(cannot be read\)\]$/);
  for (const text of await everyTool(session, 'gr\uFFFDn')) assert.match(text, /^FS_REFUSED: .*it holds U\+FFFD, which stands for bytes that are no UTF-8/);
});

test('of a folder with 100,000 entries the first are listed, and how many there are more is said', async (t) => {
  const session = await sessionHost(t, { policy: allowing });
  await mkdir(session.at('many'));
  for (let n = 0; n < 100_000; n += 1) closeSync(openSync(join(session.at('many'), `f${String(n).padStart(5, '0')}`), 'w'));
  const listed = await session.propose('list_directory', { path: 'many' });
  assert.match(textOf(listed).slice(0, 100), /^f00000 {2}0\nf00001 {2}0\n/);
  assert.match(textOf(listed), /\n\[cut: 95000 more stand there; find_files finds them by a pattern\]$/);
  assert.match(textOf(await session.propose('find_files', { pattern: 'f09*' })), /^f?.*f09000\n[^]*\n\[cut: there are more/);
  assert.equal(codeOf(await session.propose('write_file', { path: 'many/one more', content: 'x' })), 'well');
  await rm(session.at('many'), { recursive: true });
});

test('a file that grows, shrinks or goes while it is read gives an answer, and is not edited on it', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'a\n'.repeat(1_000_000) }, policy: allowing });
  const disturbances: readonly (() => Promise<void>)[] = [
    () => appendFile(session.at('a.txt'), 'b\n'), () => writeFile(session.at('a.txt'), 'a\n'), () => unlink(session.at('a.txt')),
  ];
  for (const disturb of disturbances) {
    const [outcome] = await Promise.all([session.propose('read_file', { path: 'a.txt', startLine: 1, endLine: 1 }), disturb()]);
    assert.ok(['well', 'FS_NOT_FOUND', 'FS_REFUSED', 'STALE_PERMIT'].includes(codeOf(outcome)), textOf(outcome).slice(0, 200));
  }
  assert.match(textOf(await session.propose('edit_file', { path: 'a.txt', edits: [{ oldText: 'a', newText: 'b' }] })), /^FS_NOT_FOUND: a\.txt does not exist/);
});

test('a file that has grown beyond what is read since it was signed is stale, and is not read to its end', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'one\n' } });
  await session.read('a.txt');
  session.setAnswer(() => {
    const file = openSync(session.at('a.txt'), 'r+');
    writeSync(file, 'x', 2 ** 31);
    closeSync(file);
    return { approval: 'allowed', reason: '' };
  });
  const outcome = await session.propose('edit_file', { path: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }] });
  assert.match(textOf(outcome), /^STALE_PERMIT: The content of .*a\.txt changed after this was signed/);
  assert.ok((await stat(session.at('a.txt'))).size > maxFileBytes);
});
