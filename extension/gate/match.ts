import type { Effect, Glob, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { isForeign } from '../boundary/foreign-path.ts';
import { isResultPath, namesResult } from '../boundary/result-path.ts';
import { compileGlob, type GlobMatcher } from '../files/globs.ts';
import type { Roots } from '../files/roots.ts';
import { escapeGlob, fromHome, isOfAnyPlace, slashed, targetOf } from './absolute-glob.ts';
import { isAnchored, type PlacedRule, type Rule } from './rule.ts';

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

/**
 * Whether a rule's path lets a path through. A glob that is not anchored speaks of paths inside a workspace folder only: of the
 * innermost where folders are nested, but to ask or deny, of each that holds the path.
 */
export function ruleMatchesPath(placed: PlacedRule, path: RealPath, roots: Roots): boolean {
  if (placed.rule.path === undefined || (placed.glob === null && placed.broken)) return true;
  if (placed.glob === null) return false;
  if (isResultPath(path)) return namesResult(placed.rule.path) && placed.glob(path);
  if (isForeign(path)) return ruleMatchesForeign(placed.rule, placed.glob, path, roots);
  if (isAnchored(placed.rule.path)) return placed.glob(slashed(path));
  const { glob } = placed;
  if (placed.rule.decision !== 'allow') return roots.relativeInEach(path).some((inside) => glob(inside));
  const inside = roots.relativeIn(path);
  return inside !== null && glob(inside);
}

/**
 * The same off the disk: whether case counts there is not known, so only what allows is taken at its word. A glob that is anchored on the
 * disk allows nothing there; to ask or deny, one that begins with `/**` holds there too.
 */
function ruleMatchesForeign({ path: glob = '', decision }: Rule, exact: GlobMatcher, path: RealPath, roots: Roots): boolean {
  if (decision === 'allow') {
    const inside = isAnchored(glob) ? null : roots.relativeIn(path);
    return inside !== null && exact(inside);
  }
  const matches = compileGlob(glob, { nocase: true });
  if (matches instanceof CodedError) return true;
  if (isAnchored(glob)) return isOfAnyPlace(glob) && matches(targetOf(path, glob));
  return roots.relativeInEach(path).some((inside) => matches(inside));
}

/** The last of an ordered list of absolute globs that matches decides; `!` takes a path out. Gives that glob, or null. The list stays as it is. */
export function lastMatch(globs: readonly Glob[], path: string): Glob | null {
  for (const { glob, negative, compiled } of lastFirst(globs)) {
    // A glob that cannot be used never lets anything through: as an exception it is passed over, as a refusal it holds.
    if (compiled instanceof CodedError) {
      if (negative) continue;
      return glob;
    }
    if (compiled(targetOf(path, negative ? glob.slice(1) : glob))) return negative ? null : glob;
  }
  return null;
}

interface Ready {
  readonly glob: Glob;
  readonly negative: boolean;
  readonly compiled: GlobMatcher | CodedError;
}

/** By list, so that a tree is read in reasonable time under any number of rules: more than are kept one by one, too. */
const ready = new WeakMap<readonly Glob[], readonly Ready[]>();

function lastFirst(globs: readonly Glob[]): readonly Ready[] {
  const known = ready.get(globs);
  if (known !== undefined) return known;
  const made = globs.map((glob): Ready => {
    const negative = glob.startsWith('!');
    return { glob, negative, compiled: compileGlob(negative ? glob.slice(1) : glob, { nocase: true }) };
  }).reverse();
  ready.set(globs, made);
  return made;
}

/** A rule's glob as an absolute one below each folder, for `except`. */
export function absoluteGlobs(placed: PlacedRule, roots: Roots): readonly Glob[] {
  const { path } = placed.rule;
  // One that is broken elsewhere than in its glob still asks or denies by it.
  if (path === undefined || placed.glob === null) return [];
  if (isAnchored(path)) return [fromHome(path, roots.home)];
  return roots.list.map((root) => `${escapeGlob(root.path).replace(/\/$/, '')}/${path.replace(/^\.\//, '')}`);
}
