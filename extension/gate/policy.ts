import { digestOfJson } from '../boundary/digest.ts';
import type { RealPath } from '../boundary/effect.ts';
import type { Json } from '../boundary/json.ts';
import type { Level } from '../boundary/verdict.ts';
import type { Roots } from '../files/roots.ts';
import type { Mode } from './modes.ts';
import { fromHome } from './absolute-glob.ts';
import { type PlacedRule, type RuleProblem, isAnchored, readRules } from './rule.ts';
import { secretGlobs } from './secrets.ts';

/** Rules as they stand at one level: settings or a file, not yet read. */
export interface PolicyLayer {
  readonly level: Exclude<Level, 'built-in' | 'mode'>;
  readonly rules: unknown;
  /** `countersign.policy.rules[2] (user settings)`. */
  readonly place: (index: number) => string;
}

export interface PolicySource {
  readonly mode: Mode;
  readonly layers: readonly PolicyLayer[];
  /** User level: globs of files that may be read although they look like secrets. */
  readonly readableSecrets: readonly string[];
  /** Files that rules were read from, by their real paths. */
  readonly ownFiles?: readonly RealPath[];
}

/** Everything that decides, besides the effects and the facts. Made anew whenever its source changes. */
export interface Policy {
  readonly mode: Mode;
  readonly roots: Roots;
  readonly rules: readonly PlacedRule[];
  /** Ordered; the last that matches decides, `!` takes out. */
  readonly secrets: readonly string[];
  /** Where this was read from: whoever may write there, may soon do anything. */
  readonly ownFiles: ReadonlySet<RealPath>;
  readonly problems: readonly RuleProblem[];
  /** Equal for equal policies. */
  readonly revision: string;
}

export function buildPolicy(source: PolicySource, roots: Roots): Policy {
  const read = source.layers.map((layer) => readRules(layer.rules, layer.level, layer.place, roots.home));
  const rules = read.flatMap((layer) => layer.rules);
  const secrets = Object.freeze([...secretGlobs, ...source.readableSecrets.map((glob) => `!${anywhere(glob, roots.home)}`)]);
  const content: Json = {
    mode: source.mode, secrets, roots: roots.list.map(({ path }) => path),
    rules: rules.map(({ rule, level, place }) => ({ level, place, decision: rule.decision, effect: rule.effect ?? null, tool: rule.tool ?? null, path: rule.path ?? null })),
  };
  return {
    mode: source.mode, roots, rules, secrets, ownFiles: new Set(source.ownFiles), problems: read.flatMap((layer) => layer.problems),
    revision: digestOfJson(content).slice(0, 16),
  };
}

/** A glob of settings as an absolute one: one that is not anchored matches below any folder. */
function anywhere(glob: string, home: string): string {
  return isAnchored(glob) ? fromHome(glob, home) : `/**/${glob.replace(/^\*\*\//, '')}`;
}

/** Levels whose `allow` does nothing: a repository cannot widen what the agent may do. */
export function mayAllow(level: Level): boolean {
  return level !== 'workspace' && level !== 'folder';
}
