/**
 * Characters that change what the eye sees without being seen: control characters but tab and line ends, bidirectional
 * controls, zero-width and filler characters, tags and supplementary variation selectors. A joiner between two
 * pictographs is part of one emoji and stays.
 */
const hidden = new RegExp(
  [
    '[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F]',
    '[\\u200B\\u200C\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uFE00-\\uFE0D\\uFEFF\\uFFA0\\uFFF0-\\uFFFB]',
    '[\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}]',
    '(?<!\\p{Extended_Pictographic}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]?)\\u200D',
    '\\u200D(?!\\p{Extended_Pictographic})',
  ].join('|'),
  'gu',
);

/** The text with each such character as its code point: `‹U+202E›`. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`);
}

export function hasHidden(text: string): boolean {
  return text.search(hidden) >= 0;
}
