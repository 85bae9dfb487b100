import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { maxFileBytes } from '../../../extension/files/read-bytes.ts';
import { maxWindow, windowOf } from '../../../extension/tools/text-window.ts';
import { codeOf, textOf } from '../pipeline/plain-tool.ts';
import { sessionHost } from '../pipeline/session-host.ts';

const lines = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`).join('\n');

const contents: readonly (readonly [string, string | Uint8Array, object, string])[] = [
  // what, content, further arguments, what the model reads
  ['a file', 'one\ntwo\n', {}, '1\tone\n2\ttwo'], ['a file without a final newline', 'one\ntwo', {}, '1\tone\n2\ttwo'], ['an empty file', '', {}, '(a.txt is empty)'], ['a file of one newline', '\n', {}, '1\t'],
  ['CRLF', 'one\r\ntwo\r\n', {}, '1\tone\n2\ttwo'], ['mixed line ends', 'one\r\ntwo\rthree\nfour', {}, '1\tone\n2\ttwo\n3\tthree\n4\tfour'], ['a byte order mark', '\uFEFFone\n', {}, '1\tone'],
  ['numbers of one width', lines(1, 10), {}, lines(1, 10).split('\n').map((line, n) => `${String(n + 1).padStart(2)}\t${line}`).join('\n')],
  ['a part', lines(1, 5), { startLine: 2, endLine: 3 }, '2\tline 2\n3\tline 3\n[lines 2 to 3 of 5.]'], ['a part to the end', lines(1, 5), { startLine: 5 }, '5\tline 5\n[lines 5 to 5 of 5.]'],
  ['an end beyond the file', lines(1, 2), { endLine: 100 }, '1\tline 1\n2\tline 2'], ['a long line', 'x'.repeat(2001), {}, `1\t${'x'.repeat(2000)} [cut: the line has 2001 characters]`],
  ['a long line whose cut would halve a character', `${'x'.repeat(1999)}😀y`, {}, `1\t${'x'.repeat(1999)} [cut: the line has 2002 characters]`], ['a line of 2,000 characters', 'x'.repeat(2000), {}, `1\t${'x'.repeat(2000)}`],
];

for (const [what, content, further, expected] of contents) {
  test(`read_file shows ${what}`, async (t) => {
    const session = await sessionHost(t, { files: { 'a.txt': content } });
    const outcome = await session.propose('read_file', { path: 'a.txt', ...further });
    assert.equal(textOf(outcome), expected);
    assert.deepEqual([codeOf(outcome), outcome.verdict?.decidedBy, session.asks.length], ['well', 'mode Ask', 0]);
  });
}

const refusals: readonly (readonly [string, string | Uint8Array, object, string, RegExp])[] = [
  ['a binary file', Buffer.from('a\0b'), {}, 'FS_NOT_TEXT', /binary file/], ['another encoding', Buffer.from('gr\xfcn', 'latin1'), {}, 'FS_ENCODING', /not valid UTF-8/], ['UTF-16', Buffer.from('\uFEFFab', 'utf16le'), {}, 'FS_ENCODING', /UTF-16/],
  ['a start beyond the file', 'one\n', { startLine: 2 }, 'TOOL_FAILED', /has 1 lines; line 2 does not exist/], ['a start in an empty file', '', { startLine: 2 }, 'TOOL_FAILED', /has 0 lines/],
  ['an end before the start', 'one\n', { startLine: 3, endLine: 2 }, 'INVALID_ARGS', /endLine \(2\) stands before startLine \(3\)/], ['line 0', 'one\n', { startLine: 0 }, 'INVALID_ARGS', /startLine/], ['half a line', 'one\n', { endLine: 1.5 }, 'INVALID_ARGS', /integer/],
];

for (const [what, content, further, code, said] of refusals) {
  test(`read_file refuses ${what}`, async (t) => {
    const session = await sessionHost(t, { files: { 'a.txt': content } });
    const outcome = await session.propose('read_file', { path: 'a.txt', ...further });
    assert.equal(codeOf(outcome), code);
    assert.match(textOf(outcome), said);
  });
}

const places: readonly (readonly [string, string, string, RegExp])[] = [
  ['what is missing', 'none.txt', 'FS_NOT_FOUND', /none\.txt does not exist\. Look with list_directory or find_files\./], ['a folder', 'src', 'FS_REFUSED', /is a folder\. Use list_directory/], ['a path below a file', 'a.txt/b', 'FS_NOT_FOUND', /a part of the path is a file/],
  ['a dangling link', 'dangling', 'FS_REFUSED', /link whose target does not exist/], ['a loop of links', 'loop', 'FS_REFUSED', /loop of links/], ['a pipe', 'pipe', 'FS_REFUSED', /devices, pipes and sockets are not opened/],
  ['a network share', '//server/share', 'FS_REFUSED', /network share/], ['a share with backslashes', '\\\\server\\share', 'FS_REFUSED', /network share/], ['an NT device', '\\??\\C:\\x', 'FS_REFUSED', /device/], ['a NUL character', 'a\0b', 'FS_REFUSED', /NUL/],
];

test('read_file refuses places that hold no file, and says what to do instead', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'x', 'src/b': '' } });
  await symlink('nowhere', session.at('dangling'));
  await symlink('loop', session.at('loop'));
  execFileSync('mkfifo', [session.at('pipe')]);
  for (const [what, path, code, said] of places) {
    const outcome = await session.propose('read_file', { path });
    assert.equal(codeOf(outcome), code, what);
    assert.match(textOf(outcome), said, what);
  }
  const device = await session.propose('read_file', { path: '/dev/zero' });
  assert.match(textOf(device), /devices, pipes and sockets are not opened/);
  assert.equal(session.asks.length, 0);
});

test('read_file refuses the whole of a file over the cap by its size, without reading it', async (t) => {
  const session = await sessionHost(t, { files: { large: '' } });
  await truncate(session.at('large'), maxFileBytes + 1);
  assert.match(textOf(await session.propose('read_file', { path: 'large' })), /^FS_REFUSED: .* at most 20971520 \(20 MiB\) are read whole, and nothing larger is edited\. Read a part of it: read_file with startLine and endLine\./);
});

test('of a file of 2 GB and more a part is read, without the rest; it is neither edited nor replaced', async (t) => {
  const session = await sessionHost(t, { files: { huge: 'one\r\ntwo\nthree\n' }, answer: 'allowed' });
  await truncate(session.at('huge'), 2 ** 31 + 4096);
  const part = await session.propose('read_file', { path: 'huge', startLine: 2, endLine: 3 });
  assert.equal(textOf(part), '2\ttwo\n3\tthree\n[lines 2 to 3 of a file that is too large to be read whole.]');
  // What follows is a hole of NULs.
  const hole = await session.propose('read_file', { path: 'huge', startLine: 4, endLine: 4 });
  assert.match(textOf(hole), /^FS_NOT_TEXT: .* \(a NUL byte at offset 15\)/);
  for (const [tool, args] of [['edit_file', { edits: [{ oldText: 'one', newText: '1' }] }], ['write_file', { content: 'x' }]] as const) {
    assert.match(textOf(await session.propose(tool, { path: 'huge', ...args })), /^FS_REFUSED: .* has 2147487744 bytes; at most 20971520/);
  }
  assert.deepEqual([(await stat(session.at('huge'))).size, session.asks.length], [2 ** 31 + 4096, 0]);
});

test('a part of a large file is cut at the size cap, and says where to go on; the end is known once it is reached', async (t) => {
  const rows = 300_000;
  const session = await sessionHost(t, { files: { large: `${'x'.repeat(99)}\n`.repeat(rows) } });
  const cut = textOf(await session.propose('read_file', { path: 'large', startLine: 1000, endLine: 100_000 }));
  const last = Number(/\n\[lines 1000 to (\d+) of a file that is too large to be read whole\. It was cut here for its size; go on with startLine (\d+)\.\]$/.exec(cut)?.[1]);
  assert.ok(cut.length <= maxWindow + 200 && last > 1100, String(last));
  assert.match(textOf(await session.propose('read_file', { path: 'large', startLine: rows, endLine: rows + 5 })), new RegExp(`^${rows}\tx{99}\n\\[lines ${rows} to ${rows} of ${rows}\\.\\]$`));
  assert.match(textOf(await session.propose('read_file', { path: 'large', startLine: rows + 1 })), new RegExp(`^TOOL_FAILED: large has ${rows} lines; line ${rows + 1} does not exist`));
});

test('read_file outside the workspace asks, and then reads', async (t) => {
  const session = await sessionHost(t, { outside: { n: 'notes' }, answer: 'allowed' });
  const outcome = await session.propose('read_file', { path: '../outside/n' });
  assert.deepEqual([textOf(outcome), outcome.verdict?.decidedBy], ['1\tnotes', 'built-in: outside']);
  assert.deepEqual(session.asks[0]?.content.warnings, [`read ${session.at('../outside/n')}: it lies outside the workspace`]);
});

test('read_file through a link that leads outside asks for what it leads to', async (t) => {
  const session = await sessionHost(t, { outside: { n: 'notes' } });
  await symlink('../outside/n', session.at('inside.txt'));
  const outcome = await session.propose('read_file', { path: 'inside.txt' });
  assert.deepEqual([codeOf(outcome), outcome.effects], ['ASK_UNAVAILABLE', [{ kind: 'read', path: session.at('../outside/n'), extent: 'file', except: [] }]]);
});

test('with several folders, a path begins with the folder; ~ is the home', async (t) => {
  const session = await sessionHost(t, { folders: ['one', 'two'], files: { 'one/a': '1', 'two/a': '2' }, answer: 'allowed' });
  assert.equal(textOf(await session.propose('read_file', { path: 'two/a' })), '1\t2');
  assert.equal(textOf(await session.propose('read_file', { path: './one/a' })), '1\t1');
  const lost = await session.propose('read_file', { path: 'a' });
  assert.match(textOf(lost), /^FS_NOT_FOUND: With several folders open, a path begins with the folder's name: one\/…, two\/…\./);
  await mkdir(session.at('home/sub'));
  await writeFile(session.at('home/sub/n'), 'home');
  assert.equal(textOf(await session.propose('read_file', { path: '~/sub/n' })), '1\thome');
});

test('a window is cut at the size cap, and says where to go on', async (t) => {
  const content = `${'x'.repeat(99)}\n`.repeat(2000);
  const session = await sessionHost(t, { files: { 'a.txt': content } });
  const text = textOf(await session.propose('read_file', { path: 'a.txt' }));
  const shown = windowOf(content, 1, 2000);
  assert.ok(shown.text.length <= maxWindow && shown.cut);
  assert.ok(text.endsWith(`\n[lines 1 to ${shown.lastLine} of 2000. It was cut here for its size; go on with startLine ${shown.lastLine + 1}.]`));
  assert.match(textOf(await session.propose('read_file', { path: 'a.txt', startLine: shown.lastLine + 1 })), new RegExp(`^\\s*${shown.lastLine + 1}\tx`));
});
