/** Finds the line of an offset; lines end at `\n`, `\r\n` or a lone `\r`. */
export interface LineIndex {
  /** Offset of each line's first character. */
  readonly starts: readonly number[];
  /** 1-based. */
  lineAt(offset: number): number;
  /** The line end of that 1-based line: '' for the last line where it has none. */
  endOf(line: number): '\n' | '\r\n' | '\r' | '';
}

export function indexLines(text: string): LineIndex {
  const starts = [0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  return {
    starts,
    lineAt(offset) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return low + 1;
    },
    endOf(line) {
      const next = starts[line];
      if (next === undefined) return '';
      if (text.charCodeAt(next - 1) === 13) return '\r';
      return text.charCodeAt(next - 2) === 13 ? '\r\n' : '\n';
    },
  };
}
