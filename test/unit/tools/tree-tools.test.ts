import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { test } from 'node:test';
import { codeOf, textOf } from '../pipeline/plain-tool.ts';
import { layer, sessionHost } from '../pipeline/session-host.ts';

const files = { 'a.ts': 'hit one\n', 'src/b.ts': 'two\nHIT\nhit three\nfour\n', 'src/deep/c.md': 'hit\n', 'node_modules/x/i.js': 'hit', '.env': 'hit=1', 'bin': Buffer.from('hit\0') };
const leftOut = '[left out: .env (/**/.env*), node_modules (**/node_modules/**)]';

test('list_directory lists folders, files with their size, and links', async (t) => {
  const session = await sessionHost(t, { files: { 'b.txt': '12345', 'a/x': '' } });
  await symlink('b.txt', session.at('link'));
  await mkdir(session.at('empty'));
  for (const args of [{}, { path: '.' }, { path: './' }, { path: 'a/..' }]) assert.equal(textOf(await session.propose('list_directory', args)), 'a/\nb.txt  5\nempty/\nlink@');
  assert.equal(textOf(await session.propose('list_directory', { path: 'a' })), 'x  0');
  assert.equal(textOf(await session.propose('list_directory', { path: 'empty' })), '(empty)');
});

test('list_directory refuses a file, and what is missing', async (t) => {
  const session = await sessionHost(t, { files: { 'b.txt': '' } });
  assert.match(textOf(await session.propose('list_directory', { path: 'b.txt' })), /^FS_REFUSED: b\.txt is a file\. Use read_file\./);
  assert.equal(codeOf(await session.propose('list_directory', { path: 'none' })), 'FS_NOT_FOUND');
  assert.equal(codeOf(await session.propose('list_directory', { path: '' })), 'INVALID_ARGS');
});

test('list_directory of a folder that rules deny, or that holds secrets only, is denied; one outside asks', async (t) => {
  const session = await sessionHost(t, { files: { 'priv/a': '', '.ssh/id_rsa': '' }, policy: { layers: [layer([{ path: 'priv', decision: 'deny' }])] } });
  for (const path of ['priv', 'priv/', '.ssh', './priv', '.ssh/']) assert.equal(codeOf(await session.propose('list_directory', { path })), 'DENIED_BY_POLICY');
  assert.equal(codeOf(await session.propose('list_directory', { path: '..' })), 'ASK_UNAVAILABLE');
});

test('find_files finds by name at any depth, or by path, and says what was left out and by which rule', async (t) => {
  const session = await sessionHost(t, { files });
  assert.equal(textOf(await session.propose('find_files', { pattern: '*.ts' })), `a.ts\nsrc/b.ts\n${leftOut}`);
  assert.equal(textOf(await session.propose('find_files', { pattern: 'src/**' })), `src/b.ts\nsrc/deep/c.md\n${leftOut}`);
  assert.equal(textOf(await session.propose('find_files', { pattern: '*', path: 'src' })), 'src/b.ts\nsrc/deep/c.md');
  assert.equal(textOf(await session.propose('find_files', { pattern: '.env' })), `(none found)\n${leftOut}`);
});

test('D16 find_files and search_text leave out what deny and ask rules cover, and say so', async (t) => {
  const session = await sessionHost(t, { files: { 'a.ts': 'hit', 'db/a.ts': 'hit', 'docs/x/a.ts': 'hit' }, policy: { layers: [layer([{ path: 'db/**', decision: 'deny' }]), layer([{ path: 'docs/x/*', decision: 'ask' }], 'workspace')] } });
  const said = `[left out: db (${session.at('db')}/**), docs/x/a.ts (${session.at('docs/x')}/*)]`;
  assert.equal(textOf(await session.propose('find_files', { pattern: '*.ts' })), `a.ts\n${said}`);
  assert.equal(textOf(await session.propose('search_text', { query: 'hit' })), `a.ts:1: hit\n[1 match in 1 file searched]\n${said}`);
  assert.equal(codeOf(await session.propose('find_files', { pattern: '*', path: 'db' })), 'DENIED_BY_POLICY');
  assert.equal(codeOf(await session.propose('find_files', { pattern: '*', path: 'docs/x' })), 'well');
  assert.equal(session.asks.length, 0);
});

for (const [tool, args] of [['find_files', { pattern: '[' }], ['find_files', { pattern: '/etc/*' }], ['find_files', { pattern: '' }], ['find_files', {}], ['search_text', { query: '' }], ['search_text', { query: 'a\nb' }], ['search_text', { query: 'x', isRegex: true }],
  ['search_text', { query: 'x', include: ['{'] }], ['search_text', { query: 'x', contextLines: 99 }]] as const) {
  test(`${tool} refuses ${JSON.stringify(args)}`, async (t) => {
    assert.equal(codeOf(await (await sessionHost(t, { files })).propose(tool, args)), 'INVALID_ARGS');
  });
}

test('find_files refuses a file in the place of a folder', async (t) => {
  assert.equal(codeOf(await (await sessionHost(t, { files })).propose('find_files', { pattern: '*', path: 'a.ts' })), 'FS_REFUSED');
});

test('search_text gives path, line and text, with case, and says how many files it searched', async (t) => {
  const session = await sessionHost(t, { files });
  assert.equal(textOf(await session.propose('search_text', { query: 'hit' })), `a.ts:1: hit one\nsrc/b.ts:3: hit three\nsrc/deep/c.md:1: hit\n[3 matches in 3 files searched]\n[not searched: 1 binary file]\n${leftOut}`);
  assert.equal(textOf(await session.propose('search_text', { query: 'HIT', include: ['*.ts'], exclude: ['a.ts'], contextLines: 1 })), `src/b.ts-1- two\nsrc/b.ts:2: HIT\nsrc/b.ts-3- hit three\n--\n[1 match in 1 file searched]\n${leftOut}`);
  assert.equal(textOf(await session.propose('search_text', { query: '.*' })), `[0 matches in 3 files searched]\n[not searched: 1 binary file]\n${leftOut}`);
});

test('the tree tools cover every workspace folder, and name each', async (t) => {
  const session = await sessionHost(t, { folders: ['one', 'two'], files: { 'one/a.ts': 'hit', 'two/b.ts': 'hit' } });
  assert.equal(textOf(await session.propose('list_directory', {})), 'one/a.ts  3\ntwo/b.ts  3');
  assert.equal(textOf(await session.propose('find_files', { pattern: '*.ts' })), 'one/a.ts\ntwo/b.ts');
  assert.equal(textOf(await session.propose('search_text', { query: 'hit' })), 'one/a.ts:1: hit\ntwo/b.ts:1: hit\n[2 matches in 2 files searched]');
  assert.equal(textOf(await session.propose('find_files', { pattern: '*', path: 'two' })), 'two/b.ts');
});

test('without a workspace folder the tools say so', async (t) => {
  const session = await sessionHost(t, { folders: [] });
  for (const [tool, args] of [['list_directory', {}], ['find_files', { pattern: '*' }], ['search_text', { query: 'x' }], ['read_file', { path: 'a' }], ['write_file', { path: 'a', content: '' }]] as const) {
    assert.match(textOf(await session.propose(tool, args)), /^FS_NOT_FOUND: No folder is open/);
  }
});

test('links are named by find_files and never followed', async (t) => {
  const session = await sessionHost(t, { files: { 'a.ts': '' }, outside: { 'dir/x.ts': 'hit' } });
  await symlink('../outside/dir', session.at('link'));
  assert.equal(textOf(await session.propose('find_files', { pattern: '**' })), 'a.ts\nlink');
  assert.equal(textOf(await session.propose('search_text', { query: 'hit' })), '[0 matches in 1 file searched]');
});

test('more than 1,000 files are cut, and said', async (t) => {
  const session = await sessionHost(t, { files: Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`${n}.txt`, ''])) });
  const text = textOf(await session.propose('find_files', { pattern: '*.txt' }));
  assert.equal(text.split('\n').length, 1001);
  assert.ok(text.endsWith('\n[cut: there are more; narrow the pattern or name a folder]'));
});

test('what cannot be reached by its name is still well-formed text', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': Buffer.from(`${'x'.repeat(497)}😀😀 hit\n`) } });
  assert.equal(codeOf(await session.propose('search_text', { query: 'x' })), 'well');
});

test('ask_user puts the question to the person and brings back the answer', async (t) => {
  const asked: unknown[] = [];
  const session = await sessionHost(t, { host: { conversationOf: (call) => ({ ask: (question, options) => { asked.push([call, question, options]); return Promise.resolve('tabs'); } }) } });
  const outcome = await session.propose('ask_user', { question: 'Tabs or spaces?', options: ['tabs', 'spaces'] });
  assert.deepEqual([textOf(outcome), outcome.verdict?.decision, asked], ['tabs', 'allow', [['c1', 'Tabs or spaces?', ['tabs', 'spaces']]]]);
});

test('ask_user without anybody to ask, and without a question', async (t) => {
  const session = await sessionHost(t, {});
  assert.equal(codeOf(await session.propose('ask_user', { question: 'Anybody?' })), 'ASK_UNAVAILABLE');
  assert.equal(codeOf(await session.propose('ask_user', { question: '' })), 'INVALID_ARGS');
});
