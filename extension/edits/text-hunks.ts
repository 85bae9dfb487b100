import { compareLines } from './line-changes.ts';

/** Offsets in the old text, the end exclusive, and what takes that place. */
export interface TextHunk {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * What makes the new text of the old one, each piece as small as it can be, in order and apart from each other. No piece begins or
 * ends within a character, or between the two of a `\r\n`.
 */
export function smallestHunks(before: string, after: string): readonly TextHunk[] {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  const hunks: TextHunk[] = [];
  let oldLine = 0;
  let start = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of compareLines(oldLines, newLines).changes) {
    for (; oldLine < oldStart; oldLine += 1) start += oldLines[oldLine]?.length ?? 0;
    const gone = oldLines.slice(oldStart, oldEnd).join('');
    hunks.push(trimmed(start, gone, newLines.slice(newStart, newEnd).join('')));
    start += gone.length;
    oldLine = oldEnd;
  }
  return hunks;
}

/** Each line with its line end. */
function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function trimmed(start: number, before: string, after: string): TextHunk {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  while (head > 0 && (isWithinOne(before, head) || isWithinOne(after, head))) head -= 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  while (tail > 0 && (isWithinOne(before, before.length - tail) || isWithinOne(after, after.length - tail))) tail -= 1;
  return { start: start + head, end: start + before.length - tail, text: after.slice(head, after.length - tail) };
}

/** Whether the offset lies between two units that belong together. */
function isWithinOne(text: string, at: number): boolean {
  const pair = text.slice(at - 1, at + 1);
  return pair === '\r\n' || /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair);
}
