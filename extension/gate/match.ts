import type { Effect, Glob, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { compileGlob } from '../files/globs.ts';
import type { Roots } from '../files/roots.ts';
import { escapeGlob, fromHome, slashed } from './absolute-glob.ts';
import { isAnchored, type PlacedRule } from './rule.ts';

/** The paths that an effect touches; a rule on a path matches an effect if it matches any of them. */
export function pathsOf(effect: Effect): readonly RealPath[] {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return [effect.path];
    case 'move':
      return [effect.from, effect.to];
    case 'run':
      return [effect.cwd];
    default:
      return [];
  }
}

/** Whether a rule's path lets a path through. A glob that is not anchored speaks of paths inside a workspace folder only. */
export function ruleMatchesPath(placed: PlacedRule, path: RealPath, roots: Roots): boolean {
  if (placed.rule.path === undefined || (placed.glob === null && placed.broken)) return true;
  if (placed.glob === null) return false;
  if (isAnchored(placed.rule.path)) return placed.glob(slashed(path));
  const inside = roots.relativeIn(path);
  return inside !== null && placed.glob(inside);
}

/** The last of an ordered list of absolute globs that matches decides; `!` takes a path out. Gives that glob, or null. */
export function lastMatch(globs: readonly Glob[], path: string): Glob | null {
  const target = slashed(path);
  for (let index = globs.length - 1; index >= 0; index -= 1) {
    const glob = globs[index] ?? '';
    const negative = glob.startsWith('!');
    const compiled = compileGlob(negative ? glob.slice(1) : glob, { nocase: true });
    // A glob that cannot be used never lets anything through: as an exception it is passed over, as a refusal it holds.
    if (compiled instanceof CodedError) {
      if (negative) continue;
      return glob;
    }
    if (compiled(target)) return negative ? null : glob;
  }
  return null;
}

/** A rule's glob as an absolute one below each folder, for `except`. */
export function absoluteGlobs(placed: PlacedRule, roots: Roots): readonly Glob[] {
  const { path } = placed.rule;
  if (path === undefined || placed.broken) return [];
  if (isAnchored(path)) return [fromHome(path, roots.home)];
  return roots.list.map((root) => `${escapeGlob(root.path).replace(/\/$/, '')}/${path.replace(/^\.\//, '')}`);
}
