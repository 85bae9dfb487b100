import { diffArrays } from 'diff';

/** One run of lines that differ: 0-based, ends exclusive. What lies between two runs is equal. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export interface LineChanges {
  readonly changes: readonly LineChange[];
  /** True where the texts differ too much to compare: their middle is then one change. */
  readonly coarse: boolean;
}

/** The comparison costs the square of this; it is a count, not a time, so that the same bytes always give the same diff. */
const maxEditLength = 2000;

/** Where two lists of lines differ. Lines are compared whole, line ends included. */
export function compareLines(oldLines: readonly string[], newLines: readonly string[]): LineChanges {
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head] === newLines[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && oldLines[oldLines.length - 1 - tail] === newLines[newLines.length - 1 - tail]) tail += 1;
  const oldMiddle = oldLines.slice(head, oldLines.length - tail);
  const newMiddle = newLines.slice(head, newLines.length - tail);
  if (oldMiddle.length === 0 && newMiddle.length === 0) return { changes: [], coarse: false };
  const whole = { oldStart: head, oldEnd: head + oldMiddle.length, newStart: head, newEnd: head + newMiddle.length };
  if (oldMiddle.length === 0 || newMiddle.length === 0) return { changes: [whole], coarse: false };
  const numbers = new Map<string, number>();
  const parts = diffArrays(numbered(oldMiddle, numbers), numbered(newMiddle, numbers), { maxEditLength });
  if (parts === undefined) return { changes: [whole], coarse: true };
  const changes: LineChange[] = [];
  let [oldAt, newAt] = [head, head];
  let open: { readonly oldStart: number; readonly newStart: number } | null = null;
  for (const { value, added, removed } of parts) {
    if (!added && !removed && open !== null) {
      changes.push({ ...open, oldEnd: oldAt, newEnd: newAt });
      open = null;
    }
    if (added || removed) open ??= { oldStart: oldAt, newStart: newAt };
    if (!added) oldAt += value.length;
    if (!removed) newAt += value.length;
  }
  if (open !== null) changes.push({ ...open, oldEnd: oldAt, newEnd: newAt });
  return { changes, coarse: false };
}

/** Equal lines get equal numbers: cheaper to compare again and again. */
function numbered(lines: readonly string[], numbers: Map<string, number>): number[] {
  return lines.map((line) => {
    const known = numbers.get(line);
    if (known !== undefined) return known;
    numbers.set(line, numbers.size);
    return numbers.size - 1;
  });
}
