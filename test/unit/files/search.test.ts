import assert from 'node:assert/strict';
import { renameSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { RealPath } from '../../../extension/boundary/effect.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import type { TextMatches, TextSearch } from '../../../extension/boundary/tool-definition.ts';
import { findFiles, searchText, type TreeRead } from '../../../extension/files/search.ts';

let folder = '';
beforeEach(async () => { folder = await realpath(await mkdtemp(join(tmpdir(), 'search-'))); });
afterEach(async () => { await rm(folder, { recursive: true, force: true }); });

async function make(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
}

function read(options: Partial<TreeRead> = {}): TreeRead {
  return { root: folder as RealPath, skip: () => null, signal: new AbortController().signal, display: (path) => path.slice(folder.length + 1), ...options };
}

function search(query: string, options: Partial<TextSearch> = {}, tree = read()): Promise<TextMatches> {
  return searchText(tree, { query, include: [], exclude: [], contextLines: 0, ...options });
}

async function found(pattern: string): Promise<readonly string[]> {
  return (await findFiles(read(), pattern)).files;
}

function isCoded(code: string): (error: unknown) => boolean {
  return (error) => error instanceof CodedError && error.code === code;
}

test('a pattern with "/" is matched on the path, one without it on the name', async () => {
  await make({ 'a.ts': '', 'src/a.ts': '', 'src/b.js': '', 'src/deep/.c.ts': '', 'Makefile': '' });
  assert.deepEqual(await found('*.ts'), ['a.ts', 'src/a.ts', 'src/deep/.c.ts']);
  assert.deepEqual(await found('src/*.ts'), ['src/a.ts']);
  assert.deepEqual(await found('src/**'), ['src/a.ts', 'src/b.js', 'src/deep/.c.ts']);
  assert.deepEqual(await found('**/*.{js,ts}'), ['a.ts', 'src/a.ts', 'src/b.js', 'src/deep/.c.ts']);
  assert.deepEqual(await found('{Makefile,b.js}'), ['Makefile', 'src/b.js']);
  assert.deepEqual(await found('./src/a.ts'), ['src/a.ts']);
  assert.deepEqual(await found('nothing'), []);
});

test('what is left out is said with its rule', async () => {
  await make({ 'a.ts': '', '.env': 'KEY=1' });
  const tree = read({ skip: (path) => (path.endsWith('.env') ? '**/.env' : null) });
  assert.deepEqual(await findFiles(tree, '*'), { files: ['a.ts'], leftOut: [{ display: '.env', glob: '**/.env' }], unreadable: [], truncated: false });
  const { matches, leftOut } = await search('KEY', {}, tree);
  assert.deepEqual({ matches, leftOut }, { matches: [], leftOut: [{ display: '.env', glob: '**/.env' }] });
});

test('patterns that cannot be used are refused', async () => {
  await assert.rejects(findFiles(read(), '[a'), isCoded('INVALID_ARGS'));
  await assert.rejects(findFiles(read(), '/etc/*'), isCoded('INVALID_ARGS'));
  await assert.rejects(findFiles(read(), ''), isCoded('INVALID_ARGS'));
  await assert.rejects(search('x', { include: ['{a'] }), isCoded('INVALID_ARGS'));
  await assert.rejects(search(''), isCoded('INVALID_ARGS'));
  await assert.rejects(search('a\nb'), isCoded('INVALID_ARGS'));
});

test('the text is found literally, line by line, with its context', async () => {
  await make({ 'a.txt': 'one\r\ntwo (x)\r\nthree\r\nfour (x)', 'b.txt': '\uFEFF(x) and (x)\n(X)\n' });
  const { matches, filesSearched, truncated } = await search('(x)', { contextLines: 1 });
  assert.deepEqual(matches, [
    { display: 'a.txt', line: 2, text: 'two (x)', before: ['one'], after: ['three'] },
    { display: 'a.txt', line: 4, text: 'four (x)', before: ['three'], after: [] },
    { display: 'b.txt', line: 1, text: '(x) and (x)', before: [], after: ['(X)'] },
  ]);
  assert.deepEqual({ filesSearched, truncated }, { filesSearched: 2, truncated: false });
});

test('include and exclude choose the files; an excluded folder goes with all that is in it', async () => {
  await make({ 'src/a.ts': 'hit', 'src/a.js': 'hit', 'dist/a.ts': 'hit', 'dist/x/a.ts': 'hit' });
  const { matches } = await search('hit', { include: ['*.ts'], exclude: ['dist'] });
  assert.deepEqual(matches.map(({ display }) => display), ['src/a.ts']);
});

test('binary and very large files are skipped and counted, links are not read', async () => {
  await make({ 'bin': Buffer.from('hit\0hit'), 'large': Buffer.alloc(5 * 1024 * 1024 + 1, 'hit '), 'text': 'hit' });
  await symlink(join(folder, 'text'), join(folder, 'link'));
  const { matches, filesSearched, skippedBinary, skippedLarge, unreadable } = await search('hit');
  assert.deepEqual({ shown: matches.map(({ display }) => display), filesSearched, skippedBinary, skippedLarge, unreadable }, { shown: ['text'], filesSearched: 1, skippedBinary: 1, skippedLarge: 1, unreadable: [] });
});

test('bytes that are not UTF-8 are shown as well as they can be', async () => {
  await make({ 'latin': Buffer.from('gr\xfcn hit', 'latin1') });
  assert.deepEqual((await search('hit')).matches.map(({ text }) => text), ['gr\uFFFDn hit']);
});

test('a long line is cut around its match', async () => {
  await make({ 'a': `${'x'.repeat(3000)}hit${'y'.repeat(3000)}\nnear hit ${'z'.repeat(1000)}` });
  const [far, near] = (await search('hit')).matches.map(({ text }) => text);
  assert.match(far ?? '', /^…x{100}hity+…$/);
  assert.match(near ?? '', /^near hit z+…$/);
  assert.ok((far ?? '').length <= 500 && (near ?? '').length <= 500);
});

test('matches are capped in number and in size, and the cap is said', async () => {
  await make({ 'a': 'hit\n'.repeat(1000) });
  const many = await search('hit');
  assert.deepEqual({ count: many.matches.length, truncated: many.truncated }, { count: 200, truncated: true });
  await make({ 'a': `hit${'x'.repeat(490)}\n`.repeat(150) });
  const large = await search('hit', { contextLines: 5 });
  assert.ok(large.truncated);
  assert.ok(large.matches.reduce((sum, { text, before, after }) => sum + [text, ...before, ...after].join('').length, 0) <= 200_000);
  await make({ 'a': 'hit\n'.repeat(200) });
  assert.equal((await search('hit')).truncated, false);
});

test('the signal ends the search with its reason', async () => {
  await make({ 'a': 'hit', 'b': 'hit' });
  const controller = new AbortController();
  const reason = new Error('stopped');
  const tree = read({
    signal: controller.signal,
    display: (path) => {
      controller.abort(reason);
      return path;
    },
  });
  await assert.rejects(search('hit', {}, tree), reason);
});

test('a folder that becomes a link while it is searched gives nothing of what it leads to', async () => {
  await make({ 'ws/a/x.txt': 'nothing', 'ws/b.txt': 'needle', 'elsewhere/x.txt': 'needle' });
  const swap = (path: string): null => {
    if (path.endsWith('x.txt')) {
      renameSync(join(folder, 'ws/a'), join(folder, 'moved'));
      symlinkSync(join(folder, 'elsewhere'), join(folder, 'ws/a'));
    }
    return null;
  };
  const { matches, unreadable } = await search('needle', {}, read({ root: join(folder, 'ws') as RealPath, skip: swap }));
  assert.deepEqual([matches.map(({ display }) => display), unreadable], [['ws/b.txt'], ['ws/a/x.txt']]);
});
