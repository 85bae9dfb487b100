import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import type { RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { parseStrictJson } from '../boundary/strict-json.ts';
import { readBytes } from '../files/read-bytes.ts';
import { realPathOf } from '../files/real-path.ts';
import type { Roots } from '../files/roots.ts';
import { buildPolicy, type Policy, type PolicyLayer } from '../gate/policy.ts';
import { type RunOptions, UnusableOptions } from './options.ts';

/** The user's rules from `--policy`, and the workspace's own settings as the editor reads them. Throws UnusableOptions. */
export async function policyOf({ policyFile, mode, workspaces }: RunOptions, roots: Roots): Promise<Policy> {
  const layers: PolicyLayer[] = [];
  if (policyFile !== null) {
    const file = await readJson(policyFile, `--policy ${policyFile}`);
    if (typeof file !== 'object' || file === null || !('rules' in file) || !Array.isArray(file.rules)) throw new UnusableOptions(`--policy ${policyFile}: an object with a list of rules is expected: { "rules": [ … ] }`);
    layers.push({ level: 'user', rules: file.rules, place: (index) => `${policyFile} rules[${index}]` });
  }
  for (const folder of workspaces) layers.push(...await workspaceLayer(resolve(folder)));
  return buildPolicy({ mode, layers, readableSecrets: [], ownFiles: policyFile === null ? [] : await fileOf(policyFile) }, roots);
}

/** The workspace's own rules, which can tighten. A file that cannot be read in full counts as a rule that cannot: it asks. */
async function workspaceLayer(folder: string): Promise<readonly PolicyLayer[]> {
  const place = (index: number): string => `.vscode/settings.json countersign.policy.rules[${index}]`;
  let text: string;
  try {
    // As any file of the workspace: it may be a pipe that never ends.
    const file = await readBytes(await realPathOf(join(folder, '.vscode', 'settings.json')));
    if (file === null) return [];
    text = new TextDecoder().decode(file.bytes);
  } catch (error) {
    return error instanceof CodedError && error.code === 'FS_NOT_FOUND' ? [] : [{ level: 'workspace', rules: [String(error)], place }];
  }
  const errors: ParseError[] = [];
  let settings: unknown;
  try {
    settings = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    // The parser recurses, and how deep is the workspace's to choose.
    return [{ level: 'workspace', rules: [String(error)], place }];
  }
  const [error] = errors;
  const layers: PolicyLayer[] = error === undefined ? [] : [{ level: 'workspace', rules: [printParseErrorCode(error.error)], place }];
  if (typeof settings !== 'object' || settings === null || !('countersign.policy.rules' in settings)) return layers;
  return [...layers, { level: 'workspace', rules: settings['countersign.policy.rules'], place }];
}

/** Its real path; nothing where it is none that can be written, such as a pipe. */
async function fileOf(path: string): Promise<readonly RealPath[]> {
  try {
    return [await realPathOf(resolve(path))];
  } catch {
    return [];
  }
}

async function readJson(file: string, what: string): Promise<unknown> {
  try {
    // Strictly: of two `rules`, one would be dropped in silence.
    return parseStrictJson(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UnusableOptions(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
