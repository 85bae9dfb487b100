import { toNewlines } from './line-ends.ts';
import { makeVisible } from './visible.ts';

/** How many characters of the file are looked at: enough for any source file, and never a freeze. */
const searchedCharacters = 4_000_000;
const shownCharacters = 200;
/** Below this share of equal characters two lines are not the same line with a slip in it. */
const likeEnough = 0.5;

/** In words: the place of the file that is most like `oldText`, and the first thing that differs there. null where nothing is. */
export function describeNearest(text: string, oldText: string, newText: string): string | null {
  const lines = toNewlines(text.slice(0, searchedCharacters)).split('\n');
  const wanted = toNewlines(oldText).split('\n');
  const done = alreadyThere(text, newText, lines);
  const start = byLooseLines(lines, wanted) ?? byLikeness(lines, wanted);
  if (start === null) return done;
  const at = wanted.findIndex((line, n) => !holds(lines[start + n], line, n, wanted.length));
  const wantedLine = wanted[at];
  if (wantedLine === undefined) return done;
  const fileLine = lines[start + at];
  const number = start + at + 1;
  const sameBefore = at === 0 ? '' : ` The ${at === 1 ? 'line' : `${at} lines`} before it ${at === 1 ? 'is' : 'are'} as given.`;
  if (fileLine === undefined) return `The nearest place starts at line ${start + 1}, but the file ends before line ${number} of it.${done === null ? '' : ` ${done}`}`;
  return `The nearest place is line ${number}: ${quote(fileLine, wantedLine)}; ${difference(fileLine, wantedLine)}.${sameBefore}${done === null ? '' : ` ${done}`}`;
}

function alreadyThere(text: string, newText: string, lines: readonly string[]): string | null {
  if (newText.trim().length < 8) return null;
  const at = text.indexOf(newText);
  if (at < 0) return null;
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line += 1;
  return line > lines.length ? null : `newText already stands at line ${line}: the edit may have been made before.`;
}

/** The first line of oldText may start within a line, the last may end within one. */
function holds(fileLine: string | undefined, line: string, n: number, count: number): boolean {
  if (fileLine === undefined) return false;
  if (count === 1) return fileLine.includes(line);
  if (n === 0) return fileLine.endsWith(line);
  return n === count - 1 ? fileLine.startsWith(line) : fileLine === line;
}

/** The start that most lines agree on when blanks, quotes and Unicode forms do not count. */
function byLooseLines(lines: readonly string[], wanted: readonly string[]): number | null {
  const places = new Map<string, number[]>();
  wanted.forEach((line, n) => {
    const key = loose(line);
    if (key.length < 2) return;
    const known = places.get(key);
    if (known === undefined) places.set(key, [n]);
    else if (known.length < 4) known.push(n);
  });
  if (places.size === 0) return null;
  const votes = new Map<number, number>();
  lines.forEach((line, at) => {
    if (line.length > 10_000) return;
    for (const n of places.get(loose(line)) ?? []) if (at >= n) votes.set(at - n, (votes.get(at - n) ?? 0) + 1);
  });
  let best: number | null = null;
  for (const [start, count] of votes) {
    const most = best === null ? 0 : votes.get(best) ?? 0;
    if (count > most || (count === most && best !== null && start < best)) best = start;
  }
  return best;
}

/** The start that makes the longest line of oldText meet the line most like it. */
function byLikeness(lines: readonly string[], wanted: readonly string[]): number | null {
  let longest = 0;
  wanted.forEach((line, n) => {
    if (line.trim().length > (wanted[longest] ?? '').trim().length) longest = n;
  });
  const target = loose(wanted[longest] ?? '').slice(0, 2000);
  if (target.length < 3) return null;
  let best: number | null = null;
  let score = likeEnough;
  lines.forEach((line, at) => {
    if (at < longest || line.length > 10_000) return;
    const candidate = loose(line);
    const value = likeness(candidate, target);
    if (value > score) {
      best = at - longest;
      score = value;
    }
  });
  return best;
}

/** The share of characters that agree from both ends; a whole part of a longer line counts as alike too. */
function likeness(a: string, b: string): number {
  if (a.length >= b.length && a.includes(b)) return 0.95;
  const longer = Math.max(a.length, b.length);
  const shorter = Math.min(a.length, b.length);
  if (longer === 0 || shorter / longer < likeEnough) return 0;
  const [head, tail] = commonEnds(a, b);
  return (head + tail) / longer;
}

function commonEnds(a: string, b: string): readonly [number, number] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return [head, tail];
}

function loose(line: string): string {
  return straight(line.normalize('NFC')).replace(/\s+/g, ' ').trim();
}

function straight(line: string): string {
  return line.replace(/[\u2018\u2019\u201A\u201B]/g, "'").replace(/[\u201C\u201D\u201E\u201F]/g, '"').replace(/[\u2010-\u2015]/g, '-');
}

function difference(file: string, wanted: string): string {
  if (file.trim() === wanted.trim()) {
    const [fileIndent, wantedIndent] = [indentOf(file), indentOf(wanted)];
    if (fileIndent !== wantedIndent) return `the indentation differs: ${blanks(fileIndent)} in the file, ${blanks(wantedIndent)} in oldText`;
    return 'the blanks at the end of the line differ';
  }
  if (collapse(file) === collapse(wanted)) return 'only blanks differ';
  if (file.normalize('NFC').trim() === wanted.normalize('NFC').trim()) return 'only the Unicode form differs (composed against decomposed characters)';
  if (straight(file).trim() === straight(wanted).trim()) return 'the quotation marks or dashes differ (typographic against plain)';
  if (file.toLowerCase().trim() === wanted.toLowerCase().trim()) return 'only upper and lower case differ';
  const [a, b] = [file.trim(), wanted.trim()];
  const [head, tail] = commonEnds(a, b);
  const [inFile, inWanted] = [a.slice(wordStart(a, head), wordEnd(a, a.length - tail)), b.slice(wordStart(b, head), wordEnd(b, b.length - tail))];
  return `where the file has ${short(inFile)}, oldText has ${short(inWanted)}`;
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function blanks(indent: string): string {
  if (indent === '') return 'none';
  const tabs = indent.split('\t').length - 1;
  const others = indent.length - tabs;
  return [tabs === 0 ? '' : `${tabs} tab${tabs === 1 ? '' : 's'}`, others === 0 ? '' : `${others} space${others === 1 ? '' : 's'}`].filter(Boolean).join(' and ');
}

function collapse(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

function wordStart(line: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 40 && /\w/.test(line[start - 1] ?? '')) start -= 1;
  return start;
}

function wordEnd(line: string, at: number): number {
  let end = at;
  while (end < line.length && end - at < 40 && /\w/.test(line[end] ?? '')) end += 1;
  return end;
}

function short(text: string): string {
  return text === '' ? 'nothing' : `"${makeVisible(text.length > 80 ? `${text.slice(0, 80)}…` : text)}"`;
}

/** The part of the line around the first difference. */
function quote(line: string, wanted: string): string {
  const indent = indentOf(line).length;
  const [head] = commonEnds(line.trim(), wanted.trim());
  const from = line.length <= shownCharacters ? 0 : Math.max(0, indent + head - shownCharacters / 2);
  const part = line.slice(from, from + shownCharacters);
  return `"${from > 0 ? '…' : ''}${makeVisible(part)}${from + shownCharacters < line.length ? '…' : ''}"`;
}
