import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, ConfigurationTarget, EndOfLine, NotebookEdit, Position, Range, Selection, Uri, window, workspace, WorkspaceEdit, type TextDocument, type TextEditor } from 'vscode';
import { sha256 } from '../../extension/boundary/digest.ts';
import type { RealPath } from '../../extension/boundary/effect.ts';
import { CodedError } from '../../extension/boundary/error-codes.ts';
import { dirtyDocuments } from '../../extension/editor/dirty-documents.ts';

const folder = join(realpathSync(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '/none'), 'unsaved');
const at = (name: string): RealPath => join(folder, name) as RealPath;

/** Opens a file that holds this on disk. */
async function opened(name: string, onDisk: string | Uint8Array, path = at(name)): Promise<TextEditor> {
  writeFileSync(at(name), onDisk);
  return window.showTextDocument(await workspace.openTextDocument(Uri.file(path)), { preview: false });
}

/** The same, with unsaved text before what it holds. */
async function typed(name: string, onDisk: string | Uint8Array, text = 'typed '): Promise<TextEditor> {
  const editor = await opened(name, onDisk);
  await editor.edit((builder) => builder.insert(new Position(0, 0), text));
  return editor;
}

function unsaved(name: string): { readonly text: string; readonly unfit: string | null } | null {
  const document = dirtyDocuments.unsaved(at(name));
  if (document !== null) assert.equal(document.digest, sha256(document.bytes));
  return document === null ? null : { text: Buffer.from(document.bytes).toString(), unfit: document.unfit };
}

/** What lies on disk stays as it is meanwhile. */
async function replaced(name: string, text: string, base = unsaved(name)?.text ?? ''): Promise<void> {
  const before = readFileSync(at(name));
  await dirtyDocuments.replace(at(name), sha256(Buffer.from(base)), Buffer.from(text));
  assert.deepEqual(readFileSync(at(name)), before);
}

const refused = (code: string) => (error: unknown): boolean => error instanceof CodedError && error.code === code;

/** What the editor tells comes to the extension host by messages of their own. */
async function until(holds: () => boolean): Promise<void> {
  for (let wait = 0; wait < 200 && !holds(); wait++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(holds(), holds.toString());
}

async function autoSave(value: string | undefined): Promise<void> {
  await workspace.getConfiguration('files').update('autoSave', value, ConfigurationTarget.Workspace);
}

async function saved(document: TextDocument): Promise<void> {
  assert.equal(await document.save(), true);
  await until(() => !document.isDirty);
}

suite('Documents with unsaved changes', () => {
  suiteSetup(async () => {
    mkdirSync(folder, { recursive: true });
    // In a browser the editor saves by itself after a second.
    await autoSave('off');
  });
  teardown(async () => {
    await autoSave('off');
    while (window.visibleTextEditors.length > 0 || window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
  suiteTeardown(async () => {
    await autoSave(undefined);
    rmSync(folder, { recursive: true });
  });

  test('are known by their real paths, for as long as they are unsaved', async () => {
    const { document } = await opened('a.txt', 'one\n');
    assert.equal(unsaved('a.txt'), null);
    await typed('a.txt', 'one\n');
    assert.deepEqual(unsaved('a.txt'), { text: 'typed one\n', unfit: null });
    assert.equal(unsaved('other.txt'), null);
    await saved(document);
    assert.equal(unsaved('a.txt'), null);
  });

  test('are known by what a link leads to', async () => {
    symlinkSync('target.txt', at('link.txt'));
    const editor = await opened('target.txt', 'one\n', at('link.txt'));
    await editor.edit((builder) => builder.insert(new Position(0, 0), 'typed '));
    assert.deepEqual(unsaved('target.txt'), { text: 'typed one\n', unfit: null });
    await replaced('target.txt', 'typed two\n');
    assert.equal(editor.document.getText(), 'typed two\n');
  });

  test('are unfit where one file is open under two names, each with changes', async () => {
    symlinkSync('both.txt', at('second-name.txt'));
    await typed('both.txt', 'one\n', 'here ');
    const other = await opened('both.txt', 'one\n', at('second-name.txt'));
    await other.edit((builder) => builder.insert(new Position(0, 0), 'there '));
    assert.deepEqual(unsaved('both.txt')?.unfit, 'it is open under two names, each with unsaved changes');
    await assert.rejects(replaced('both.txt', 'ours\n'), refused('STALE_PERMIT'));
    assert.equal(other.document.getText(), 'there one\n');
  });

  test('are changed by one edit of the places that differ: the cursor stays, one undo takes it back, nothing is saved', async () => {
    const lines = Array.from({ length: 50 }, (_, n) => `line ${n}\n`);
    const editor = await typed('c.txt', lines.join(''));
    editor.selection = new Selection(new Position(25, 2), new Position(25, 6));
    const changes: number[] = [];
    const listening = workspace.onDidChangeTextDocument(({ document, contentChanges }) => { if (document === editor.document && contentChanges.length > 0) changes.push(contentChanges.length); });
    const before = editor.document.getText();
    const after = before.replace('line 3\n', 'line three\n').replace('line 40\n', '').replace('line 49\n', 'line 49\nmore\n');
    await replaced('c.txt', after);
    listening.dispose();
    assert.equal(editor.document.getText(), after);
    assert.deepEqual(changes, [3]);
    assert.equal(editor.document.isDirty, true);
    assert.deepEqual([editor.selection.start, editor.selection.end], [new Position(25, 2), new Position(25, 6)]);
    await window.showTextDocument(editor.document);
    await commands.executeCommand('undo');
    assert.equal(editor.document.getText(), before);
  });

  test('are left as they are where they hold another text, or none is unsaved', async () => {
    const editor = await typed('d.txt', 'one\n');
    await assert.rejects(replaced('d.txt', 'ours\n', 'another\n'), refused('STALE_PERMIT'));
    assert.equal(editor.document.getText(), 'typed one\n');
    await saved(editor.document);
    await assert.rejects(replaced('d.txt', 'ours\n', 'typed one\n'), refused('STALE_PERMIT'));
    assert.equal(editor.document.getText(), 'typed one\n');
  });

  test('a key that the extension host has not heard of yet is not lost: the edit is refused', async () => {
    const editor = await typed('e.txt', 'one\n');
    const base = editor.document.getText();
    const key = commands.executeCommand('type', { text: 'K' });
    const edit = replaced('e.txt', 'ours\n', base);
    await assert.rejects(edit, refused('STALE_PERMIT'));
    await key;
    assert.match(editor.document.getText(), /K/);
    assert.doesNotMatch(editor.document.getText(), /ours/);
  });

  test('a key that is pressed while the edit is under way is not lost, and where it was first, the edit is refused whole', async () => {
    const editor = await typed('f.txt', 'one\n');
    const edit = replaced('f.txt', 'typed one, ours\n').then(() => 'made', (error: unknown) => (error instanceof CodedError ? error.code : String(error)));
    const key = commands.executeCommand('type', { text: 'K' });
    const outcome = await edit;
    await key;
    assert.match(editor.document.getText(), /K/);
    assert.equal(outcome, editor.document.getText().includes('ours') ? 'made' : 'STALE_PERMIT');
  });

  test('keep their kind of line end, or change it as a whole', async () => {
    const editor = await typed('g.txt', 'one\r\ntwo\r\n');
    await replaced('g.txt', 'typed one\r\nthree\r\n');
    assert.deepEqual([editor.document.getText(), editor.document.eol], ['typed one\r\nthree\r\n', EndOfLine.CRLF]);
    await replaced('g.txt', 'typed one\nthree\nfour\n');
    assert.deepEqual([editor.document.getText(), editor.document.eol], ['typed one\nthree\nfour\n', EndOfLine.LF]);
    await replaced('g.txt', 'typed one\r\nthree\r\nfour\r\n');
    assert.deepEqual([editor.document.getText(), editor.document.eol], ['typed one\r\nthree\r\nfour\r\n', EndOfLine.CRLF]);
    await assert.rejects(replaced('g.txt', 'one\r\ntwo\n'), refused('FS_DIRTY'));
    await assert.rejects(replaced('g.txt', 'one\rtwo'), refused('FS_DIRTY'));
  });

  test('a byte order mark that the file is saved with is part of the bytes, and stays', async () => {
    const editor = await typed('h.txt', '\uFEFFone\n');
    assert.deepEqual(unsaved('h.txt'), { text: '\uFEFFtyped one\n', unfit: null });
    await replaced('h.txt', '\uFEFFtyped two\n');
    await assert.rejects(replaced('h.txt', 'no mark\n'), refused('FS_DIRTY'));
    await saved(editor.document);
    assert.equal(readFileSync(at('h.txt'), 'utf8'), '\uFEFFtyped two\n');
  });

  test('mixed line ends on disk are unfit: the editor has made them all the same', async () => {
    await typed('i.txt', 'one\r\ntwo\nthree\r\n');
    assert.match(unsaved('i.txt')?.unfit ?? '', /line ends are mixed on disk/);
  });

  test('another encoding is unfit', async () => {
    writeFileSync(at('j.txt'), Buffer.from('gr\xfcn\n', 'latin1'));
    const editor = await window.showTextDocument(await workspace.openTextDocument(Uri.file(at('j.txt')), { encoding: 'windows1252' }));
    await editor.edit((builder) => builder.insert(new Position(0, 0), 'x'));
    assert.deepEqual(unsaved('j.txt'), { text: 'xgrün\n', unfit: 'it will be saved as windows1252, and only UTF-8 can hold every character' });
  });

  test('half a character is unfit', async () => {
    await typed('k.txt', 'one\n', '\ud83d');
    assert.match(unsaved('k.txt')?.unfit ?? '', /half a character/);
  });

  test('a notebook is unfit, and is read as it was saved last', async () => {
    const content = JSON.stringify({ cells: [{ cell_type: 'code', source: ['1'], metadata: {}, outputs: [], execution_count: null }], metadata: {}, nbformat: 4, nbformat_minor: 5 });
    writeFileSync(at('a.ipynb'), content);
    const notebook = await workspace.openNotebookDocument(Uri.file(at('a.ipynb')));
    await window.showNotebookDocument(notebook);
    assert.equal(unsaved('a.ipynb'), null);
    const edit = new WorkspaceEdit();
    edit.set(notebook.uri, [NotebookEdit.updateCellMetadata(0, { changed: true })]);
    edit.replace(notebook.cellAt(0).document.uri, new Range(0, 0, 0, 1), '2');
    assert.equal(await workspace.applyEdit(edit), true);
    await until(() => notebook.isDirty);
    assert.deepEqual(unsaved('a.ipynb'), { text: content, unfit: 'it is a notebook' });
    await assert.rejects(dirtyDocuments.replace(at('a.ipynb'), sha256(Buffer.from(content)), Buffer.from('{}')), refused('STALE_PERMIT'));
  });

  test('with auto save on, what was changed lands on disk as it was signed', async () => {
    await autoSave('afterDelay');
    const { document } = await typed('m.txt', 'one\n');
    await dirtyDocuments.replace(at('m.txt'), sha256(Buffer.from('typed one\n')), Buffer.from('typed two\n'));
    await until(() => !document.isDirty);
    assert.deepEqual([unsaved('m.txt'), readFileSync(at('m.txt'), 'utf8')], [null, 'typed two\n']);
  });
});
