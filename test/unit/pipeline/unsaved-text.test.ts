import assert from 'node:assert/strict';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Effect } from '../../../extension/boundary/effect.ts';
import type { Look } from '../../../extension/boundary/tool-definition.ts';
import { Buffers } from './buffers.ts';
import { codeOf, plainTool, textOf } from './plain-tool.ts';
import { layer, sessionHost, type Session, type SessionSetup } from './session-host.ts';

const allowing = { layers: [layer([{ effect: 'write', decision: 'allow' }])] };

async function withUnsaved(t: TestContext, unsaved: Readonly<Record<string, string>>, setup: SessionSetup): Promise<{ readonly session: Session; readonly documents: Buffers }> {
  const documents = new Buffers();
  const session = await sessionHost(t, { policy: allowing, ...setup, host: { documents } });
  for (const [path, text] of Object.entries(unsaved)) documents.texts.set(session.at(path), text);
  return { session, documents };
}

const edit = (oldText: string, newText: string): object => ({ path: 'a.txt', edits: [{ oldText, newText }] });

test('what is unsaved is what is read and searched; what lies on disk is not', async (t) => {
  const { session } = await withUnsaved(t, { 'src/a.txt': 'one\nfresh needle\n' }, { files: { 'src/a.txt': 'stale needle\n', 'src/b.txt': 'needle\n' } });
  assert.equal(textOf(await session.propose('read_file', { path: 'src/a.txt' })), '1\tone\n2\tfresh needle');
  assert.equal(textOf(await session.propose('search_text', { query: 'needle' })), 'src/a.txt:2: fresh needle\nsrc/b.txt:1: needle\n[2 matches in 2 files searched]');
});

test('an edit is planned against the unsaved text and lands there; the file is as it was, and the model and the person are told', async (t) => {
  const { session, documents } = await withUnsaved(t, { 'a.txt': 'mine, unsaved\n' }, { files: { 'a.txt': 'saved\n' }, policy: {}, answer: 'allowed' });
  await session.read('a.txt');
  const outcome = await session.propose('edit_file', edit('mine', 'ours'));
  assert.equal(textOf(outcome), 'Edited a.txt: 1 replacement made, exactly as proposed, in the editor, on top of the unsaved changes there; it is changed in the editor and not saved, so the file on disk is as it was.');
  assert.deepEqual(outcome.effects, [{ kind: 'write', path: session.at('a.txt'), base: sha256(Buffer.from('mine, unsaved\n')), result: sha256(Buffer.from('ours, unsaved\n')), via: 'buffer' }]);
  assert.deepEqual([documents.texts.get(session.at('a.txt')), documents.edits, await readFile(session.at('a.txt'), 'utf8')], ['ours, unsaved\n', 1, 'saved\n']);
  assert.deepEqual(session.asks[0]?.content.warnings, ['a.txt has unsaved changes: it is changed in the editor, on top of them, and not saved']);
  assert.deepEqual(session.asks[0]?.files.map(({ base, result }) => [Buffer.from(base ?? []).toString(), Buffer.from(result ?? []).toString()]), [['mine, unsaved\n', 'ours, unsaved\n']]);
  const next = await session.propose('write_file', { path: 'a.txt', content: 'whole\n' });
  assert.match(textOf(next), /^Wrote a\.txt: 6 bytes, exactly as proposed, in the editor/);
  assert.equal(documents.texts.get(session.at('a.txt')), 'whole\n');
});

test('what was read on disk and has unsaved changes since is to be read again', async (t) => {
  const { session, documents } = await withUnsaved(t, {}, { files: { 'a.txt': 'saved\n' } });
  await session.read('a.txt');
  documents.texts.set(session.at('a.txt'), 'typed\n');
  assert.equal(codeOf(await session.propose('edit_file', edit('typed', 'x'))), 'FS_STALE');
  await session.read('a.txt');
  assert.equal(codeOf(await session.propose('edit_file', edit('typed', 'x'))), 'well');
});

test('a document that is saved, as by the editor itself, after it was changed is edited on disk from then on', async (t) => {
  const { session, documents } = await withUnsaved(t, { 'a.txt': 'one\n' }, { files: { 'a.txt': '' } });
  await session.read('a.txt');
  assert.equal(codeOf(await session.propose('edit_file', edit('one', 'two'))), 'well');
  await writeFile(session.at('a.txt'), documents.texts.get(session.at('a.txt')) ?? '');
  documents.texts.clear();
  const outcome = await session.propose('edit_file', edit('two', 'three'));
  assert.deepEqual([textOf(outcome), await readFile(session.at('a.txt'), 'utf8')], ['Edited a.txt: 1 replacement made, exactly as proposed.', 'three\n']);
});

test('a file that is gone from the disk lives on in its unsaved document', async (t) => {
  const { session, documents } = await withUnsaved(t, { 'a.txt': 'kept\n' }, { files: { 'a.txt': 'kept\n' } });
  await unlink(session.at('a.txt'));
  await session.read('a.txt');
  assert.equal(codeOf(await session.propose('edit_file', edit('kept', 'still kept'))), 'well');
  assert.equal(documents.texts.get(session.at('a.txt')), 'still kept\n');
  assert.deepEqual(Object.keys(await session.world()), ['home/', 'outside/', 'ws/']);
});

const moves: readonly (readonly [string, (documents: Buffers, path: string) => void, RegExp])[] = [
  ['was saved or closed', (documents, path) => { documents.texts.delete(path); }, /had unsaved changes in the editor when this was signed; now it has none/],
  ['was typed into', (documents, path) => { documents.texts.set(path, 'one more\n'); }, /unsaved text of .* changed in the editor/],
  ['cannot take an edit any more', (documents, path) => { documents.unfit.set(path, 'it is a notebook'); }, /cannot be changed in the editor any more: it is a notebook/],
];
for (const [what, move, said] of moves) {
  test(`D12 after the approval the unsaved document ${what}: STALE_PERMIT, and nothing is changed`, async (t) => {
    const { session, documents } = await withUnsaved(t, { 'a.txt': 'one\n' }, { files: { 'a.txt': 'saved\n' }, policy: {} });
    await session.read('a.txt');
    session.setAnswer(() => {
      move(documents, session.at('a.txt'));
      return { approval: 'allowed', reason: '' };
    });
    const outcome = await session.propose('edit_file', edit('one', 'two'));
    assert.deepEqual([codeOf(outcome), documents.edits, await readFile(session.at('a.txt'), 'utf8')], ['STALE_PERMIT', 0, 'saved\n']);
    assert.match(textOf(outcome), said);
  });
}

test('D12 a key that is pressed just before the edit: STALE_PERMIT, and what was typed is not lost', async (t) => {
  const { session, documents } = await withUnsaved(t, { 'a.txt': 'one\n' }, { files: { 'a.txt': 'saved\n' } });
  await session.read('a.txt');
  documents.beforeEdit = () => void documents.texts.set(session.at('a.txt'), 'one, typed\n');
  assert.equal(codeOf(await session.propose('edit_file', edit('one', 'two'))), 'STALE_PERMIT');
  assert.equal(documents.texts.get(session.at('a.txt')), 'one, typed\n');
});

const unholdable: readonly (readonly [string, string, string, RegExp])[] = [
  ['mixed line ends', 'one\n', 'one\r\ntwo\n', /mixed line ends/], ['carriage returns alone', 'one\n', 'one\rtwo', /carriage returns alone/], ['a byte order mark that it does not have', 'one\n', '\uFEFFone', /byte order mark cannot be added/],
];
for (const [what, before, content, said] of unholdable) {
  test(`a document with unsaved changes takes no text with ${what}: FS_DIRTY, and nobody is asked`, async (t) => {
    const { session, documents } = await withUnsaved(t, { 'a.txt': before }, { files: { 'a.txt': '' }, policy: {} });
    await session.read('a.txt');
    const outcome = await session.propose('write_file', { path: 'a.txt', content });
    assert.deepEqual([codeOf(outcome), session.asks.length, documents.edits], ['FS_DIRTY', 0, 0]);
    assert.match(textOf(outcome), said);
    assert.equal(codeOf(await session.propose('write_file', { path: 'a.txt', content: 'all\r\nCRLF\r\n' })), 'ASK_UNAVAILABLE');
  });
}

test('a byte order mark that the document is saved with is kept', async (t) => {
  const { session, documents } = await withUnsaved(t, { 'a.txt': '\uFEFFone\n' }, { files: { 'a.txt': '' } });
  assert.equal(textOf(await session.propose('read_file', { path: 'a.txt' })), '1\tone');
  assert.equal(codeOf(await session.propose('edit_file', edit('one', 'two'))), 'well');
  assert.equal(codeOf(await session.propose('write_file', { path: 'a.txt', content: 'three\n' })), 'well');
  assert.equal(documents.texts.get(session.at('a.txt')), '\uFEFFthree\n');
});

/** Writes `new` into every file of the list. */
function writer(paths: readonly string[]): ReturnType<typeof plainTool> {
  const bytes = Buffer.from('new');
  return plainTool({
    effects: async (_args, look: Look) => {
      const effects: Effect[] = [];
      for (const path of paths) {
        const { path: real, digest, via } = await look.editable(path);
        effects.push({ kind: 'write', path: real, base: digest, result: sha256(bytes), via });
      }
      return { effects, claims: [], content: new Map([[sha256(bytes), bytes]]) };
    },
    execute: async (_args, run) => {
      await run.performAll();
      return 'done';
    },
  });
}

test('several files, on disk and in buffers, are changed together', async (t) => {
  const { session, documents } = await withUnsaved(t, { b: 'unsaved b' }, { files: { a: 'a', b: 'b' }, tools: [writer(['a', 'b', 'c'])] });
  for (const path of ['a', 'b']) await session.read(path);
  assert.equal(codeOf(await session.propose('plain', {})), 'well');
  assert.deepEqual([(await session.world())['ws/a'], documents.texts.get(session.at('b')), (await session.world())['ws/b'], (await session.world())['ws/c']], ['new', 'new', 'b', 'new']);
});

test('where a buffer refuses at the last moment, what landed before it is taken back, on disk and in buffers', async (t) => {
  const { session, documents } = await withUnsaved(t, { b: 'unsaved b', d: 'unsaved d' }, { files: { a: 'a', b: 'b', d: 'd' }, tools: [writer(['a', 'b', 'c', 'd'])] });
  for (const path of ['a', 'b', 'd']) await session.read(path);
  let edits = 0;
  documents.beforeEdit = () => {
    edits += 1;
    if (edits === 2) documents.texts.set(session.at('d'), 'typed d');
  };
  const outcome = await session.propose('plain', {});
  assert.equal(codeOf(outcome), 'STALE_PERMIT');
  assert.match(textOf(outcome), /were put back as they were: nothing was changed/);
  assert.deepEqual([...documents.texts.values()], ['unsaved b', 'typed d']);
  assert.deepEqual(await session.world(), { 'home/': '', 'outside/': '', 'ws/': '', 'ws/a': 'a', 'ws/b': 'b', 'ws/d': 'd' });
});

test('what the person typed into a buffer after it was changed is not taken back with it, and is named', async (t) => {
  const { session, documents } = await withUnsaved(t, { b: 'unsaved b', d: 'unsaved d' }, { files: { b: 'b', d: 'd' }, tools: [writer(['b', 'd'])] });
  for (const path of ['b', 'd']) await session.read(path);
  let edits = 0;
  documents.beforeEdit = () => {
    edits += 1;
    if (edits === 2) documents.texts.set(session.at('b'), 'new and typed').set(session.at('d'), 'typed d');
  };
  const outcome = await session.propose('plain', {});
  assert.match(textOf(outcome), /^STALE_PERMIT: .* Written, and not put back: .*\/ws\/b \(/s);
  assert.deepEqual([...documents.texts.values()], ['new and typed', 'typed d']);
});
