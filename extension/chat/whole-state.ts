import type { CallEntry, Entry } from '../../webview/protocol/state.ts';

/** UTF-16 units of results and cards that one whole state may carry, about. */
const room = 8 * 1024 * 1024;
/** What is kept of an older result. */
const keptDetail = 1000;

/**
 * The entries as they are sent all at once. A very long session would be hundreds of megabytes: beyond a bound, counted from the newest,
 * calls that are over keep their line and the beginning of their result, and not what was shown of them. The log has all of it.
 */
export function wholeState(entries: readonly Entry[], bound: number = room): readonly Entry[] {
  let used = 0;
  const newestFirst = entries.toReversed().map((entry) => {
    if (entry.kind !== 'call') return entry;
    used += weightOf(entry);
    return used <= bound || isOpen(entry) ? entry : { ...entry, card: null, detail: shortened(entry.detail) };
  });
  return newestFirst.toReversed();
}

function isOpen({ status }: CallEntry): boolean {
  return status === 'receiving' || status === 'waiting' || status === 'asking' || status === 'running';
}

function weightOf({ detail, card }: CallEntry): number {
  if (card === null) return detail.length;
  const texts = [...card.effects, ...card.details.map(({ text }) => text), ...card.diffs.flatMap(({ lines }) => lines.map(({ text }) => text))];
  // A line of a diff has its numbers and names besides.
  return texts.reduce((sum, text) => sum + text.length + 60, detail.length);
}

function shortened(detail: string): string {
  return detail.length <= keptDetail ? detail : `${detail.slice(0, keptDetail).toWellFormed()}\n[${detail.length - keptDetail} more characters are not shown]`;
}
