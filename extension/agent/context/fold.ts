import type { CallKey } from '../../boundary/call.ts';
import type { Told } from '../../session/told.ts';
import { bytesOf, tokensIn } from './estimate.ts';

/** A result that could be folded, and what that would save. */
export interface Fold {
  readonly call: CallKey;
  /** Tokens, not corrected. */
  readonly gain: number;
}

/** Less is not worth a line in its place. */
const leastGain = 50;

/** Where the last `steps` steps begin; the whole is theirs where there are no more. */
export function startOfLast(told: readonly Told[], steps: number): number {
  let left = steps;
  for (let at = told.length - 1; at >= 0; at--) {
    if (told[at]?.part === 'assistant' && --left === 0) return at;
  }
  return 0;
}

/** Results from `from` to before `to`, oldest first. The plan that holds is none of them: the model goes by it. */
export function foldsIn(told: readonly Told[], from: number, to: number): readonly Fold[] {
  const plan = told.findLast(({ outcome }) => outcome?.tool === 'update_plan')?.outcome?.call;
  return told.slice(from, to).flatMap(({ message, outcome }) => {
    if (outcome === null || outcome.folded || outcome.call === plan) return [];
    const gain = tokensIn(bytesOf(message) - outcome.foldedLength);
    return gain >= leastGain ? [{ call: outcome.call, gain }] : [];
  });
}

/** The first of them that save `excess` together; all of them where they save less. */
export function enoughOf(folds: readonly Fold[], excess: number): readonly Fold[] {
  let saved = 0;
  const end = folds.findIndex(({ gain }) => (saved += gain) >= excess);
  return end === -1 ? folds : folds.slice(0, end + 1);
}

export function gainOf(folds: readonly Fold[]): number {
  return folds.reduce((sum, { gain }) => sum + gain, 0);
}

export function largestFirst(folds: readonly Fold[]): readonly Fold[] {
  return folds.toSorted((a, b) => b.gain - a.gain);
}
