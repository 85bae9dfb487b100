import * as vscode from 'vscode';
import { defaultBaseUrls } from '../model/profile.ts';
import type { NewModel } from './add-model.ts';

/**
 * Writes a model to the user's settings, behind those that stand there, which stay as they are, right or wrong. One that stands there
 * already is not written again.
 */
export async function saveModel({ protocol, baseUrl, model }: NewModel): Promise<void> {
  const settings = vscode.workspace.getConfiguration('countersign');
  const written: unknown = settings.inspect('models')?.globalValue;
  if (written !== undefined && written !== null && !Array.isArray(written)) {
    throw new Error('The setting “countersign.models” is no list, so nothing was added to it. Correct it in the settings, and add the model again; its key is stored.');
  }
  const entries: readonly unknown[] = written ?? [];
  const isThere = entries.some((entry) => has(entry, 'protocol', protocol) && has(entry, 'model', model) && has(entry, 'baseUrl', baseUrl, defaultBaseUrls[protocol]));
  if (isThere) return;
  const entry = { protocol, ...(baseUrl === defaultBaseUrls[protocol] ? {} : { baseUrl }), model };
  await settings.update('models', [...entries, entry], vscode.ConfigurationTarget.Global);
}

/** Whether a field has this value, or has none where that is what is meant without it. */
function has(entry: unknown, name: string, value: string, unless?: string): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const found: unknown = new Map<string, unknown>(Object.entries(entry)).get(name);
  return found === undefined ? value === unless : found === value;
}
