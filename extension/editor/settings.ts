import * as vscode from 'vscode';
import type { Mode } from '../gate/modes.ts';
import type { PolicyLayer } from '../gate/policy.ts';

/** What the settings say of models; each may be anything. Machine scope: a workspace cannot send the conversation elsewhere. */
export function readModelSettings(): { readonly models: unknown; readonly capabilities: unknown } {
  const settings = vscode.workspace.getConfiguration('countersign');
  return { models: settings.get('models'), capabilities: settings.get('modelCapabilities') };
}

/** Model requests that a turn may make before it asks to go on. */
export function readStepBudget(): number {
  const value = userValue('agent.stepBudget');
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1000 ? value : 50;
}

/** How long an ask or a question waits while nobody has seen it, in milliseconds. */
export function readUnseenMs(): number {
  const value = userValue('approvals.unseenSeconds');
  return (typeof value === 'number' && Number.isInteger(value) && value >= 10 && value <= 86_400 ? value : 120) * 1000;
}

export function readStartMode(): Mode {
  return userValue('mode') === 'plan' ? 'plan' : 'ask';
}

/** Level by level, never merged: the editor's merged value would let a workspace replace the user's rules. */
export function readPolicyLayers(): readonly PolicyLayer[] {
  const layers: PolicyLayer[] = [];
  const add = (level: PolicyLayer['level'], rules: unknown, where: string): void => {
    if (rules !== undefined) layers.push({ level, rules, place: (index) => `countersign.policy.rules[${index}] (${where})` });
  };
  const inspected = vscode.workspace.getConfiguration('countersign').inspect('policy.rules');
  add('user', inspected?.globalValue, 'user settings');
  add('workspace', inspected?.workspaceValue, 'workspace settings');
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    add('folder', vscode.workspace.getConfiguration('countersign', folder.uri).inspect('policy.rules')?.workspaceFolderValue, `settings of ${folder.name}`);
  }
  return layers;
}

/** Not a list of text: nothing becomes readable. */
export function readReadableSecrets(): readonly string[] {
  const value = userValue('policy.readableSecrets');
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((glob) => (typeof glob === 'string' && glob !== '' ? [glob] : []));
}

export function onSettingsChanged(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('countersign')) listener();
  });
}

function userValue(name: string): unknown {
  return vscode.workspace.getConfiguration('countersign').inspect(name)?.globalValue;
}
