import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { smallestHunks, type TextHunk } from '../../../extension/edits/text-hunks.ts';

const cases: readonly (readonly [string, string, string, readonly TextHunk[]])[] = [
  ['nothing', 'a\nb\n', 'a\nb\n', []], ['a word in its line', 'one\ntwo\nthree\n', 'one\ntoo\nthree\n', [{ start: 5, end: 6, text: 'o' }]],
  ['two places, apart', 'a\nb\nc\nd\ne\n', 'A\nb\nc\nd\nE\n', [{ start: 0, end: 1, text: 'A' }, { start: 8, end: 9, text: 'E' }]],
  ['a line more', 'a\nc\n', 'a\nb\nc\n', [{ start: 2, end: 2, text: 'b\n' }]], ['a line less', 'a\nb\nc\n', 'a\nc\n', [{ start: 2, end: 4, text: '' }]],
  ['a final newline', 'a', 'a\n', [{ start: 1, end: 1, text: '\n' }]], ['everything', 'a', '', [{ start: 0, end: 1, text: '' }]], ['something from nothing', '', 'a\r\n', [{ start: 0, end: 0, text: 'a\r\n' }]],
  ['a character of two units', 'a😀b', 'a😁b', [{ start: 1, end: 3, text: '😁' }]], ['a character that ends like another', 'a😀b', 'a\u{1FA00}b', [{ start: 1, end: 3, text: '\u{1FA00}' }]], ['a line end of two units, whole', 'a\r\n', 'a\r\nb\r\n', [{ start: 3, end: 3, text: 'b\r\n' }]],
];
for (const [what, before, after, hunks] of cases) {
  test(`the smallest change: ${what}`, () => {
    assert.deepEqual(smallestHunks(before, after), hunks);
  });
}

const line = fc.constantFrom('a', 'ab', 'a b', '', '😀', '\u{1FA00}', '😁x', '\ufeff', 'e\u0301');
const text = (end: string): fc.Arbitrary<string> => fc.tuple(fc.array(line, { maxLength: 12 }), line).map(([lines, last]) => [...lines.map((one) => one + end), last].join(''));

test('applied in any order by their offsets, they make exactly the new text; none splits a character or a line end', () => {
  fc.assert(fc.property(fc.constantFrom('\n', '\r\n').chain((end) => fc.tuple(text(end), text(end))), ([before, after]) => {
    const hunks = smallestHunks(before, after);
    let made = before;
    let from = before.length;
    for (const { start, end, text: piece } of hunks.toReversed()) {
      assert.ok(start <= end && end <= from, 'in order and apart');
      for (const at of [start, end]) assert.doesNotMatch(before.slice(at - 1, at + 1), /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/);
      assert.ok(piece.isWellFormed());
      made = made.slice(0, start) + piece + made.slice(end);
      from = start;
    }
    assert.equal(made, after);
  }), { numRuns: 2000 });
});
