import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { applyReplacements, type Replacement } from '../../../extension/edits/replace.ts';

type Edit = readonly [oldText: string, newText: string, all?: 'all'];

function apply(text: string, edits: readonly Edit[]): string | CodedError {
  return applyReplacements(text, edits.map(([oldText, newText, all]): Replacement => ({ oldText, newText, ...(all === 'all' ? { replaceAll: true } : {}) })));
}

const changes: readonly { readonly name: string; readonly text: string; readonly edits: readonly Edit[]; readonly expected: string }[] = [
  { name: 'one place is replaced', text: 'let a = 1;\n', edits: [['a = 1', 'a = 2']], expected: 'let a = 2;\n' },
  { name: 'text is removed', text: 'abc', edits: [['b', '']], expected: 'ac' },
  { name: 'the whole text is replaced', text: 'abc', edits: [['abc', '']], expected: '' },
  { name: 'dollar sequences are plain text', text: 'x', edits: [['x', '$& $1 $$ $` $\'']], expected: '$& $1 $$ $` $\'' },
  { name: 'dollar signs in the old text are plain text', text: 'a $& b', edits: [['$&', '$']], expected: 'a $ b' },
  { name: 'regular expression characters are plain text', text: 'a.*(b)', edits: [['.*(', '+[']], expected: 'a+[b)' },
  { name: 'edits are matched against the original, not against each other', text: 'a b', edits: [['a', 'b'], ['b', 'a']], expected: 'b a' },
  { name: 'adjacent edits are both made', text: 'abcd', edits: [['cd', '2'], ['ab', '1']], expected: '12' },
  { name: 'replaceAll takes every place, left to right', text: 'aaaaa', edits: [['aa', 'b', 'all']], expected: 'bba' },
  { name: 'replaceAll takes a single place too', text: 'one', edits: [['one', 'two', 'all']], expected: 'two' },
  { name: 'CRLF text that is given as it stands is replaced as it is given', text: 'a\r\nb\r\n', edits: [['a\r\nb', 'a\nc']], expected: 'a\nc\r\n' },
  { name: 'old text with \\n matches CRLF lines, and the new text gets CRLF', text: 'a\r\nb\r\nc\r\n', edits: [['a\nb\n', 'a\nx\ny\n']], expected: 'a\r\nx\r\ny\r\nc\r\n' },
  { name: 'old text with CRLF matches LF lines, and the new text gets LF', text: 'a\nb\n', edits: [['a\r\nb', 'a\r\nc\r\nd']], expected: 'a\nc\nd\n' },
  { name: 'a line inserted into a CRLF line gets CRLF', text: 'a\r\nb\r\n', edits: [['b', 'b\nc']], expected: 'a\r\nb\r\nc\r\n' },
  { name: 'a line inserted at the end of a CRLF file without a final newline gets CRLF', text: 'a\r\nb', edits: [['b', 'b\nc\n']], expected: 'a\r\nb\r\nc\r\n' },
  { name: 'explicit CRLF in new text stays in an LF file', text: 'a\nb\n', edits: [['a', 'a\r\nx']], expected: 'a\r\nx\nb\n' },
  { name: 'lines of a mixed region that do not change keep their line ends', text: 'a\r\nb\nc\r\nd\n', edits: [['a\nb\nc\nd', 'a\nB\nc\nd']], expected: 'a\r\nB\nc\r\nd\n' },
  { name: 'a line inserted in a mixed region leaves the line ends after it', text: 'a\r\nb\nc\r\nd\n', edits: [['a\nb\nc\nd', 'a\nnew\nb\nc\nd']], expected: 'a\r\nnew\nb\nc\r\nd\n' },
  { name: 'a match that starts with a line end takes the whole line end', text: 'a\r\nb', edits: [['\nb', '\nc']], expected: 'a\r\nc' },
  { name: 'an exact match counts although another place differs only in line ends', text: 'a\nb\r\na\r\nb', edits: [['a\nb', 'x\nb']], expected: 'x\nb\r\na\r\nb' },
  { name: 'Unicode forms are told apart', text: 'e\u0301 \u00e9', edits: [['\u00e9', 'e']], expected: 'e\u0301 e' },
  { name: 'very long lines are edited', text: `${'x'.repeat(1_000_000)}needle${'x'.repeat(1_000_000)}`, edits: [['needle', 'pin']], expected: `${'x'.repeat(1_000_000)}pin${'x'.repeat(1_000_000)}` },
  { name: 'more edits than are searched one by one', text: Array.from({ length: 30 }, (_, n) => `<${n}>`).join('\n'), edits: Array.from({ length: 30 }, (_, n): Edit => [`<${n}>`, `[${n}]`]), expected: Array.from({ length: 30 }, (_, n) => `[${n}]`).join('\n') },
];

for (const { name, text, edits, expected } of changes) test(name, () => assert.equal(apply(text, edits), expected));

const refusals: readonly { readonly name: string; readonly text: string; readonly edits: readonly Edit[]; readonly code: string; readonly says: RegExp }[] = [
  { name: 'an empty list is refused', text: 'a', edits: [], code: 'EDIT_INVALID', says: /list of edits is empty/ },
  { name: 'empty old text is refused', text: 'a', edits: [['a', 'b'], ['', 'c']], code: 'EDIT_INVALID', says: /Edit 2: oldText is empty/ },
  { name: 'an edit that changes nothing is refused', text: 'a', edits: [['a', 'a']], code: 'EDIT_INVALID', says: /Edit 1: oldText and newText are the same/ },
  { name: 'an edit that would change nothing but line ends is refused', text: 'a\r\nb', edits: [['a\nb', 'a\r\nb']], code: 'EDIT_INVALID', says: /only in line ends/ },
  { name: 'overlapping edits are refused by number', text: 'abcd', edits: [['bcd', 'x'], ['abc', 'y']], code: 'EDIT_INVALID', says: /Edits 1 and 2 overlap at line 1/ },
  { name: 'the same edit twice overlaps', text: 'abc', edits: [['b', 'x'], ['b', 'y']], code: 'EDIT_INVALID', says: /Edits 1 and 2 overlap/ },
  { name: 'text in two places is ambiguous, with their lines', text: 'a\nb\na\n', edits: [['a', 'c']], code: 'EDIT_AMBIGUOUS', says: /2 places \(lines 1, 3\).*replaceAll/s },
  { name: 'overlapping places are ambiguous too', text: 'aaa', edits: [['aa', 'b']], code: 'EDIT_AMBIGUOUS', says: /2 places/ },
  { name: 'places that match with other line ends can be ambiguous', text: 'a\r\nb\r\na\r\nb', edits: [['a\nb', 'c']], code: 'EDIT_AMBIGUOUS', says: /lines 1, 3/ },
  { name: 'countless places are counted up to a bound', text: 'a\n'.repeat(5000), edits: [['a', 'b']], code: 'EDIT_AMBIGUOUS', says: /more than 1000 places/ },
  { name: 'missing text is refused even with replaceAll', text: 'abc', edits: [['x', 'y', 'all']], code: 'EDIT_NOT_FOUND', says: /Edit 1: oldText does not stand in the file/ },
  { name: 'one edit that fails stops all, and the others that fail are named', text: 'a b', edits: [['a', 'c'], ['x1', 'd'], ['b', 'e'], ['x2', 'f']], code: 'EDIT_NOT_FOUND', says: /Edit 2.*Edit 4 cannot be made either/s },
  { name: 'the text that another edit would insert does not count', text: 'a', edits: [['a', 'b'], ['b', 'c']], code: 'EDIT_NOT_FOUND', says: /Edit 2/ },
  { name: 'quotation marks are not matched loosely', text: 'say “hi”', edits: [['say "hi"', 'x']], code: 'EDIT_NOT_FOUND', says: /line 1: "say “hi”"; the quotation marks/ },
  { name: 'trailing blanks are not matched loosely', text: 'first  \nsecond\n', edits: [['first\nsecond', 'x']], code: 'EDIT_NOT_FOUND', says: /line 1: "first {2}"; the blanks at the end of the line differ/ },
  { name: 'the nearest place names the indentation', text: 'if (x) {\n    go();\n}\n', edits: [['if (x) {\n\tgo();\n}', 'y']], code: 'EDIT_NOT_FOUND', says: /line 2: " {4}go\(\);"; the indentation differs: 4 spaces in the file, 1 tab in oldText\. The line before it is as given/ },
  { name: 'the nearest place names the word', text: 'one\nconst total = sum(first);\nthree\n', edits: [['const total = sum(second);', 'x']], code: 'EDIT_NOT_FOUND', says: /line 2: .*where the file has "first", oldText has "second"/ },
  { name: 'the nearest place names the case', text: 'function Foo() {}\n', edits: [['function foo() {}', 'x']], code: 'EDIT_NOT_FOUND', says: /upper and lower case/ },
  { name: 'the nearest place names the Unicode form', text: 'name = "Andre\u0301"\n', edits: [['name = "Andr\u00e9"', 'x']], code: 'EDIT_NOT_FOUND', says: /Unicode form/ },
  { name: 'the nearest place names the end of the file', text: 'alpha\nbeta\n', edits: [['beta\n\ngamma\n', 'x']], code: 'EDIT_NOT_FOUND', says: /file ends before/ },
  { name: 'an edit that was made before is recognised', text: 'const a = computed();\n', edits: [['const a = unknown;', 'const a = computed();']], code: 'EDIT_NOT_FOUND', says: /newText already stands at line 1/ },
  { name: 'nothing alike is said too', text: 'alpha\nbeta\n', edits: [['zzzzzzzzzzzz', 'x']], code: 'EDIT_NOT_FOUND', says: /Nothing like it was found/ },
  { name: 'an empty file holds nothing', text: '', edits: [['a', 'b']], code: 'EDIT_NOT_FOUND', says: /does not stand/ },
];

for (const { name, text, edits, code, says } of refusals) {
  test(name, () => {
    const result = apply(text, edits);
    assert.ok(result instanceof CodedError, `it was made: ${typeof result === 'string' ? result.slice(0, 50) : ''}`);
    assert.equal(result.code, code);
    assert.match(result.message, says);
    assert.match(result.message, /Nothing was changed/);
  });
}

test('what may be said quietly of a failed edit holds nothing of the file', () => {
  const secret = 'TOKEN=hunter2\nTOKEN=hunter3\n';
  for (const edits of [[['TOKEN=hunter1', 'x']], [['TOKEN=hunter', 'x']], [['TOKEN=hunter2', 'x'], ['hunter2\nTOKEN', 'y']]] satisfies readonly (readonly Edit[])[]) {
    const result = apply(secret, edits);
    assert.ok(result instanceof CodedError);
    assert.doesNotMatch(result.quiet ?? result.message, /hunter|TOKEN/);
    assert.ok(result.quiet !== undefined);
  }
});

const anyText = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '$', 'é', '😀'), maxLength: 60 });

test('what lies outside the edits stays as it is, unit for unit', () => {
  fc.assert(fc.property(anyText, fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 6 }), anyText), { minLength: 1, maxLength: 4 }), (text, spans) => {
    const edits = spans.map(([at, length, newText]): Replacement => ({ oldText: text.slice(at, at + length), newText }));
    const result = applyReplacements(text, edits);
    if (result instanceof CodedError) return;
    const places = edits.map(({ oldText, newText }) => ({ start: text.indexOf(oldText), oldText, newText })).sort((a, b) => a.start - b.start);
    let expected = '';
    let from = 0;
    for (const { start, oldText, newText } of places) {
      assert.equal(text.indexOf(oldText, start + 1), -1, 'an ambiguous edit was made');
      expected += text.slice(from, start) + newText;
      from = start + oldText.length;
    }
    expected += text.slice(from);
    // Inserted line ends may become the file's; nothing else may differ.
    assert.equal(result.replaceAll('\r\n', '\n'), expected.replaceAll('\r\n', '\n'));
    if (!edits.some(({ newText }) => newText.includes('\n'))) assert.equal(result, expected);
  }), { numRuns: 2000 });
});

test('the outcome does not depend on the order of the edits', () => {
  fc.assert(fc.property(anyText, fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 6 }), fc.constantFrom('', 'x', 'yy')), { minLength: 2, maxLength: 4 }), (text, spans) => {
    const edits = spans.map(([at, length, newText]): Replacement => ({ oldText: text.slice(at, at + length), newText }));
    const [one, other] = [applyReplacements(text, edits), applyReplacements(text, edits.toReversed())];
    assert.equal(typeof one, typeof other);
    if (typeof one === 'string') assert.equal(one, other);
  }));
});

test('a thousand edits in a hundred thousand lines, and the search for the nearest place in a large file, come to an end', () => {
  const lines = Array.from({ length: 100_000 }, (_, n) => `    const value${n} = compute(${n}, "abc", ${n * 7});`);
  const edits = Array.from({ length: 1000 }, (_, n): Replacement => ({ oldText: `value${n * 100} = `, newText: `renamed${n} = ` }));
  const result = applyReplacements(lines.join('\n'), edits);
  assert.ok(typeof result === 'string');
  assert.equal(result.split('\n').filter((line) => line.includes('renamed')).length, 1000);
  const missing = applyReplacements('const value = compute(1);\n'.repeat(400_000), [{ oldText: 'const value = computed(2);\nconst other = 1;', newText: '' }]);
  assert.ok(missing instanceof CodedError);
});
