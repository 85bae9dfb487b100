import type { LineChange } from './line-changes.ts';
import type { LineEnds, LineSurvey } from './text.ts';

/** One side of a diff, and what of it the eye cannot see. */
export interface DiffSide {
  readonly text: string;
  readonly bom: boolean;
  /** False where the bytes are not UTF-8 text and `text` is the best that can be shown. */
  readonly isText: boolean;
  readonly survey: LineSurvey;
}

export interface Sides {
  readonly created: boolean;
  /** True where the bytes are the same. */
  readonly same: boolean;
  readonly old: DiffSide;
  readonly new: DiffSide;
}

const names: Readonly<Record<LineEnds, string>> = { lf: 'LF', crlf: 'CRLF', cr: 'CR', mixed: 'mixed', none: 'none' };

/** What of the change the eye cannot see, in words. Line by line, lines are compared with the one in the same place of their run. */
export function noteInvisible(sides: Sides, changes: readonly LineChange[], oldLines: readonly string[], newLines: readonly string[]): string[] {
  const notes: string[] = [];
  if (sides.same) notes.push('Nothing changes: the bytes are the same');
  if (sides.new.text === '' && !sides.new.bom) notes.push('The file will be empty');
  if (!sides.old.isText || !sides.new.isText) notes.push('Not UTF-8 text: shown as far as it can be read');
  notes.push(...lineEndNotes(sides), ...markNotes(sides), ...finalNewlineNotes(sides), ...pairNotes(changes, oldLines, newLines));
  if (!sides.same && !sides.created && changes.length === 0) notes.push('Bytes differ that cannot be shown as text');
  return notes;
}

function lineEndNotes({ created, old, new: after }: Sides): string[] {
  const { survey } = after;
  if (!created && old.survey.ends !== survey.ends && old.survey.ends !== 'none' && survey.ends !== 'none') {
    return [`Line ends change from ${names[old.survey.ends]} to ${names[survey.ends]}`];
  }
  switch (survey.ends) {
    case 'mixed': {
      const counts = [survey.lf > 0 ? `${survey.lf} LF` : '', survey.crlf > 0 ? `${survey.crlf} CRLF` : '', survey.cr > 0 ? `${survey.cr} CR` : ''];
      return [`Line ends: mixed (${counts.filter(Boolean).join(', ')})`];
    }
    case 'crlf':
    case 'cr': return [`Line ends: ${names[survey.ends]}`];
    case 'lf':
    case 'none': return [];
  }
}

function markNotes({ created, old, new: after }: Sides): string[] {
  if (created) return after.bom ? ['Starts with a byte order mark'] : [];
  if (old.bom === after.bom) return after.bom ? ['Byte order mark kept'] : [];
  return [after.bom ? 'A byte order mark is added' : 'The byte order mark is removed'];
}

function finalNewlineNotes({ created, old, new: after }: Sides): string[] {
  if (after.text === '') return [];
  if (created || old.survey.finalNewline === after.survey.finalNewline || old.text === '') return after.survey.finalNewline ? [] : ['No newline at the end of the file'];
  return [after.survey.finalNewline ? 'A newline is added at the end of the file' : 'The newline at the end of the file is removed'];
}

function pairNotes(changes: readonly LineChange[], oldLines: readonly string[], newLines: readonly string[]): string[] {
  let [ends, blanks, forms] = [0, 0, 0];
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    const pairs = Math.min(oldEnd - oldStart, newEnd - newStart);
    for (let n = 0; n < pairs; n += 1) {
      const before = oldLines[oldStart + n] ?? '';
      const after = newLines[newStart + n] ?? '';
      if (before.replace(/\r?\n$/, '') === after.replace(/\r?\n$/, '')) ends += before.endsWith('\n') && after.endsWith('\n') ? 1 : 0;
      else if (before.trimEnd() === after.trimEnd()) blanks += 1;
      else if (before.normalize('NFC') === after.normalize('NFC')) forms += 1;
    }
  }
  const note = (count: number, what: string): string[] => (count === 0 ? [] : [`Only ${what} on ${count} ${count === 1 ? 'line' : 'lines'}`]);
  return [...note(ends, 'the line end changes'), ...note(blanks, 'trailing blanks change'), ...note(forms, 'the Unicode form changes')];
}
