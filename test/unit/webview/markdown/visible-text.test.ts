import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasHidden, visibleText } from '../../../../webview/markdown/visible-text.ts';

const cases: readonly (readonly [what: string, input: string, shown: string])[] = [
  ['a right-to-left override', 'user\u202Egnp.exe', 'user‹U+202E›gnp.exe'],
  ['an isolate', 'a\u2066b\u2069', 'a‹U+2066›b‹U+2069›'],
  ['a zero-width space', 'pass\u200Bword', 'pass‹U+200B›word'],
  ['a joiner between letters', 'a\u200Db', 'a‹U+200D›b'],
  ['a byte order mark in the middle', 'a\uFEFFb', 'a‹U+FEFF›b'],
  ['a soft hyphen', 'a\u00ADb', 'a‹U+00AD›b'],
  ['a terminal escape', '\u001B[31mred', '‹U+001B›[31mred'],
  ['a backspace', 'safe\b\b\b\bevil', 'safe‹U+0008›‹U+0008›‹U+0008›‹U+0008›evil'],
  ['a tag character', 'a\u{E0061}b', 'a‹U+E0061›b'],
  ['a supplementary variation selector', 'a\u{E0100}', 'a‹U+E0100›'],
  ['a Hangul filler', 'a\u3164b', 'a‹U+3164›b'],
  ['a line separator', 'a\u2028b', 'a‹U+2028›b'],
];

for (const [what, input, shown] of cases) {
  test(`${what} is shown as its code point`, () => {
    assert.equal(visibleText(input), shown);
    assert.equal(hasHidden(input), true);
  });
}

test('letters of every script, tabs, line ends and emoji stay as they are', () => {
  const text = 'déjà vu\t日本語 العربية עברית हिन्दी\r\n👩‍👩‍👧 👩🏽‍💻 🏳️‍🌈 ❤️ e\u0301';
  assert.equal(visibleText(text), text);
  assert.equal(hasHidden(text), false);
});

test('making visible twice changes nothing more', () => {
  const once = visibleText('a\u202Eb');
  assert.equal(visibleText(once), once);
});
