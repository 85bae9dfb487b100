import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { commands, ConfigurationTarget, Position, Uri, window, workspace } from 'vscode';
import type { Ask } from '../../extension/boundary/ask.ts';
import { createRegistry } from '../../extension/boundary/registry.ts';
import { createSchemaCompiler } from '../../extension/boundary/schema-compiler.ts';
import { DiffReview } from '../../extension/editor/diff-review.ts';
import { dirtyDocuments } from '../../extension/editor/dirty-documents.ts';
import { EditorFiles } from '../../extension/editor/editor-files.ts';
import { foreignPathOf, uriOfPath } from '../../extension/editor/foreign-uri.ts';
import { rootsOfWorkspace } from '../../extension/editor/workspace-roots.ts';
import { MemoryKeptResults } from '../../extension/files/kept-results.ts';
import { MemoryObjectStore } from '../../extension/files/object-store.ts';
import { Observations } from '../../extension/files/observations.ts';
import { buildPolicy } from '../../extension/gate/policy.ts';
import type { PipelineHost } from '../../extension/pipeline/host.ts';
import { createPipeline } from '../../extension/pipeline/pipeline.ts';
import { ChangeLedger } from '../../extension/session/changes.ts';
import { EventLog } from '../../extension/session/event-log.ts';
import { registerBuiltInTools } from '../../extension/tools/built-in.ts';
import { createUndoChanges } from '../../extension/tools/undo-changes.ts';
import { MemoryProvider } from './memory-provider.ts';

const scheme = 'countersign-test-fs';
const app = `${scheme}://host/app`;
const edits = [{ oldText: 'one', newText: '1' }];

interface Session {
  readonly asks: readonly Ask[];
  /** What the model reads; the person's calls are those of `undo_changes`. */
  propose(name: string, args: object): Promise<string>;
}

/** A session on these folders, in which the person allows what is asked. */
async function sessionOn(...folders: readonly Uri[]): Promise<Session> {
  const warnings: string[] = [];
  const roots = await rootsOfWorkspace(folders.map((uri) => ({ name: uri.path.split('/').at(-1) ?? '', uri })), (message) => warnings.push(message));
  assert.deepEqual(warnings, []);
  const registry = createRegistry(createSchemaCompiler());
  registerBuiltInTools(registry);
  const log = EventLog.inMemory({ sessionId: 's', roots: roots.list.map(({ path }) => path) }, () => 0);
  const objects = new MemoryObjectStore();
  const ledger = new ChangeLedger();
  log.onAppend((event) => void ledger.record(event));
  registry.register(createUndoChanges({ changesOf: (call) => ledger.changesOf(call), object: (digest) => objects.get(digest), display: (path) => roots.display(path) }), { for: 'person' });
  const asks: Ask[] = [];
  const policy = buildPolicy({ mode: 'ask', layers: [], readableSecrets: [] }, roots);
  const host: PipelineHost = {
    registry, roots, log, objects, policy: () => policy, guards: [], documents: dirtyDocuments, observations: new Observations(), kept: new MemoryKeptResults(() => null),
    approver: { ask: (ask) => { asks.push(ask); return Promise.resolve({ approval: 'allowed', reason: '' }); } },
    conversationOf: () => ({ ask: () => Promise.reject(new Error('nobody is here')) }), redact: (text) => text, random: () => 'r', dryRun: false,
  };
  const pipeline = createPipeline(host);
  let calls = 0;
  return {
    asks,
    propose: async (name, args) => {
      calls += 1;
      const proposal = { call: `c${calls}`, id: `w${calls}`, name, arguments: JSON.stringify(args) };
      const origin = name === 'undo_changes' ? 'person' : 'model';
      log.append(origin === 'person' ? { type: 'person-call', proposal, of: null } : { type: 'assistant', turn: 't', step: calls, text: '', finish: 'tool-calls', calls: [proposal] });
      const [outcome] = await pipeline.runStep([{ ...proposal, cutOff: false }], { origin, signal: new AbortController().signal, onEvent: () => {} });
      return (outcome?.result?.content ?? []).map(({ text }) => text).join('\n');
    },
  };
}

suite('Folders off the disk', () => {
  let provider = new MemoryProvider();
  let registration = { dispose: (): unknown => undefined };

  const autoSave = async (value: string | undefined): Promise<void> => workspace.getConfiguration('files').update('autoSave', value, ConfigurationTarget.Workspace);
  // In a browser the editor saves by itself after a second.
  suiteSetup(() => autoSave('off'));
  suiteTeardown(() => autoSave(undefined));

  setup(() => {
    provider = new MemoryProvider();
    provider.add('/app/src/a.ts', 'one\ntwo\n');
    provider.add('/app/.env', 'KEY=hush');
    provider.add('/other/b.ts', 'one\n');
    registration = workspace.registerFileSystemProvider(scheme, provider, { isCaseSensitive: true });
  });
  teardown(async () => {
    while (window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    registration.dispose();
  });

  test('are listed, read, searched, edited and undone through the editor, on the same path', async () => {
    const session = await sessionOn(Uri.parse(app));
    assert.equal(await session.propose('list_directory', {}), '.env  8\nsrc/');
    assert.equal(await session.propose('read_file', { path: 'src/a.ts' }), '1\tone\n2\ttwo');
    assert.match(await session.propose('read_file', { path: '.env' }), /^DENIED_BY_POLICY/);
    assert.match(await session.propose('search_text', { query: 'two' }), /^src\/a\.ts:2: two\n\[1 match in 1 file searched\]/);
    assert.equal((await session.propose('find_files', { pattern: '*.ts' })).split('\n')[0], 'src/a.ts');
    assert.doesNotMatch(await session.propose('edit_file', { path: 'src/a.ts', edits }), /^[A-Z_]+:/);
    assert.doesNotMatch(await session.propose('write_file', { path: 'new/deep/ü.ts', content: 'new\n' }), /^[A-Z_]+:/);
    assert.deepEqual([provider.text('/app/src/a.ts'), provider.text('/app/new/deep/ü.ts')], ['1\ntwo\n', 'new\n']);
    assert.deepEqual(session.asks.map(({ files }) => files.map(({ path }) => path)), [[`${app}/src/a.ts`], [`${app}/new/deep/ü.ts`]]);
    assert.match(await session.propose('undo_changes', { calls: ['c6', 'c7'] }), /^Undone: /);
    assert.deepEqual([provider.text('/app/src/a.ts'), provider.text('/app/new/deep/ü.ts')], ['one\ntwo\n', null]);
    assert.equal(existsSync(`${scheme}:`), false);
  });

  test('a change is shown as a diff like any other', async () => {
    const session = await sessionOn(Uri.parse(app));
    await session.propose('write_file', { path: 'src/new.ts', content: 'new\n' });
    const [ask] = session.asks;
    assert.ok(ask !== undefined);
    const review = new DiffReview({ shown: () => {}, answer: () => null });
    review.opened(ask);
    assert.equal(await review.show(ask.call, 0), true);
    assert.deepEqual([window.activeTextEditor?.document.getText(), window.activeTextEditor?.document.languageId], ['new\n', 'typescript']);
    await review.closed(ask);
    review.dispose();
  });

  test('nothing else that the editor could reach is reached: another folder, authority or scheme', async () => {
    const session = await sessionOn(Uri.parse(app));
    for (const path of [`${scheme}://host/other/b.ts`, '../other/b.ts', `${scheme}://elsewhere/app/src/a.ts`, 'vscode-userdata:///User/settings.json', 'untitled://x/a']) {
      assert.match(await session.propose('read_file', { path }), /^FS_REFUSED/, path);
      assert.match(await session.propose('write_file', { path, content: 'x' }), /^FS_REFUSED/, path);
    }
    const files = new EditorFiles([app]);
    const outside = `${scheme}://host/other/b.ts`;
    for (const reach of [() => files.status(outside), () => files.read(outside), () => files.entries(`${scheme}://host/other`), () => files.write(outside, Buffer.from('x')), () => files.delete(outside), () => files.read(`${app}/../other/b.ts`)]) await assert.rejects(reach(), /lies in no folder that is open here/);
    assert.notEqual(files.readOnly(outside), null);
    assert.equal(provider.text('/other/b.ts'), 'one\n');
  });

  test('a write that lands as something else, a link, and what is read-only', async () => {
    const session = await sessionOn(Uri.parse(app));
    await session.propose('read_file', { path: 'src/a.ts' });
    provider.keeps = () => Buffer.from('kept');
    assert.match(await session.propose('edit_file', { path: 'src/a.ts', edits }), /^TOOL_FAILED: .* a file of 4 bytes/);
    provider.links.add('/app/src/a.ts');
    assert.match(await session.propose('read_file', { path: 'src/a.ts' }), /^FS_REFUSED: .* is a link/);
    provider.links.clear();
    provider.readOnlyFiles.add('/app/src/a.ts');
    await session.propose('read_file', { path: 'src/a.ts' });
    assert.match(await session.propose('write_file', { path: 'src/a.ts', content: 'x' }), /^FS_REFUSED: Cannot change src\/a\.ts: the file is read-only/);
    registration.dispose();
    registration = workspace.registerFileSystemProvider(scheme, provider, { isReadonly: true });
    assert.match(await session.propose('write_file', { path: 'src/b.ts', content: 'x' }), /^FS_REFUSED: Cannot change src\/b\.ts: files of countersign-test-fs: cannot be written/);
    assert.equal(session.asks.length, 1);
  });

  test('unsaved text is read and changed in the editor, by the address of its document', async () => {
    const session = await sessionOn(Uri.parse(app));
    const editor = await window.showTextDocument(await workspace.openTextDocument(Uri.parse(`${app}/src/a.ts`)), { preview: false });
    await editor.edit((builder) => builder.insert(new Position(0, 0), 'typed '));
    assert.equal(await session.propose('read_file', { path: 'src/a.ts' }), '1\ttyped one\n2\ttwo');
    assert.doesNotMatch(await session.propose('edit_file', { path: 'src/a.ts', edits }), /^[A-Z_]+:/);
    assert.deepEqual([editor.document.getText(), editor.document.isDirty, provider.text('/app/src/a.ts')], ['typed 1\ntwo\n', true, 'one\ntwo\n']);
  });

  test('stand beside folders on disk, and one that cannot be used is left out with a word', async () => {
    const disk = workspace.workspaceFolders?.[0]?.uri;
    assert.ok(disk !== undefined);
    const session = await sessionOn(disk, Uri.parse(app));
    assert.match(await session.propose('list_directory', {}), /\/note\.txt {2}20\n[^]*app\/src\//);
    const warnings: string[] = [];
    const roots = await rootsOfWorkspace([`${scheme}://host/none`, `${scheme}://host/app/.env`, `${app}?version=1`, 'nobody-provides://host/app'].map((text) => ({ name: 'x', uri: Uri.parse(text) })), (message) => warnings.push(message));
    assert.deepEqual([roots.list, roots.foreign.folders, warnings.length], [[], [], 4]);
  });

  test('an address and its path lead to each other', () => {
    for (const text of [`${app}/a b/ü 100%/c.ts`, `${scheme}:///a`]) {
      assert.equal(foreignPathOf(uriOfPath(text)), text);
      assert.equal(uriOfPath(text).scheme, scheme);
    }
    assert.equal(uriOfPath('/a/b').toString(), 'file:///a/b');
    assert.equal(foreignPathOf(Uri.parse(`${app}/`)), app);
    for (const uri of [Uri.file('/a'), Uri.parse(`${app}/a?x`), Uri.parse(`${app}/a#x`), Uri.parse(`${app}//a`), Uri.parse(`${app}/%2561`), Uri.parse('untitled:Untitled-1')]) assert.equal(foreignPathOf(uri), null, uri.toString());
  });
});
