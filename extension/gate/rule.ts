import type { EffectKind } from '../boundary/effect.ts';
import type { Decision, Level } from '../boundary/verdict.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { type GlobMatcher, compileGlob } from '../files/globs.ts';
import { fromHome } from './absolute-glob.ts';

/** A rule as people write it: every field that is given must match. */
export interface Rule {
  readonly effect?: EffectKind;
  readonly tool?: string;
  readonly path?: string;
  readonly decision: Decision;
  readonly reason?: string;
}

/** A rule with where it stands, ready to match. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly level: Level;
  readonly place: string;
  /** null: no path was given, so any matches. */
  readonly glob: GlobMatcher | null;
  /** What could not be evaluated: such a rule never allows, and as `ask` or `deny` it matches whatever its other fields let through. */
  readonly broken: boolean;
}

export interface RuleProblem {
  readonly place: string;
  readonly message: string;
}

const effectKinds: readonly EffectKind[] = ['read', 'write', 'delete', 'move', 'run', 'process', 'fetch', 'mcp', 'converse'];
const decisions: readonly Decision[] = ['allow', 'ask', 'deny'];
/** Fields that speak of one kind of effect. Their values are not evaluated yet: such a rule never allows, and asks or denies for the kind as a whole. */
const fieldsOfKind = new Map<string, EffectKind>([['argv', 'run'], ['host', 'fetch'], ['server', 'mcp']]);
const knownFields = ['effect', 'tool', 'path', 'decision', 'reason'];

/** Reads rules from settings or a file. Nothing is dropped in silence: what is not understood is reported, and only ever tightens. */
export function readRules(given: unknown, level: Level, placeOf: (index: number) => string, home: string): { readonly rules: readonly PlacedRule[]; readonly problems: readonly RuleProblem[] } {
  if (given === undefined || given === null) return { rules: [], problems: [] };
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const problems: RuleProblem[] = [];
  const rules = list.map((entry, index) => {
    const place = placeOf(index);
    return readRule(entry, level, place, home, (message) => problems.push({ place, message }));
  });
  return { rules, problems };
}

function readRule(entry: unknown, level: Level, place: string, home: string, report: (message: string) => void): PlacedRule {
  let broken = false;
  const fault = (message: string): void => {
    broken = true;
    report(message);
  };
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    fault('This is no rule: an object with `decision` is expected. Until it is mended, everything asks.');
    return { rule: { decision: 'ask', reason: 'a rule that cannot be read' }, level, place, glob: null, broken };
  }
  const fields: Readonly<Record<string, unknown>> = { ...entry };
  const text = (name: string): string | undefined => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === undefined) return value;
    if (typeof value === 'string') return value.toWellFormed();
    fault(`\`${name}\` must be text.`);
    return undefined;
  };
  for (const name of Object.keys(fields)) if (!knownFields.includes(name)) fault(`\`${name}\` is not a field that is understood here (${knownFields.join(', ')}).`);
  const effect = text('effect');
  const implied = Object.keys(fields).map((name) => fieldsOfKind.get(name)).find((known) => known !== undefined);
  const kind = effectKinds.find((known) => known === effect) ?? (effect === undefined ? implied : undefined);
  if (effect !== undefined && kind === undefined) fault(`\`effect\` must be one of ${effectKinds.join(', ')}.`);
  const decision = decisions.find((known) => known === fields['decision']);
  if (decision === undefined) fault('`decision` must be allow, ask or deny. Until it is mended, what it matches asks.');
  const tool = text('tool');
  const path = text('path');
  const reason = text('reason');
  let glob: GlobMatcher | null = null;
  if (path !== undefined) {
    // Where the file system takes both for one name, a rule in the other case holds as well; only what allows is taken at its word.
    const compiled = compileGlob(fromHome(path, home), { nocase: decision !== 'allow' && ['darwin', 'win32'].includes(process.platform) });
    if (compiled instanceof CodedError) fault(`\`path\`: ${compiled.message}`);
    else glob = compiled;
  }
  const rule: Rule = {
    decision: decision ?? 'ask',
    ...(kind !== undefined && { effect: kind }), ...(tool !== undefined && { tool }), ...(path !== undefined && { path }), ...(reason !== undefined && { reason }),
  };
  return { rule, level, place, glob, broken };
}

/** Only such a glob matches outside the workspace. */
export function isAnchored(glob: string): boolean {
  return glob.startsWith('/') || glob.startsWith('~/');
}
