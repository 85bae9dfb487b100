import type { LineIndex } from './line-index.ts';

/** A text with every line end as `\n`, and the way back to the offsets of the original. */
export interface FlatText {
  readonly text: string;
  /** The offset in the original; at a line end, that of its first character. */
  original(flatOffset: number): number;
}

export function flattenLineEnds(text: string): FlatText {
  // Flat offsets of the line ends that were two characters: each moves what follows by one.
  const pairs: number[] = [];
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) pairs.push(at - pairs.length);
  return {
    text: toNewlines(text),
    original(flatOffset) {
      let low = 0;
      let high = pairs.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((pairs[middle] ?? 0) < flatOffset) low = middle + 1;
        else high = middle;
      }
      return flatOffset + low;
    },
  };
}

export function toNewlines(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text;
}

export function hasLineEnd(text: string): boolean {
  return text.includes('\n') || text.includes('\r');
}

/**
 * `newText` with the line ends of the region that it replaces. Lines that both share at the start and at the end keep
 * exactly theirs, so that a region of mixed line ends changes only where it was meant to.
 */
export function withEndsOfRegion(newText: string, oldText: string, region: string): string {
  const ends = region.match(/\r\n|\r|\n/g) ?? [];
  const oldLines = toNewlines(oldText).split('\n');
  const newLines = toNewlines(newText).split('\n');
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head] === newLines[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && oldLines[oldLines.length - 1 - tail] === newLines[newLines.length - 1 - tail]) tail += 1;
  const last = newLines.length - 1;
  return newLines.map((line, index) => {
    if (index === last) return line;
    const toLast = last - index;
    const place = index >= head && toLast < tail ? ends.length - toLast : Math.min(index, ends.length - 1);
    return line + (ends[place] ?? '\n');
  }).join('');
}

/** `newText` for a region within one line: its bare `\n` become the line end that the file uses at that place. */
export function withEndsOfPlace(newText: string, lines: LineIndex, offset: number): string {
  if (!newText.includes('\n') || newText.includes('\r')) return newText;
  const line = lines.lineAt(offset);
  const end = lines.endOf(line) || (line > 1 ? lines.endOf(line - 1) : '\n');
  return end === '\n' ? newText : newText.replaceAll('\n', end);
}
