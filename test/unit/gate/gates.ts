import type { Effect, RealPath } from '../../../extension/boundary/effect.ts';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Verdict } from '../../../extension/boundary/verdict.ts';
import { Roots } from '../../../extension/files/roots.ts';
import { decide, type Guard } from '../../../extension/gate/decide.ts';
import { noFacts, type Facts } from '../../../extension/gate/facts.ts';
import { buildPolicy, type Policy, type PolicyLayer, type PolicySource } from '../../../extension/gate/policy.ts';

const digest = sha256('');
export const path = (absolute: string): RealPath => absolute as RealPath;

/** `/srv/app` and `/srv/lib`, with the home `/home/u`: none of them need exist for what is decided on text. */
export async function rootsOf(...folders: readonly string[]): Promise<Roots> {
  const roots = await Roots.of([], '/home/u');
  return Object.assign(Object.create(Object.getPrototypeOf(roots) as object) as Roots, {
    home: roots.home, list: folders.map((folder) => ({ name: folder.split('/').at(-1) ?? '', path: path(folder) })),
  });
}
export const roots = await rootsOf('/srv/app', '/srv/lib');

export const effects = {
  read: (at: string): Effect => ({ kind: 'read', path: path(at), extent: 'file', except: [] }),
  tree: (at: string): Effect => ({ kind: 'read', path: path(at), extent: 'tree', except: [] }),
  write: (at: string): Effect => ({ kind: 'write', path: path(at), base: digest, result: digest, via: 'disk' }),
  create: (at: string): Effect => ({ kind: 'write', path: path(at), base: 'absent', result: digest, via: 'disk' }),
  remove: (at: string): Effect => ({ kind: 'delete', path: path(at), base: digest }),
  move: (from: string, to: string): Effect => ({ kind: 'move', from: path(from), to: path(to), base: digest }),
  run: (cwd = '/srv/app'): Effect => ({ kind: 'run', program: path('/bin/ls'), argv: [], cwd: path(cwd), grant: digest, background: false }),
  fetch: (): Effect => ({ kind: 'fetch', url: 'https://example.test/', grant: digest }),
  mcp: (): Effect => ({ kind: 'mcp', server: 's', tool: 't', definition: digest, arguments: digest, grant: digest }),
  process: (): Effect => ({ kind: 'process', id: 'p1', op: 'read' }),
  converse: (): Effect => ({ kind: 'converse', op: 'ask' }),
};

export function policyOf(rules: unknown, over: Partial<PolicySource> = {}, level: PolicyLayer['level'] = 'user'): Policy {
  return policyOfLayers([{ level, rules, place: (index) => `${level}[${index}]` }], over);
}

export function policyOfLayers(layers: readonly PolicyLayer[], over: Partial<PolicySource> = {}): Policy {
  return buildPolicy({ mode: 'ask', layers, readableSecrets: [], ...over }, roots);
}

export interface Case {
  readonly tool?: string;
  readonly effects: readonly Effect[];
  readonly claims?: readonly Effect[];
  readonly facts?: Facts;
  readonly guards?: readonly Guard[];
}

export function verdictOf(policy: Policy, { tool = 'some_tool', effects: given, claims = [], facts = noFacts, guards = [] }: Case): Verdict {
  return decide({ tool, arguments: {}, effects: given, claims }, policy, facts, guards);
}

export function decisionOf(policy: Policy, ...given: readonly Effect[]): string {
  return verdictOf(policy, { effects: given }).decision;
}
