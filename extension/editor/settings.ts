import * as vscode from 'vscode';
import type { Mode } from '../gate/modes.ts';
import type { PolicyLayer } from '../gate/policy.ts';

export interface ModelSettings {
  readonly baseUrl: string;
  readonly model: string;
}

/** Machine scope: a workspace cannot send the conversation elsewhere. */
export function readModelSettings(): ModelSettings {
  const settings = vscode.workspace.getConfiguration('countersign.model');
  return { baseUrl: textOf(settings.get('baseUrl')), model: textOf(settings.get('name')) };
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

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
