// Characters that show nothing or move others: controls but the tab, bidirectional marks, zero-width and filler characters,
// blanks that pass for a space, tag characters and the supplementary variation selectors.
const deceptive = new RegExp('[' + [
  '\\u0000-\\u0008', '\\u000A-\\u001F', '\\u007F-\\u00A0', '\\u00AD', '\\u034F', '\\u061C', '\\u115F', '\\u1160', '\\u17B4', '\\u17B5', '\\u180B-\\u180F',
  '\\u2000-\\u200F', '\\u2028-\\u202F', '\\u205F-\\u206F', '\\u2800', '\\u3164', '\\uFEFF', '\\uFFA0', '\\uFFF0-\\uFFFB',
  '\\u{1D173}-\\u{1D17A}', '\\u{E0000}-\\u{E0FFF}', '\\p{Cs}',
].join('') + ']', 'gu');

/** The text with each character that deceives the eye written out: `‹U+202E›`. Tabs stay. */
export function makeVisible(text: string): string {
  return text.replace(deceptive, (character) => `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`);
}
