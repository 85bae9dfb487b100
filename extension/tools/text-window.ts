import type { TextPart } from '../boundary/tool-definition.ts';

/** Lines of a text as the model reads them: numbered, cut to a window and to a size. */
export interface TextWindow {
  readonly text: string;
  /** 1-based, inclusive; 0 and 0 for an empty file. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** null where the end of the file was not reached. */
  readonly totalLines: number | null;
  /** True where the size cap ended it before the window did. */
  readonly cut: boolean;
}

/** In UTF-16 units: with what is said beside it, less than one result may have. */
export const maxWindow = 28_000;
const maxLine = 2_000;

/** Never half of a character. */
function startOf(line: string): string {
  return line.slice(0, /[\ud800-\udbff]/.test(line.charAt(maxLine - 1)) ? maxLine - 1 : maxLine);
}

/** `startLine` and `endLine` are 1-based and inclusive; the end may lie beyond the text. A line break is `\n`, `\r\n` or `\r`. */
export function windowOf(text: string, startLine: number, endLine: number): TextWindow & { readonly totalLines: number } {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  const totalLines = lines.length;
  const last = Math.min(endLine, totalLines);
  return { ...numbered(lines.slice(startLine - 1, last), startLine, last), totalLines };
}

/** The same of lines that begin with `startLine`, of a file that was not read whole. */
export function windowOfPart({ lines, totalLines }: TextPart, startLine: number, endLine: number): TextWindow {
  return { ...numbered(lines, startLine, Math.min(endLine, totalLines ?? endLine)), totalLines };
}

/** `last` is the line that was asked for: the lines may end before it. */
function numbered(lines: readonly string[], startLine: number, last: number): Omit<TextWindow, 'totalLines'> {
  const width = String(startLine + lines.length - 1).length;
  const rows: string[] = [];
  let size = 0;
  for (const line of lines) {
    const shown = line.length > maxLine ? `${startOf(line)} [cut: the line has ${line.length} characters]` : line;
    const row = `${String(startLine + rows.length).padStart(width)}\t${shown}`;
    if (size + row.length > maxWindow) break;
    size += row.length + 1;
    rows.push(row);
  }
  const lastLine = startLine + rows.length - 1;
  return { text: rows.join('\n'), firstLine: rows.length === 0 ? 0 : startLine, lastLine: rows.length === 0 ? 0 : lastLine, cut: lastLine < last };
}
