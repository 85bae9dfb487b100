/** Longer lines and texts are shown cut: laying them out would stop the page. */
export const maxLine = 10_000;
export const maxText = 400_000;

/** The text as it may be shown; where something was cut, a note stands in its place. */
export function capped(text: string): string {
  if (text.length <= maxLine) return text;
  const lines = longLinesCut(text);
  if (lines.length <= maxText) return lines;
  return `${lines.slice(0, maxText)}\n\n… ${(lines.length - maxText).toLocaleString('en')} more characters not shown`;
}

function longLinesCut(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end - start > maxLine) {
      parts.push(text.slice(copied, start + maxLine), ` … ${(end - start - maxLine).toLocaleString('en')} more characters not shown`);
      copied = end;
    }
    start = end + 1;
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}
