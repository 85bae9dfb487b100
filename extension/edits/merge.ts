import { compareLines, type LineChange } from './line-changes.ts';

/** A place that both sides changed, each in its own way. */
export interface MergeConflict {
  /** Of `ours`: 1-based; both ends are in it. Where it holds no line there, `last` is before `first`. */
  readonly first: number;
  readonly last: number;
  readonly ours: string;
  readonly theirs: string;
}

export type Merged =
  | { readonly clean: true; readonly text: string }
  | { readonly clean: false; readonly conflicts: readonly MergeConflict[] };

/**
 * Both changes of a text, by whole lines with their ends. Changes that touch are in conflict unless they are the same. What the two
 * comparisons cost is bounded: texts that differ too much are in conflict as a whole.
 */
export function mergeText(base: string, ours: string, theirs: string): Merged {
  const [baseLines, ourLines, theirLines] = [splitLines(base), splitLines(ours), splitLines(theirs)];
  const parts: string[] = [];
  const conflicts: MergeConflict[] = [];
  let [baseAt, ourAt] = [0, 0];
  for (const { start, end, our, their } of regionsOf(compareLines(baseLines, ourLines).changes, compareLines(baseLines, theirLines).changes)) {
    parts.push(...baseLines.slice(baseAt, start));
    ourAt += start - baseAt;
    baseAt = end;
    const ourText = sideOf(our, start, end, baseLines, ourLines);
    const theirText = sideOf(their, start, end, baseLines, theirLines);
    parts.push(...(their.length === 0 ? ourText : theirText));
    if (our.length > 0 && their.length > 0 && ourText.join('') !== theirText.join('')) {
      conflicts.push({ first: ourAt + 1, last: ourAt + ourText.length, ours: ourText.join(''), theirs: theirText.join('') });
    }
    ourAt += ourText.length;
  }
  parts.push(...baseLines.slice(baseAt));
  return conflicts.length > 0 ? { clean: false, conflicts } : { clean: true, text: parts.join('') };
}

/** Where a line of one text stands in another, or what stands in its place; 1-based. */
export function lineIn(other: string, text: string, line: number): number {
  const passed = compareLines(splitLines(text), splitLines(other)).changes.findLast(({ oldStart }) => oldStart < line);
  if (passed === undefined) return line;
  return line <= passed.oldEnd ? passed.newStart + 1 : line + passed.newEnd - passed.oldEnd;
}

/** Each line with its line end, of whatever kind. */
function splitLines(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

/** A run of base lines, end exclusive, that one side changed, or both where their changes touch. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly our: readonly LineChange[];
  readonly their: readonly LineChange[];
}

function regionsOf(ours: readonly LineChange[], theirs: readonly LineChange[]): readonly Region[] {
  const regions: Region[] = [];
  const tagged = [...ours.map((change) => ({ change, our: [change], their: [] })), ...theirs.map((change) => ({ change, our: [], their: [change] }))];
  for (const { change, our, their } of tagged.toSorted((a, b) => a.change.oldStart - b.change.oldStart || a.change.oldEnd - b.change.oldEnd)) {
    const last = regions.at(-1);
    if (last === undefined || change.oldStart > last.end) {
      regions.push({ start: change.oldStart, end: change.oldEnd, our, their });
    } else {
      regions[regions.length - 1] = { start: last.start, end: Math.max(last.end, change.oldEnd), our: [...last.our, ...our], their: [...last.their, ...their] };
    }
  }
  return regions;
}

/** A region as one side has it. */
function sideOf(changes: readonly LineChange[], start: number, end: number, base: readonly string[], side: readonly string[]): readonly string[] {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return base.slice(start, end);
  return side.slice(first.newStart - (first.oldStart - start), last.newEnd + (end - last.oldEnd));
}
