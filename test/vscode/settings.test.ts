import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationTarget, Uri, window, workspace } from 'vscode';
import type { RealPath } from '../../extension/boundary/effect.ts';
import { dirtyDocuments } from '../../extension/editor/dirty-documents.ts';
import { readPolicyLayers, readReadableSecrets } from '../../extension/editor/settings.ts';

const settings = () => workspace.getConfiguration('countersign');
const rules = [{ effect: 'write', path: 'src/**', decision: 'allow' }];

suite('Settings', () => {
  suiteTeardown(async () => {
    await settings().update('policy.rules', undefined, ConfigurationTarget.Global);
    await settings().update('policy.rules', undefined, ConfigurationTarget.Workspace);
    await settings().update('policy.readableSecrets', undefined, ConfigurationTarget.Global);
  });

  test('rules are read level by level, never merged', async () => {
    await settings().update('policy.rules', rules, ConfigurationTarget.Global);
    await settings().update('policy.rules', [{ decision: 'deny', path: '**/*.lock' }], ConfigurationTarget.Workspace);
    const layers = readPolicyLayers();
    assert.deepEqual(layers.find(({ level }) => level === 'user')?.rules, rules);
    assert.deepEqual(layers.filter(({ level }) => level !== 'user').map(({ rules: own }) => own)[0], [{ decision: 'deny', path: '**/*.lock' }]);
    assert.equal(layers[0]?.place(0), 'countersign.policy.rules[0] (user settings)');
  });

  test('a workspace can set neither the model, nor its address, nor readable secrets', async () => {
    for (const name of ['model.baseUrl', 'model.name', 'policy.readableSecrets', 'mode']) {
      await assert.rejects(Promise.resolve(settings().update(name, name === 'policy.readableSecrets' ? ['**/.env'] : 'x', ConfigurationTarget.Workspace)), name);
    }
    assert.deepEqual(readReadableSecrets(), []);
  });

  test('an unsaved document counts as dirty by its real path', async () => {
    const folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const file = join(folder, 'dirty.txt');
    writeFileSync(file, 'one\n');
    const editor = await window.showTextDocument(await workspace.openTextDocument(Uri.file(file)));
    assert.equal(dirtyDocuments.isDirty(file as RealPath), false);
    await editor.edit((builder) => builder.insert(editor.selection.start, 'x'));
    assert.equal(dirtyDocuments.isDirty(file as RealPath), true);
    assert.equal(await editor.document.save(), true);
    // That it was saved reaches the extension host by a message of its own.
    for (let wait = 0; wait < 100 && editor.document.isDirty; wait++) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(dirtyDocuments.isDirty(file as RealPath), false);
  });
});
