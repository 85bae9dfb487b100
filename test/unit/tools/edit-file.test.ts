import assert from 'node:assert/strict';
import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import { Buffers } from '../pipeline/buffers.ts';
import { codeOf, textOf } from '../pipeline/plain-tool.ts';
import { layer, sessionHost } from '../pipeline/session-host.ts';

const allowing = { layers: [layer([{ effect: 'write', decision: 'allow' }])] };
const one = (oldText: string, newText: string, over: object = {}): object => ({ path: 'a.txt', edits: [{ oldText, newText, ...over }] });

const edits: readonly (readonly [string, string | Uint8Array, object, string | Uint8Array])[] = [
  ['one place', 'one two\n', one('two', '2'), 'one 2\n'], ['a deletion', 'one two\n', one(' two', ''), 'one\n'], ['every place', 'x x x', one('x', 'y', { replaceAll: true }), 'y y y'],
  ['CRLF that the model does not see', 'one\r\ntwo\r\n', one('one\ntwo', '1\n2'), '1\r\n2\r\n'], ['mixed line ends, only where it edits', 'a\r\nb\nc\r\n', one('b', 'B'), 'a\r\nB\nc\r\n'], ['a byte order mark, kept', '\uFEFFone\n', one('one', '1'), '\uFEFF1\n'],
  ['no final newline, kept', 'one\ntwo', one('two', '2'), 'one\n2'], ['$& as it is', 'one', one('one', '$& $1 $$'), '$& $1 $$'], ['trailing blanks elsewhere, kept', 'a  \nb\t\n', one('b', 'B'), 'a  \nB\t\n'],
  ['two edits, both against the file as it is', 'one two', { path: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }, { oldText: 'two', newText: 'one' }] }, 'two one'],
];

for (const [what, before, args, after] of edits) {
  test(`edit_file makes exactly ${what}`, async (t) => {
    const session = await sessionHost(t, { files: { 'a.txt': before }, policy: allowing });
    await session.read('a.txt');
    const outcome = await session.propose('edit_file', args);
    assert.match(textOf(outcome), /^Edited a\.txt: \d replacements? made, exactly as proposed\.$/);
    assert.deepEqual(await readFile(session.at('a.txt')), Buffer.from(after));
  });
}

const refusals: readonly (readonly [string, string | Uint8Array, object, string])[] = [
  ['text that is not there', 'one\n', one('two', '2'), 'EDIT_NOT_FOUND'], ['text that stands twice', 'a a', one('a', 'b'), 'EDIT_AMBIGUOUS'], ['an edit that changes nothing', 'a', one('a', 'a'), 'EDIT_INVALID'], ['no edits', 'a', { path: 'a.txt', edits: [] }, 'INVALID_ARGS'],
  ['empty old text', 'a', one('', 'b'), 'INVALID_ARGS'], ['one edit of two that cannot be made', 'a b', { path: 'a.txt', edits: [{ oldText: 'a', newText: 'A' }, { oldText: 'c', newText: 'C' }] }, 'EDIT_NOT_FOUND'],
  ['half a character', 'a', '{"path":"a.txt","edits":[{"oldText":"a","newText":"\\ud800"}]}' as unknown as object, 'INVALID_ARGS'], ['a file that is missing', 'a', { path: 'none', edits: [{ oldText: 'a', newText: 'b' }] }, 'FS_NOT_FOUND'],
];

for (const [what, before, args, code] of refusals) {
  test(`edit_file refuses ${what}; the file is as it was, and nobody is asked`, async (t) => {
    const session = await sessionHost(t, { files: { 'a.txt': before } });
    await session.read('a.txt');
    assert.equal(codeOf(await session.propose('edit_file', args)), code);
    assert.deepEqual([(await session.world())['ws/a.txt'], session.asks.length], [String(before), 0]);
  });
}

for (const [what, content, code] of [['a binary file', Buffer.from('a\0'), 'FS_NOT_TEXT'], ['another encoding', Buffer.from('gr\xfcn', 'latin1'), 'FS_ENCODING']] as const) {
  test(`edit_file refuses ${what} that the session knows`, async (t) => {
    const session = await sessionHost(t, { files: { 'a.txt': content }, policy: allowing });
    session.host.observations.note(session.at('a.txt'), sha256(content));
    assert.equal(codeOf(await session.propose('edit_file', one('a', 'b'))), code);
  });
}

test('edit_file refuses what the session has not read, what changed since, and what is unsaved where the editor cannot change it', async (t) => {
  const documents = new Buffers();
  const session = await sessionHost(t, { files: { 'a.txt': 'one' }, policy: allowing, host: { documents } });
  assert.equal(codeOf(await session.propose('edit_file', one('one', '1'))), 'FS_NOT_OBSERVED');
  await session.read('a.txt');
  await writeFile(session.at('a.txt'), 'one, by them');
  assert.equal(codeOf(await session.propose('edit_file', one('one', '1'))), 'FS_STALE');
  await session.read('a.txt');
  documents.texts.set(session.at('a.txt'), 'one, by them');
  documents.unfit.set(session.at('a.txt'), 'it is a notebook');
  const outcome = await session.propose('edit_file', one('one', '1'));
  assert.deepEqual([codeOf(outcome), textOf(outcome)], ['FS_DIRTY', 'FS_DIRTY: a.txt has unsaved changes in the editor and cannot be changed there: it is a notebook. Ask the person to save it, then read it again.']);
  documents.texts.clear();
  assert.equal(codeOf(await session.propose('edit_file', one('one', '1'))), 'well');
  assert.equal(codeOf(await session.propose('edit_file', one('1', '2'))), 'well');
});

test('edit_file keeps the mode of the file, and edits the target of a link', async (t) => {
  const session = await sessionHost(t, { files: { 'src/real.sh': 'one' }, policy: allowing });
  await chmod(session.at('src/real.sh'), 0o750);
  await symlink('src/real.sh', session.at('a.txt'));
  await session.read('a.txt');
  const outcome = await session.propose('edit_file', one('one', '1'));
  assert.equal(codeOf(outcome), 'well');
  assert.deepEqual(outcome.effects.map((effect) => (effect.kind === 'write' ? effect.path : '')), [session.at('src/real.sh')]);
  assert.equal((await stat(session.at('src/real.sh'))).mode & 0o777, 0o750);
  assert.equal((await session.world())['ws/a.txt'], '-> src/real.sh');
});

test('edit_file refuses a read-only file and leaves it', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'one' }, policy: allowing });
  await chmod(session.at('a.txt'), 0o444);
  await session.read('a.txt');
  assert.equal(codeOf(await session.propose('edit_file', one('one', '1'))), 'FS_REFUSED');
  assert.deepEqual(Object.keys(await session.world()), ['home/', 'outside/', 'ws/', 'ws/a.txt']);
});

test('a part of a file that was read counts as its having been read; a search does not', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'one\ntwo\n' }, policy: allowing });
  await session.propose('search_text', { query: 'one' });
  assert.equal(codeOf(await session.propose('edit_file', one('two', '2'))), 'FS_NOT_OBSERVED');
  await session.propose('read_file', { path: 'a.txt', startLine: 1, endLine: 1 });
  assert.equal(codeOf(await session.propose('edit_file', one('two', '2'))), 'well');
});
