import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FileDiff } from '../../../extension/boundary/ask.ts';
import { compareLines } from '../../../extension/edits/line-changes.ts';
import { diffFile } from '../../../extension/edits/line-diff.ts';

function diff(base: string | Uint8Array | null, result: string | Uint8Array | null): FileDiff {
  return diffFile({ path: '/w/a.txt', display: 'a.txt', base: base === null ? null : Buffer.from(base), result: result === null ? null : Buffer.from(result) });
}

const signs = { context: ' ', added: '+', removed: '-', gap: '~' } as const;

function drawn({ lines }: FileDiff): readonly string[] {
  return lines.map(({ kind, oldLine, newLine, text }) => `${signs[kind]}${oldLine},${newLine} ${text}`);
}

interface Case {
  readonly name: string;
  readonly base: string | null;
  readonly result: string | null;
  readonly lines: readonly string[];
  readonly notes?: readonly string[];
}

const cases: readonly Case[] = [
  { name: 'a changed line stands between its context', base: 'a\nb\nc\n', result: 'a\nB\nc\n', lines: [' 1,1 a', '-2,0 b', '+0,2 B', ' 3,3 c'] },
  { name: 'a new file is all added', base: null, result: 'a\nb\n', lines: ['+0,1 a', '+0,2 b'] },
  { name: 'a new empty file says so', base: null, result: '', lines: [], notes: ['The file will be empty'] },
  { name: 'a file that is deleted is all removed, and says so', base: 'a\nb', result: null, lines: ['-1,0 a', '-2,0 b‹no newline at the end›'], notes: ['The file will be deleted'] },
  { name: 'an empty file that is deleted says so', base: '', result: null, lines: [], notes: ['The file will be deleted'] },
  { name: 'a file that is emptied is all removed', base: 'a\n', result: '', lines: ['-1,0 a'], notes: ['The file will be empty'] },
  {
    name: 'gaps stand for what is not shown, on both sides of three lines of context',
    base: '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n', result: '1\n2\n3\n4\n5\nsix\n7\n8\n9\n10\n11\n12\n',
    lines: ['~1,1 2 unchanged lines', ' 3,3 3', ' 4,4 4', ' 5,5 5', '-6,0 6', '+0,6 six', ' 7,7 7', ' 8,8 8', ' 9,9 9', '~10,10 3 unchanged lines'],
  },
  {
    name: 'changes that lie close together share their context',
    base: '1\n2\n3\n4\n5\n6\n7\n8\n9\n', result: 'x\n2\n3\n4\n5\n6\n7\n8\ny\n',
    lines: ['-1,0 1', '+0,1 x', ' 2,2 2', ' 3,3 3', ' 4,4 4', ' 5,5 5', ' 6,6 6', ' 7,7 7', ' 8,8 8', '-9,0 9', '+0,9 y'],
  },
  { name: 'numbers of both sides follow an insertion', base: 'a\nb\n', result: 'new\na\nb\n', lines: ['+0,1 new', ' 1,2 a', ' 2,3 b'] },
  { name: 'CRLF is noted, not drawn', base: 'a\r\nb\r\n', result: 'a\r\nc\r\n', lines: [' 1,1 a', '-2,0 b', '+0,2 c'], notes: ['Line ends: CRLF'] },
  { name: 'line ends that change are drawn and noted', base: 'a\r\nb\r\n', result: 'a\nb\n', lines: ['-1,0 a‹CR LF›', '-2,0 b‹CR LF›', '+0,1 a‹LF›', '+0,2 b‹LF›'], notes: ['Line ends change from CRLF to LF', 'Only the line end changes on 2 lines'] },
  { name: 'mixed line ends are counted', base: 'a\r\nb\n', result: 'a\r\nc\n', lines: [' 1,1 a', '-2,0 b‹LF›', '+0,2 c‹LF›'], notes: ['Line ends: mixed (1 LF, 1 CRLF)'] },
  { name: 'a lone carriage return is visible', base: 'a\n', result: 'a\rb\n', lines: ['-1,0 a‹LF›', '+0,1 a‹U+000D›b‹LF›'], notes: ['Line ends change from LF to mixed', 'Characters that cannot be seen are written out, as ‹U+200B›'] },
  { name: 'a final newline that goes is drawn and noted', base: 'a\nb\n', result: 'a\nb', lines: [' 1,1 a', '-2,0 b', '+0,2 b‹no newline at the end›'], notes: ['The newline at the end of the file is removed'] },
  { name: 'a final newline that comes is drawn and noted', base: 'b', result: 'b\n', lines: ['-1,0 b‹no newline at the end›', '+0,1 b'], notes: ['A newline is added at the end of the file'] },
  { name: 'a missing final newline that stays is noted', base: 'a\nb', result: 'c\nb', lines: ['-1,0 a', '+0,1 c', ' 2,2 b'], notes: ['No newline at the end of the file'] },
  { name: 'a byte order mark that stays is noted, not drawn', base: '\uFEFFa\n', result: '\uFEFFb\n', lines: ['-1,0 a', '+0,1 b'], notes: ['Byte order mark kept'] },
  { name: 'a byte order mark that goes is drawn and noted', base: '\uFEFFa\n', result: 'a\n', lines: ['-1,0 ‹U+FEFF›a', '+0,1 a'], notes: ['The byte order mark is removed', 'Characters that cannot be seen are written out, as ‹U+200B›'] },
  { name: 'trailing blanks are drawn and noted where they are all that changes', base: 'a \t\nb\n', result: 'a\nb\n', lines: ['-1,0 a \t‹2 trailing blanks›', '+0,1 a', ' 2,2 b'], notes: ['Only trailing blanks change on 1 line'] },
  { name: 'a Unicode form that changes is noted', base: 'e\u0301\n', result: '\u00e9\n', lines: ['-1,0 e\u0301', '+0,1 \u00e9'], notes: ['Only the Unicode form changes on 1 line'] },
  {
    name: 'characters that deceive are written out', base: 'x\n', result: 'if (a\u202E\u2066) \u200B\u00A0\u0007\u{E0041}\n',
    lines: ['-1,0 x', '+0,1 if (a‹U+202E›‹U+2066›) ‹U+200B›‹U+00A0›‹U+0007›‹U+E0041›'], notes: ['Characters that cannot be seen are written out, as ‹U+200B›'],
  },
  { name: 'bytes that do not change are said not to', base: 'a\n', result: 'a\n', lines: [], notes: ['Nothing changes: the bytes are the same'] },
];

for (const { name, base, result, lines, notes = [] } of cases) {
  test(name, () => {
    const made = diff(base, result);
    assert.deepEqual({ lines: drawn(made), notes: made.notes, change: made.change, truncated: made.truncated }, { lines, notes, change: base === null ? 'create' : result === null ? 'delete' : 'edit', truncated: false });
    assert.equal(made.added, lines.filter((line) => line.startsWith('+')).length);
    assert.equal(made.removed, lines.filter((line) => line.startsWith('-')).length);
  });
}

test('a diff is cut after its cap, and its counts are those of the whole', () => {
  const made = diff(null, 'line\n'.repeat(5000));
  assert.equal(made.lines.length, 400);
  assert.equal(made.truncated, true);
  assert.equal(made.added, 5000);
});

test('long lines are cut around the place where they differ', () => {
  const made = diff(`${'x'.repeat(5000)}old${'y'.repeat(5000)}\n`, `${'x'.repeat(5000)}new${'y'.repeat(5000)}\n`);
  const [removed, added] = made.lines.map(({ text }) => text);
  assert.match(removed ?? '', /^‹4900 more characters›x+oldy+‹\d+ more characters›$/);
  assert.match(added ?? '', /^‹4900 more characters›x+newy+‹\d+ more characters›$/);
  assert.equal(made.truncated, true);
});

test('texts that differ too much are shown as a whole, with counts that say so', () => {
  const text = (seed: number): string => Array.from({ length: 6000 }, (_, n) => `${(n * seed) % 7919}\n`).join('');
  const made = diff(text(31), text(57));
  assert.equal(made.added, made.removed);
  assert.match(made.notes.join(), /too much to compare line by line/);
});

test('bytes that are no text are shown as far as they can be, and said to differ', () => {
  const made = diff(Uint8Array.of(0x61, 0xff, 0x0a), Uint8Array.of(0x61, 0xfe, 0x0a));
  assert.deepEqual(made.notes, ['Not UTF-8 text: shown as far as it can be read', 'Bytes differ that cannot be shown as text']);
});

const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'a \n', 'e\u0301\n', '\u00e9\n');

test('the changes, made on the old lines, give the new lines', () => {
  fc.assert(fc.property(fc.array(line), fc.array(line), (before, after) => {
    const { changes } = compareLines(before, after);
    const made = [...before];
    for (const { oldStart, oldEnd, newStart, newEnd } of changes.toReversed()) made.splice(oldStart, oldEnd - oldStart, ...after.slice(newStart, newEnd));
    assert.deepEqual(made, after);
  }));
});

test('bytes that differ never give a diff that shows nothing', () => {
  const whole = fc.tuple(fc.constantFrom('', '\uFEFF'), fc.array(line), fc.constantFrom('', 'end')).map(([mark, lines, end]) => mark + lines.join('') + end);
  fc.assert(fc.property(whole, whole, (before, after) => {
    const { lines, notes } = diff(before, after);
    if (before === after) return;
    // With the lines around them: one that only moved is seen by its place.
    const seen = (kind: 'added' | 'removed'): readonly string[] => lines.filter((row) => row.kind === kind || row.kind === 'context').map(({ text: shown }) => shown.normalize('NFC'));
    const sameToTheEye = JSON.stringify(seen('removed')) === JSON.stringify(seen('added'));
    assert.ok(!sameToTheEye || notes.some((note) => /change|differ|added|removed|empty/.test(note)), JSON.stringify({ lines, notes }));
  }), { numRuns: 2000 });
});
