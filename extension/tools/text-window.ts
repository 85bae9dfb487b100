/** Lines of a text as the model reads them: numbered, cut to a window and to a size. */
export interface TextWindow {
  readonly text: string;
  /** 1-based, inclusive; 0 and 0 for an empty file. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly totalLines: number;
  /** True where the size cap ended it before the window did. */
  readonly cut: boolean;
}

/** In UTF-16 units. */
export const maxWindow = 80_000;
const maxLine = 2_000;

/** Never half of a character. */
function startOf(line: string): string {
  return line.slice(0, /[\ud800-\udbff]/.test(line.charAt(maxLine - 1)) ? maxLine - 1 : maxLine);
}

/** `startLine` and `endLine` are 1-based and inclusive; the end may lie beyond the text. A line break is `\n`, `\r\n` or `\r`. */
export function windowOf(text: string, startLine: number, endLine: number): TextWindow {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  const totalLines = lines.length;
  const last = Math.min(endLine, totalLines);
  const width = String(last).length;
  const rows: string[] = [];
  let size = 0;
  let number = startLine;
  for (; number <= last; number += 1) {
    const line = lines[number - 1] ?? '';
    const shown = line.length > maxLine ? `${startOf(line)} [cut: the line has ${line.length} characters]` : line;
    const row = `${String(number).padStart(width)}\t${shown}`;
    if (size + row.length > maxWindow) break;
    size += row.length + 1;
    rows.push(row);
  }
  const lastLine = number - 1;
  return { text: rows.join('\n'), firstLine: rows.length === 0 ? 0 : startLine, lastLine: rows.length === 0 ? 0 : lastLine, totalLines, cut: lastLine < last };
}
