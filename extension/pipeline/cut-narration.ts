import type { CallKey } from '../boundary/call.ts';
import { resultPath } from '../boundary/result-path.ts';
import type { TextContent } from '../boundary/result.ts';
import { asLines, type KeptResults } from '../files/kept-results.ts';
import { messageOf } from './error-result.ts';

/** In UTF-16 units, over all of one result's content. */
export const maxNarration = 30_000;
/** What is left for the words at the cut. */
const maxNote = 500;
/** A cut moves by so much to come to the end of a line. */
const near = 1000;

/**
 * Content that is no longer than a result may be. Of a longer one the beginning and the end are told, one third of it the end; the whole is
 * kept, and the cut says how it is read.
 */
export function cutNarration(content: readonly TextContent[], call: CallKey, kept: KeptResults): readonly TextContent[] {
  if (content.reduce((sum, { text }) => sum + text.length, 0) <= maxNarration) return content;
  const text = content.map((part) => part.text).join('\n');
  const room = maxNarration - maxNote;
  const end = headEnd(text, Math.ceil((room * 2) / 3));
  const start = tailStart(text, text.length - Math.floor(room / 3));
  const note = `\n[cut here: ${(start - end).toLocaleString('en')} of ${text.length.toLocaleString('en')} characters were left out${whereToRead(text, end, start, call, kept)}]\n`;
  return [{ type: 'text', text: text.slice(0, end) + note + text.slice(start) }];
}

function whereToRead(text: string, end: number, start: number, call: CallKey, kept: KeptResults): string {
  try {
    kept.keep(call, text);
  } catch (error) {
    return `; they could not be kept (${messageOf(error).slice(0, 200)}). Ask for a smaller part`;
  }
  return `. The whole is kept: to read them, call read_file with the path "${resultPath(call)}", startLine ${lineAt(text, end)} and endLine ${lineAt(text, start - 1)}, in parts if they are many`;
}

/** The line, from 1, that a character stands on when the result is read again. */
function lineAt(text: string, at: number): number {
  return asLines(text.slice(0, at + 1)).split(/\r\n|\n|\r/).length - (/[\r\n]/.test(text.charAt(at)) ? 1 : 0);
}

function headEnd(text: string, most: number): number {
  const line = text.lastIndexOf('\n', most - 1) + 1;
  if (line > most - near) return line;
  return isLow(text, most) ? most - 1 : most;
}

function tailStart(text: string, least: number): number {
  const line = text.indexOf('\n', least - 1) + 1;
  if (line > 0 && line < least + near) return line;
  return isLow(text, least) ? least + 1 : least;
}

/** Whether a cut here would halve a character. */
function isLow(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
}
