import type { FileDiff, FileDiffLine } from '../boundary/ask.ts';
import { compareLines, type LineChange } from './line-changes.ts';
import { noteInvisible, type Sides } from './diff-notes.ts';
import { decodeText, surveyLines } from './text.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { makeVisible } from './visible.ts';

export interface DiffRequest {
  readonly path: string;
  readonly display: string;
  /** null where the file does not exist yet. */
  readonly base: Uint8Array | null;
  /** null where the file would be deleted. */
  readonly result: Uint8Array | null;
}

const contextLines = 3;
const maxLines = 400;
const maxCharacters = 500;

/**
 * The change as a person reads it. Line numbers are 1-based, 0 where that side has no such line; a gap's `text` says how many
 * unchanged lines it stands for. Where bytes differ there is always a changed line or a note that says how.
 */
export function diffFile({ path, display, base, result }: DiffRequest): FileDiff {
  const sides = readSides(base, result, display);
  const oldLines = splitLines(sides.old.text);
  const newLines = splitLines(sides.new.text);
  const { changes, coarse } = compareLines(oldLines, newLines);
  const rows = new Rows(oldLines, newLines, endMarker(sides));
  rows.fill(changes);
  const counts = changes.reduce((sum, change) => ({
    added: sum.added + change.newEnd - change.newStart, removed: sum.removed + change.oldEnd - change.oldStart,
  }), { added: 0, removed: 0 });
  const notes = result === null ? ['The file will be deleted', ...(sides.old.isText ? [] : ['Not UTF-8 text: shown as far as it can be read'])] : noteInvisible(sides, changes, oldLines, newLines);
  if (coarse) notes.push('The texts differ too much to compare line by line: the part that differs is shown as a whole');
  if (rows.madeVisible) notes.push('Characters that cannot be seen are written out, as ‹U+200B›');
  return { path, display, change: result === null ? 'delete' : base === null ? 'create' : 'edit', ...counts, lines: rows.lines, truncated: rows.truncated, notes };
}

function readSides(base: Uint8Array | null, result: Uint8Array | null, display: string): Sides {
  const side = (bytes: Uint8Array): Sides['old'] => {
    const decoded = decodeText(bytes, display);
    const isText = !(decoded instanceof CodedError);
    const { text, bom } = isText ? decoded : { text: Buffer.from(bytes).toString('utf8'), bom: false };
    return { text, bom, isText, survey: surveyLines(text) };
  };
  const before = side(base ?? new Uint8Array());
  const after = side(result ?? new Uint8Array());
  const withMark = (one: Sides['old']): Sides['old'] => (one.bom ? { ...one, text: `\uFEFF${one.text}` } : one);
  // A mark that both have is no difference; one that only one of them has is shown in its first line.
  return {
    created: base === null, same: base !== null && result !== null && Buffer.compare(base, result) === 0,
    ...(before.bom === after.bom ? { old: before, new: after } : { old: withMark(before), new: withMark(after) }),
  };
}

/** Each line with its line end; a lone carriage return is part of its line, and made visible. */
function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** What to write at the end of a changed line, where the line ends themselves change. */
function endMarker({ old, new: after, created }: Sides): (line: string) => string {
  const [before, now] = [old.survey.ends, after.survey.ends];
  const shows = !created && before !== 'none' && now !== 'none' && (before !== now || now === 'mixed');
  const finalDiffers = !created && old.survey.finalNewline !== after.survey.finalNewline;
  return (line) => {
    if (!line.endsWith('\n')) return finalDiffers ? '‹no newline at the end›' : '';
    if (!shows) return '';
    return line.endsWith('\r\n') ? '‹CR LF›' : '‹LF›';
  };
}

class Rows {
  readonly lines: FileDiffLine[] = [];
  /** True where lines, or parts of changed lines, were left out. */
  truncated = false;
  madeVisible = false;
  #full = false;
  readonly #old: readonly string[];
  readonly #new: readonly string[];
  readonly #marker: (line: string) => string;

  constructor(oldLines: readonly string[], newLines: readonly string[], marker: (line: string) => string) {
    this.#old = oldLines;
    this.#new = newLines;
    this.#marker = marker;
  }

  fill(changes: readonly LineChange[]): void {
    let oldAt = 0;
    let newAt = 0;
    changes.forEach((change, n) => {
      if (this.#full) return;
      this.#equal(oldAt, newAt, change.oldStart - oldAt, n === 0 ? 0 : contextLines, contextLines);
      this.#change(change);
      oldAt = change.oldEnd;
      newAt = change.newEnd;
    });
    if (changes.length > 0 && !this.#full) this.#equal(oldAt, newAt, this.#old.length - oldAt, contextLines, 0);
  }

  /** `count` equal lines, of which the first `head` and the last `tail` are shown. */
  #equal(oldAt: number, newAt: number, count: number, head: number, tail: number): void {
    const hidden = count - head - tail;
    // One line takes no more room than the gap that would stand for it.
    const gap = hidden > 1 ? hidden : 0;
    for (let n = 0; n < count; n += 1) {
      if (gap > 0 && n === head) {
        this.#push({ kind: 'gap', oldLine: oldAt + n + 1, newLine: newAt + n + 1, text: `${gap} unchanged lines` });
        n += gap;
        if (n >= count) return;
      }
      this.#push({ kind: 'context', oldLine: oldAt + n + 1, newLine: newAt + n + 1, text: this.#show(this.#old[oldAt + n] ?? '', 0, '') });
    }
  }

  #change({ oldStart, oldEnd, newStart, newEnd }: LineChange): void {
    for (let at = oldStart; at < oldEnd && !this.#full; at += 1) {
      const line = this.#old[at] ?? '';
      this.truncated ||= withoutEnd(line).length > maxCharacters;
      const partner = newStart + at - oldStart < newEnd ? this.#new[newStart + at - oldStart] : undefined;
      this.#push({ kind: 'removed', oldLine: at + 1, newLine: 0, text: this.#show(line, windowStart(line, partner), this.#marker(line) + trailing(line, partner)) });
    }
    for (let at = newStart; at < newEnd && !this.#full; at += 1) {
      const line = this.#new[at] ?? '';
      this.truncated ||= withoutEnd(line).length > maxCharacters;
      const partner = oldStart + at - newStart < oldEnd ? this.#old[oldStart + at - newStart] : undefined;
      this.#push({ kind: 'added', oldLine: 0, newLine: at + 1, text: this.#show(line, windowStart(line, partner), this.#marker(line) + trailing(line, partner)) });
    }
  }

  #push(line: FileDiffLine): void {
    this.#full ||= this.lines.length >= maxLines;
    this.truncated ||= this.#full;
    if (!this.#full) this.lines.push(line);
  }

  #show(line: string, from: number, marker: string): string {
    const content = withoutEnd(line);
    const part = content.slice(from, from + maxCharacters);
    const after = content.length - from - part.length;
    const visible = makeVisible(part);
    this.madeVisible ||= visible !== part;
    return `${from > 0 ? `‹${from} more characters›` : ''}${visible}${after > 0 ? `‹${after} more characters›` : ''}${marker}`;
  }
}

function withoutEnd(line: string): string {
  return line.endsWith('\r\n') ? line.slice(0, -2) : line.endsWith('\n') ? line.slice(0, -1) : line;
}

/** A long line is cut around the first place where it differs from its partner, so that the difference is always seen. */
function windowStart(line: string, partner: string | undefined): number {
  if (partner === undefined || line.length <= maxCharacters) return 0;
  const shorter = Math.min(line.length, partner.length);
  let same = 0;
  while (same < shorter && line[same] === partner[same]) same += 1;
  return same < maxCharacters - 100 ? 0 : same - 100;
}

/** Names the blanks at the end of a line, where they are all that differs from its partner. */
function trailing(line: string, partner: string | undefined): string {
  const content = withoutEnd(line);
  const bare = content.trimEnd();
  if (partner === undefined || content === withoutEnd(partner) || bare !== withoutEnd(partner).trimEnd()) return '';
  return content.length === bare.length ? '' : `‹${content.length - bare.length} trailing ${content.length - bare.length === 1 ? 'blank' : 'blanks'}›`;
}
