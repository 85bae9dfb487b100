import assert from 'node:assert/strict';
import { ConfigurationTarget, workspace } from 'vscode';
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

  test('a workspace can set neither models, nor what they can do, nor the step budget, nor readable secrets', async () => {
    const values = { models: [], modelCapabilities: {}, 'agent.stepBudget': 1000, 'policy.readableSecrets': ['**/.env'], mode: 'x' };
    for (const [name, value] of Object.entries(values)) await assert.rejects(Promise.resolve(settings().update(name, value, ConfigurationTarget.Workspace)), name);
    assert.deepEqual(readReadableSecrets(), []);
  });
});
