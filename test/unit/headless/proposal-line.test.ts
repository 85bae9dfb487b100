import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type LineCall, readProposalLine } from '../../../extension/headless/proposal-line.ts';
import { JsonFault, parseStrictJson } from '../../../extension/boundary/strict-json.ts';

const call = (args: string, more: object = {}): LineCall => ({ id: 'c1', name: 'read_file', arguments: args, ...more });
const openai = (args: unknown, id = 'c1'): object => ({ id, type: 'function', function: { name: 'read_file', arguments: args } });
const faults = (line: string): readonly boolean[] => readProposalLine(line).map((one) => 'fault' in one);

/** The arguments of a line's only call, which must be such that the boundary refuses them. */
function refusedArguments(line: string): JsonFault {
  const [one, ...others] = readProposalLine(line);
  assert.ok(one !== undefined && !('fault' in one) && others.length === 0, line);
  return faultOf(one.arguments);
}

function faultOf(text: string): JsonFault {
  try {
    parseStrictJson(text);
  } catch (error) {
    assert.ok(error instanceof JsonFault);
    return error;
  }
  return assert.fail(`${text} is strict`);
}

suite('a line of proposals', () => {
  test('the form that models send and the flat form say the same, with arguments as text or as an object', () => {
    const text = '{"path":"a.txt"}';
    for (const line of [openai(text), openai({ path: 'a.txt' }), { id: 'c1', name: 'read_file', arguments: text }, { id: 'c1', name: 'read_file', arguments: { path: 'a.txt' } }, { ...openai(text), index: 0, extra: [null] }]) {
      assert.deepEqual(readProposalLine(JSON.stringify(line)), [call(text)]);
      assert.deepEqual(readProposalLine(`  ${JSON.stringify(line, null, 1).replaceAll('\n', ' ')}\t`), [call(text)]);
    }
  });

  test('arguments as text are handed on as they are, whatever they are', () => {
    for (const text of ['', ' ', '{', '{"a":1,"a":2}', 'null', '\ufeff{}', 'x'.repeat(100_000), '{"a":-0}', '{"path":"a"}}']) assert.deepEqual(readProposalLine(JSON.stringify(openai(text))), [call(text)]);
  });

  test('arguments that are missing are empty; other JSON values are their own text', () => {
    assert.deepEqual(readProposalLine('{"id":"c1","name":"read_file"}'), [call('')]);
    assert.deepEqual(readProposalLine('{"id":"c1","function":{"name":"read_file"}}'), [call('')]);
    for (const value of [null, 5, true, [], [1, { a: 'é' }], {}]) assert.deepEqual(readProposalLine(JSON.stringify(openai(value))), [call(JSON.stringify(value))]);
  });

  test('an array is one step, in its order, with a fault in the place of what is no proposal', () => {
    const step = readProposalLine(JSON.stringify([openai('1', 'a'), 5, openai('2', 'b'), null, [], openai('3', 'c')]));
    assert.deepEqual(step.map((one) => ('fault' in one ? 'fault' : one.id)), ['a', 'fault', 'b', 'fault', 'fault', 'c']);
    assert.deepEqual(faults('[]'), [true]);
    assert.deepEqual(readProposalLine(JSON.stringify([openai('{}')])), [call('{}')]);
  });

  test('B11 the second proposal with an id in a step is a duplicate, in another step it is not', () => {
    const step = readProposalLine(JSON.stringify([openai('1', 'a'), openai('2', 'b'), openai('3', 'a'), openai('4', 'a')]));
    assert.deepEqual(step.map((one) => ('fault' in one ? null : one.duplicate ?? false)), [false, false, true, true]);
    assert.deepEqual(readProposalLine(JSON.stringify([openai('1', '__proto__'), openai('2', 'constructor')])).map((one) => 'duplicate' in one), [false, false]);
  });

  test('what is no proposal is a fault', () => {
    const lines = [
      'hello', '{', '}', 'null', '5', 'true', '"text"', '{}', '{"id":"c1"}', '{"name":"read_file"}', '{"id":"","name":"read_file"}', '{"id":5,"name":"read_file"}', '{"id":null,"name":"read_file"}', '{"id":["c1"],"name":"read_file"}', '{"id":"c1","name":5}', '{"id":"c1","name":null}',
      '{"id":"c1","name":["read_file"]}', '{"id":"c1","function":{}}', '{"id":"c1","function":{"name":{}}}', '{"id":"c1","function":"read_file"}', '{"id":"c1","name":"x"} {"id":"c2","name":"y"}', '{"id":"c1","name":"x",}', "{'id':'c1','name':'x'}", '\ufeff{"id":"c1","name":"x"}', 'data: {"id":"c1","name":"x"}',
      '{"id":"c1","id":"c2","name":"x"}', '{"id":"c1","name":"x","name":"y"}', '{"id":"\\ud800","name":"x"}', '{"id":"c1","name":"\\udc00"}', '{"id":"c1","name":"x","n":9007199254740993}', '{"id":"c1","function":{"name":"x"},"function":{"name":"y"}}', '{"id":"c1","name":"x","arguments":{}', '{"id":"c1","name":"x","arguments":{"a":NaN}}',
      '{"id":"c1","name":"x","arguments":{"a":1}}}', '{"id":"c1","name":"x","arguments":{"a":\'b\'}}', '{"id":"c1","name":"x","arguments":{"a":1},"arguments":{"a":2}}', '{"id":"c1","name":"x","arguments":1e400}',
    ];
    for (const line of lines) assert.deepEqual(faults(line), [true], line);
  });

  test('a name and an id are only read where they are the proposal\'s own', () => {
    assert.deepEqual(faults('{"__proto__":{"id":"c1","name":"read_file"}}'), [true]);
    assert.deepEqual(readProposalLine('{"id":"c1","name":"read_file","__proto__":{"name":"write_file","function":{"name":"write_file"}}}'), [call('')]);
    assert.deepEqual(readProposalLine('{"id":"c1","name":"__proto__"}'), [call('', { name: '__proto__' })]);
  });

  test('B2 arguments as an object that are not strict are handed on as they stand, to be refused by the boundary with their place', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['{"path":"a","path":"b"}', '"path" stands twice'], ['{"a":{"b":[{"c":1,"\\u0063":2}]}}', '"c" stands twice'], ['{"a":-0}', '-0'], ['{"a":9007199254740993}', 'lose digits'], ['{"a":"\\ud800"}', 'lone surrogate'], ['{ "a" : 1e400 }', 'lose digits'], ['[1,{"x":1,"x":2}]', '"x" stands twice'],
      ['{"arguments":{"arguments":{"a":1,"a":2}},"x":1}', '"a" stands twice'], ['{"arguments":1,"arguments":2}', '"arguments" stands twice'], ['{"s":"}{][\\"\\\\","a":1,"a":2}', '"a" stands twice'], ['{"a":1,"a":{"arguments":"{"}}', '"a" stands twice'],
      [`${'{"a":'.repeat(600)}1${'}'.repeat(600)}`, 'deeper'],
    ];
    for (const [text, fault] of cases) {
      for (const line of [
        `{"id":"c1","name":"read_file","arguments":${text}}`, `{"arguments":${text},"name":"read_file","id":"c1"}`, `{"id":"c1","function":{"arguments":${text},"name":"read_file"},"type":"function"}`, `[{"id":"c1","function":{"name":"read_file","arguments": ${text} }}]`,
        `{"id":"c1","name":"read_file","note":"\\"arguments\\":{","arguments":${text}}`, `{"id":"c1","name":"read_file","\\u0061rguments":${text}}`,
      ]) {
        const refused = refusedArguments(line);
        assert.ok(refused.message.includes(fault), `${line}: ${refused.message}`);
        assert.deepEqual([refused.message, refused.offset, refused.pointer], [faultOf(text).message, faultOf(text).offset, faultOf(text).pointer], line);
      }
    }
  });

  test('B2 in one step each call is read as strictly as the first, whatever another one\'s arguments are', () => {
    const twice = (id: string): string => `{"id":"${id}","name":"write_file","arguments":{"path":"a","path":"${id}"}}`;
    const good = '{"id":"g","name":"read_file","arguments":{"path":"a"}}';
    const step = readProposalLine(`[${twice('a')},${good},${twice('b')},${twice('c')}]`);
    assert.deepEqual(step.map((one) => ('fault' in one ? 'fault' : one.id)), ['a', 'g', 'b', 'c']);
    for (const [index, one] of step.entries()) {
      assert.ok(!('fault' in one));
      if (index !== 1) assert.match(faultOf(one.arguments).message, /stands twice/);
    }
    for (const tail of ['{"id":"z","name":"read_file","name":"write_file"}', '{"id":"y","id":"z","name":"x"}', '{"id":"z","name":"x","n":-0}', '{"id":"z","name":"x","arguments":{"a":1},"arguments":{"b":1}}']) assert.deepEqual(faults(`[${twice('a')},${tail}]`), [true], tail);
  });

  test('a line with very many calls that are not strict is refused whole', () => {
    const twice = (index: number): string => `{"id":"c${index}","name":"x","arguments":{"a":1,"a":2}}`;
    const line = (count: number): string => `[${Array.from({ length: count }, (_, index) => twice(index)).join()}]`;
    assert.equal(faults(line(64)).length, 64);
    assert.deepEqual(faults(line(65)), [true]);
  });

  test('a line that is strict JSON is read as JSON reads it, and no other line has arguments that are', () => {
    const pieces = fc.constantFrom('"a":1', '"a":2', '"b":{"a":1,"a":2}', '"n":-0', '"s":"\\ud800"', '"x":[{}]', '"arguments":{"a":1}');
    const args = fc.array(pieces, { maxLength: 4 }).map((members) => `{${members.join()}}`);
    fc.assert(fc.property(fc.array(args, { minLength: 1, maxLength: 4 }), fc.boolean(), (list, flat) => {
      const texts = list.map((text, index) => (flat ? `{"id":"c${index}","name":"x","arguments":${text}}` : `{"id":"c${index}","function":{"arguments":${text},"name":"x"}}`));
      const read = readProposalLine(`[${texts.join()}]`);
      assert.equal(read.length, list.length);
      read.forEach((one, index) => {
        assert.ok(!('fault' in one));
        const text = list[index] ?? '';
        let strict: unknown;
        try {
          strict = parseStrictJson(text);
        } catch {
          faultOf(one.arguments);
          return;
        }
        assert.deepEqual(parseStrictJson(one.arguments), strict);
      });
    }), { numRuns: 500 });
  });

  test('any text at all gives calls or faults, and throws nothing', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.jsonValue().map((value) => JSON.stringify([{ id: 'c', name: 'n', arguments: value }]))), (line) => {
      assert.ok(readProposalLine(line).length > 0);
    }), { numRuns: 2000 });
  });
});
