import { CodedError } from '../boundary/error-codes.ts';
import { flattenLineEnds, hasLineEnd, toNewlines, withEndsOfPlace, withEndsOfRegion } from './line-ends.ts';
import { indexLines, type LineIndex } from './line-index.ts';
import { describeNearest } from './nearest.ts';
import { findOccurrences, type Occurrences } from './occurrences.ts';

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

interface Place {
  readonly edit: number;
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

/** How many places of an ambiguous text are counted. */
const countedPlaces = 1000;
const namedLines = 10;
/** How many places all edits with `replaceAll` may change, shared among them: more is no edit of a source file. */
const mostReplaced = 200_000;

/**
 * The text with all edits made, or why none is. Every `oldText` is matched, character for character, against the original
 * text, never against the result of another edit; without `replaceAll` it must stand there exactly once. One leniency: an
 * `oldText` that spans lines and is not found as it is may match with the file's own line ends, which the new text then gets.
 */
export function applyReplacements(text: string, edits: readonly Replacement[]): string | CodedError {
  const invalid = firstInvalid(edits);
  if (invalid !== null) return invalid;
  const lines = indexLines(text);
  const places: Place[] = [];
  const failures: { readonly edit: number; readonly describe: () => CodedError }[] = [];
  matchAll(text, edits).forEach(({ regions, more }, edit) => {
    const replacement = edits[edit];
    if (replacement === undefined) return;
    if (regions.length === 0) failures.push({ edit, describe: () => notFound(text, edit, replacement) });
    else if (regions.length > 1 && replacement.replaceAll !== true) failures.push({ edit, describe: () => ambiguous(lines, edit, regions, more) });
    else if (more) failures.push({ edit, describe: () => tooMany(edit, replacedEach(edits)) });
    else for (const region of disjoint(regions)) places.push(placeOf(text, lines, edit, replacement, region));
  });
  const [first, ...others] = failures;
  if (first !== undefined) return andOthers(first.describe(), others.map(({ edit }) => edit));
  places.sort((a, b) => a.start - b.start || a.edit - b.edit);
  return overlapping(lines, places) ?? unchanged(text, places) ?? splice(text, places);
}

interface Region {
  readonly start: number;
  readonly end: number;
}

function matchAll(text: string, edits: readonly Replacement[]): readonly { readonly regions: readonly Region[]; readonly more: boolean }[] {
  const exact = locate(text, edits, edits.map(({ oldText }) => oldText));
  const results = exact.map((found, edit) => ({ regions: found.starts.map((start) => ({ start, end: start + (edits[edit]?.oldText.length ?? 0) })), more: found.more }));
  const missed = edits.flatMap(({ oldText }, edit) => (exact[edit]?.starts.length === 0 && hasLineEnd(oldText) ? [edit] : []));
  if (missed.length === 0) return results;
  const flat = flattenLineEnds(text);
  const missedEdits = missed.flatMap((edit) => edits[edit] ?? []);
  const patterns = missedEdits.map(({ oldText }) => toNewlines(oldText));
  locate(flat.text, missedEdits, patterns).forEach(({ starts, more }, n) => {
    const length = patterns[n]?.length ?? 0;
    const edit = missed[n];
    if (edit !== undefined) results[edit] = { regions: starts.map((start) => ({ start: flat.original(start), end: flat.original(start + length) })), more };
  });
  return results;
}

function locate(text: string, edits: readonly Replacement[], patterns: readonly string[]): readonly Occurrences[] {
  const few = patterns.filter((_, edit) => edits[edit]?.replaceAll !== true);
  const every = patterns.filter((_, edit) => edits[edit]?.replaceAll === true);
  const fewFound = findOccurrences(text, few, countedPlaces)[Symbol.iterator]();
  const everyFound = findOccurrences(text, every, replacedEach(edits))[Symbol.iterator]();
  return edits.map(({ replaceAll }) => {
    const next = (replaceAll === true ? everyFound : fewFound).next();
    return next.done === true ? { starts: [], more: false } : next.value;
  });
}

function replacedEach(edits: readonly Replacement[]): number {
  return Math.floor(mostReplaced / Math.max(1, edits.filter(({ replaceAll }) => replaceAll === true).length));
}

/** Left to right; of two that overlap the first counts, as in every editor's "replace all". */
function disjoint(regions: readonly Region[]): readonly Region[] {
  const kept: Region[] = [];
  let free = 0;
  for (const region of regions) {
    if (region.start < free) continue;
    kept.push(region);
    free = region.end;
  }
  return kept;
}

function placeOf(text: string, lines: LineIndex, edit: number, { oldText, newText }: Replacement, { start, end }: Region): Place {
  if (!hasLineEnd(oldText)) return { edit, start, end, insert: withEndsOfPlace(newText, lines, start) };
  const region = text.slice(start, end);
  return { edit, start, end, insert: region === oldText ? newText : withEndsOfRegion(newText, oldText, region) };
}

function splice(text: string, places: readonly Place[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, insert } of places) {
    parts.push(text.slice(from, start), insert);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

const nothing = 'Nothing was changed.';

function firstInvalid(edits: readonly Replacement[]): CodedError | null {
  if (edits.length === 0) return new CodedError('EDIT_INVALID', `The list of edits is empty. ${nothing}`);
  const empty = edits.findIndex(({ oldText }) => oldText === '');
  if (empty >= 0) {
    return new CodedError('EDIT_INVALID', `Edit ${empty + 1}: oldText is empty. ${nothing} To insert, give the text beside the place as oldText and repeat it in newText.`);
  }
  const same = edits.findIndex(({ oldText, newText }) => oldText === newText);
  return same >= 0 ? new CodedError('EDIT_INVALID', `Edit ${same + 1}: oldText and newText are the same. ${nothing} Leave it out.`) : null;
}

function unchanged(text: string, places: readonly Place[]): CodedError | null {
  const same = places.find(({ start, end, insert }) => insert.length === end - start && text.startsWith(insert, start));
  if (same === undefined) return null;
  return new CodedError('EDIT_INVALID', `Edit ${same.edit + 1} changes nothing: oldText and newText differ only in line ends, which stay as the file has them. ${nothing} Leave it out.`);
}

function overlapping(lines: LineIndex, places: readonly Place[]): CodedError | null {
  for (let n = 1; n < places.length; n += 1) {
    const before = places[n - 1];
    const place = places[n];
    if (before === undefined || place === undefined || place.start >= before.end) continue;
    const [a, b] = [before.edit + 1, place.edit + 1].sort((x, y) => x - y);
    return new CodedError('EDIT_INVALID', `Edits ${a} and ${b} overlap at line ${lines.lineAt(place.start)}. ${nothing} Make them one edit, or let each cover only its own lines.`,
      { quiet: `Edits ${a} and ${b} overlap. ${nothing}` });
  }
  return null;
}

function ambiguous(lines: LineIndex, edit: number, regions: readonly Region[], more: boolean): CodedError {
  const count = `${more ? 'more than ' : ''}${regions.length} places`;
  const named = regions.slice(0, namedLines).map(({ start }) => lines.lineAt(start));
  const list = `${[...new Set(named)].join(', ')}${regions.length > namedLines ? ', …' : ''}`;
  const advice = 'Include more of the lines around the one that you mean, or set replaceAll to change every one.';
  return new CodedError('EDIT_AMBIGUOUS', `Edit ${edit + 1}: oldText stands in ${count} (lines ${list}). ${nothing} ${advice}`,
    { quiet: `Edit ${edit + 1}: oldText stands in more than one place. ${nothing} ${advice}` });
}

function tooMany(edit: number, most: number): CodedError {
  return new CodedError('EDIT_INVALID', `Edit ${edit + 1}: oldText stands in more than ${most} places. ${nothing} Give a longer oldText.`);
}

function notFound(text: string, edit: number, replacement: Replacement): CodedError {
  const head = `Edit ${edit + 1}: oldText does not stand in the file.`;
  const nearest = describeNearest(text, replacement.oldText, replacement.newText);
  return new CodedError('EDIT_NOT_FOUND', `${head} ${nothing} ${nearest ?? 'Nothing like it was found.'} Read the file again and copy the text exactly.`,
    { quiet: `${head} ${nothing} Read the file again and copy the text exactly.` });
}

function andOthers(error: CodedError, others: readonly number[]): CodedError {
  if (others.length === 0) return error;
  const tail = ` ${others.length === 1 ? 'Edit' : 'Edits'} ${others.slice(0, namedLines).map((edit) => edit + 1).join(', ')}${others.length > namedLines ? ', …' : ''} cannot be made either.`;
  return new CodedError(error.code, error.message + tail, { quiet: (error.quiet ?? error.message) + tail });
}
