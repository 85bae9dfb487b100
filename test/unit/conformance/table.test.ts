import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ListedLine, listedLines } from '../../../scripts/conformance/listed-lines.ts';
import { type NumberedTest, numbersOf, type TestEnd } from '../../../scripts/conformance/numbered-tests.ts';
import { isWell, rowsOf, unlisted } from '../../../scripts/conformance/table.ts';

const line = (number: string, dueIn: string | null = null): ListedLine => ({ number, behaviour: 'It does.', dueIn });
const ended = (as: TestEnd['as'], ...numbers: readonly string[]): NumberedTest => {
  const ends: Readonly<Record<TestEnd['as'], TestEnd>> = { passed: { as: 'passed' }, skipped: { as: 'skipped' }, failed: { as: 'failed', error: 'no' }, missing: { as: 'missing', what: 'it' } };
  return { numbers, name: numbers.join(' '), file: 'x.test.ts', end: ends[as] };
};

test('a line passes by a test that passed, and by nothing else', () => {
  const cases: readonly (readonly [readonly TestEnd['as'][], string | null, string, boolean])[] = [
    [['passed'], null, 'pass', true], [['passed', 'skipped'], null, 'pass', true], [[], null, 'NO TEST', false], [['skipped'], null, 'NO TEST', false], [['passed', 'failed'], null, 'fail', false], [['passed', 'missing'], null, 'MISSING', false],
    [[], 'edits', 'due later', true], [['missing'], 'edits', 'due later', true], [['passed'], 'edits', 'due later', true], [['failed'], 'edits', 'fail', false],
  ];
  for (const [ends, dueIn, standing, well] of cases) {
    const [row] = rowsOf([line('A1', dueIn)], [...ends.map((as) => ended(as, 'A1')), ended('failed', 'A2')]);
    assert.ok(row !== undefined);
    assert.deepEqual([row.standing, isWell(row), row.tests.length], [standing, well, ends.length], String(ends));
  }
});

test('a test may name several lines, before its first other word', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['C12 a value', ['C12']], ['B2 B10 a call of F7', ['B2', 'B10']], ['a call (B2)', []], ['A10', ['A10']], ['J1 no line', []], ['A123 no line', []], ['B2: no line', []], ['', []],
  ];
  for (const [name, numbers] of cases) assert.deepEqual(numbersOf(name), numbers, name);
});

test('a number that the list does not have is said, with its test', () => {
  assert.deepEqual(unlisted([line('A1')], [ended('passed', 'A1', 'A99')]), ['A99 is not in the list: x.test.ts › A1 A99']);
});

test('the list is whole: its letters and numbers follow one another without a gap', async () => {
  const lines = await listedLines();
  const counts = new Map<string, number[]>();
  for (const { number } of lines) {
    const own = counts.get(number.slice(0, 1)) ?? [];
    counts.set(number.slice(0, 1), [...own, Number(number.slice(1))]);
  }
  assert.equal([...counts.keys()].join(''), 'ABCDEFGHI');
  for (const [letter, numbers] of counts) assert.deepEqual(numbers, numbers.map((_number, at) => at + (letter === 'I' ? 0 : 1)), letter);
  assert.deepEqual(lines.filter(({ dueIn }) => dueIn !== null).map(({ number, dueIn }) => `${number} ${dueIn}`), ['D17 edits', 'E7 tool host']);
});
