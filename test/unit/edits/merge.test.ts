import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lineIn, type MergeConflict, mergeText } from '../../../extension/edits/merge.ts';

interface Case {
  readonly name: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly merged: string | readonly MergeConflict[];
}

const cases: readonly Case[] = [
  { name: 'changes of two places are both made', base: 'a\nb\nc\n', ours: 'A\nb\nc\n', theirs: 'a\nb\nC\n', merged: 'A\nb\nC\n' },
  { name: 'one side alone is taken as it is', base: 'a\nb\n', ours: 'a\nb\n', theirs: 'x\n', merged: 'x\n' },
  { name: 'the same change of both is made once', base: 'a\nb\nc\n', ours: 'a\nB\nc\n', theirs: 'a\nB\nc\n', merged: 'a\nB\nc\n' },
  { name: 'an insertion and a deletion apart are both made', base: '1\n2\n3\n4\n', ours: '0\n1\n2\n3\n4\n', theirs: '1\n2\n4\n', merged: '0\n1\n2\n4\n' },
  { name: 'line ends are part of their lines', base: 'a\r\nb\nc\r', ours: 'A\r\nb\nc\r', theirs: 'a\r\nb\nc', merged: 'A\r\nb\nc' },
  { name: 'a final newline that one side takes away goes', base: 'a\nb\nc\n', ours: 'A\nb\nc\n', theirs: 'a\nb\nc', merged: 'A\nb\nc' },
  { name: 'the same line changed in two ways is a conflict', base: 'a\nb\nc\n', ours: 'new\na\n1\nc\n', theirs: 'a\n2\nc\n', merged: [{ first: 3, last: 3, ours: '1\n', theirs: '2\n' }] },
  { name: 'lines next to each other are one place', base: 'a\nb\nc\n', ours: 'a\nB\nc\n', theirs: 'a\nb\nC\n', merged: [{ first: 2, last: 3, ours: 'B\nc\n', theirs: 'b\nC\n' }] },
  { name: 'two insertions in one place are a conflict', base: 'a\nb\n', ours: 'a\n1\nb\n', theirs: 'a\n2\nb\n', merged: [{ first: 2, last: 2, ours: '1\n', theirs: '2\n' }] },
  { name: 'a line deleted here and changed there is a conflict before the next line', base: 'a\nb\nc\n', ours: 'a\nc\n', theirs: 'a\nB\nc\n', merged: [{ first: 2, last: 1, ours: '', theirs: 'B\n' }] },
  { name: 'a file emptied here and changed there is a conflict', base: 'a\n', ours: '', theirs: 'b\n', merged: [{ first: 1, last: 0, ours: '', theirs: 'b\n' }] },
];

for (const { name, base, ours, theirs, merged } of cases) {
  test(`in a merge ${name}`, () => {
    const merge = mergeText(base, ours, theirs);
    assert.deepEqual(merge.clean ? merge.text : merge.conflicts, merged);
  });
}

test('a merge of texts that have nothing in common is one conflict', () => {
  const lines = (mark: string): string => Array.from({ length: 3000 }, (_, n) => `${mark}${n}\n`).join('');
  const merge = mergeText(lines('a'), lines('b'), lines('c'));
  assert.ok(!merge.clean);
  assert.deepEqual(merge.conflicts.map(({ first, last }) => [first, last]), [[1, 3000]]);
});

test('a line is found again in a text that was changed before it, after it and around it', () => {
  const [before, after] = ['a\nb\nc\nd\ne\n', 'new\na\nB\nb2\nc\ne\n'];
  assert.deepEqual([1, 2, 3, 4, 5].map((line) => lineIn(after, before, line)), [2, 3, 5, 6, 6]);
});

test('a merge of large files that repeat one line is made line by line', () => {
  const base = Array.from({ length: 60_000 }, (_, n) => (n % 2 === 1 ? '}\n' : `x${n}\n`));
  const merge = mergeText(base.join(''), base.with(100, 'p\n').join(''), base.with(50_000, 'q\n').join(''));
  assert.ok(merge.clean);
  assert.equal(merge.text, base.with(100, 'p\n').with(50_000, 'q\n').join(''));
});

test('a merge with an unchanged side gives the other, and swapping the sides changes only who is ours', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\r\n', '\n'), { maxLength: 12 }).map((lines) => lines.join(''));
  fc.assert(fc.property(text, text, text, (base, one, two) => {
    assert.deepEqual(mergeText(base, one, base), { clean: true, text: one });
    assert.deepEqual(mergeText(base, base, one), { clean: true, text: one });
    assert.deepEqual(mergeText(base, one, one), { clean: true, text: one });
    const [there, back] = [mergeText(base, one, two), mergeText(base, two, one)];
    if (there.clean) assert.deepEqual(back, there);
    else assert.equal(back.clean, false);
  }), { numRuns: 500 });
});
