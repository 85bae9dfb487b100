import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { Violation } from '../../../extension/boundary/error-codes.ts';
import type { JsonObject } from '../../../extension/boundary/json.ts';
import { createSchemaCompiler } from '../../../extension/boundary/schema-compiler.ts';

const compile = createSchemaCompiler();
const violations = (schema: JsonObject, value: unknown): readonly Violation[] => compile(schema)(value);
const closed = (properties: Readonly<Record<string, JsonObject>>, required: readonly string[] = []): JsonObject => ({ type: 'object', properties, required, additionalProperties: false });
const edit = closed({
  path: { type: 'string', minLength: 1 },
  edits: { type: 'array', minItems: 1, items: closed({ oldText: { type: 'string' }, newText: { type: 'string' }, replaceAll: { type: 'boolean' } }, ['oldText', 'newText']) },
}, ['path', 'edits']);

suite('the schema compiler', () => {
  test('B5 all violations are listed at once, each with its pointer, what was expected and what was there', () => {
    assert.deepEqual(violations(edit, { path: 7, edits: [{ oldText: 'a', newtext: 'b' }, 'x', { oldText: null, newText: [], replaceAll: 'yes' }], extra: 1 }), [
      { pointer: '/extra', expected: 'one of the known properties (path, edits)', got: 'the unknown property "extra"' },
      { pointer: '/path', expected: 'string', got: 'number 7' },
      { pointer: '/edits/0/newText', expected: 'the property "newText", which is required', got: 'nothing' },
      { pointer: '/edits/0/newtext', expected: 'the property "newText", probably', got: 'the unknown property "newtext"' },
      { pointer: '/edits/1', expected: 'object', got: 'string "x"' },
      { pointer: '/edits/2/oldText', expected: 'string', got: 'null' },
      { pointer: '/edits/2/newText', expected: 'string', got: 'array' },
      { pointer: '/edits/2/replaceAll', expected: 'boolean', got: 'string "yes"' },
    ]);
  });

  test('B5 every kind of violation says what was expected in words', () => {
    const cases: readonly (readonly [JsonObject, unknown, string, string])[] = [
      [{ type: 'integer' }, 1.5, 'integer', 'number 1.5'], [{ type: ['string', 'null'] }, 1, 'string or null', 'number 1'], [{ enum: ['a', 2, null] }, 'b', 'one of ["a",2,null]', 'string "b"'], [{ const: false }, true, 'false', 'boolean true'],
      [{ type: 'string', minLength: 2 }, 'a', 'to NOT have fewer than 2 characters', 'string "a"'], [{ type: 'number', maximum: 3 }, 4, '<= 3', 'number 4'], [{ type: 'string', pattern: '^a$' }, 'b', 'to match pattern "^a$"', 'string "b"'],
      [{ type: 'array', minItems: 1 }, [], 'to NOT have fewer than 1 items', 'array'], [{ type: 'array', items: {}, uniqueItems: true }, [1, 1], 'to NOT have duplicate items (items ## 0 and 1 are identical)', 'array'], [{ type: 'object' }, null, 'object', 'null'],
    ];
    for (const [schema, value, expected, got] of cases) assert.deepEqual(violations(schema, value), [{ pointer: '', expected, got }], JSON.stringify(schema));
  });

  test('B6 a misspelt property is answered with the closest known name', () => {
    const read = closed({ path: { type: 'string' }, startLine: { type: 'integer' }, endLine: { type: 'integer' } });
    for (const [wrong, meant] of [['paht', 'path'], ['start_line', 'startLine'], ['startline', 'startLine'], ['EndLine', 'endLine'], ['endLin', 'endLine']] as const) {
      assert.deepEqual(violations(read, { [wrong]: 1 }), [{ pointer: `/${wrong}`, expected: `the property ${JSON.stringify(meant)}, probably`, got: `the unknown property ${JSON.stringify(wrong)}` }]);
    }
  });

  test('B5 nothing is coerced, and no default is filled in', () => {
    const schema = closed({ a: { type: 'integer', default: 5 }, b: { type: 'boolean' }, c: { type: 'array', items: { type: 'string' } } });
    const value = Object.freeze({ b: 'true', c: 'x' });
    assert.deepEqual(violations(schema, value).map(({ pointer }) => pointer), ['/b', '/c']);
    assert.deepEqual(value, { b: 'true', c: 'x' });
    for (const [type, other] of [['string', 1], ['number', '1'], ['integer', '1'], ['boolean', 'true'], ['boolean', 1], ['boolean', null], ['null', ''], ['array', 'x'], ['object', []], ['object', 'x']] as const) assert.equal(violations({ type }, other).length, 1, type);
    const empty = {};
    assert.deepEqual(violations(schema, empty), []);
    assert.deepEqual(empty, {});
  });

  test('a pointer escapes the names that it is made of', () => {
    assert.deepEqual(violations(closed({ 'a/b~c': closed({ 'd/e': { type: 'string' } }) }), { 'a/b~c': { 'd/e': 1, 'x~/': 1 } }).map(({ pointer }) => pointer).toSorted(), ['/a~1b~0c/d~1e', '/a~1b~0c/x~0~1']);
  });

  test('B4 what every object inherits is neither given nor demanded', () => {
    assert.deepEqual(violations({ type: 'object', required: ['constructor', 'toString'] }, {}).map(({ pointer }) => pointer), ['/constructor', '/toString']);
    assert.deepEqual(violations(closed({ toString: { type: 'string' }, constructor: { type: 'number' } }), {}), []);
    assert.deepEqual(violations(closed({ path: { type: 'string' } }), JSON.parse('{"__proto__":{"path":"x"},"constructor":1}')).map(({ pointer }) => pointer), ['/__proto__', '/constructor']);
    assert.deepEqual(violations(closed({ path: { type: 'string' } }, ['path']), JSON.parse('{"__proto__":{"path":"x"}}')).map(({ pointer }) => pointer).toSorted(), ['/__proto__', '/path']);
  });

  test('a value that is wrong always has a violation, also where two alternatives hold at once', () => {
    const one: JsonObject = { oneOf: [{ type: 'integer' }, { type: 'number' }] };
    assert.deepEqual(violations(closed({ a: one, b: one }), { a: 1, b: 2 }).map(({ pointer, expected }) => [pointer, expected]), [['/a', 'to match exactly one schema in oneOf'], ['/b', 'to match exactly one schema in oneOf']]);
    assert.deepEqual(violations(closed({ a: one, b: { type: 'string' } }), { a: 1, b: 2 }).map(({ pointer }) => pointer), ['/a', '/b']);
    assert.deepEqual(violations({ type: 'array', items: one }, ['x', 1]).map(({ pointer }) => pointer), ['/0', '/0', '/1']);
  });

  test('where the members of a choice said what is wrong, the choice does not say it again', () => {
    const either: JsonObject = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    assert.deepEqual(violations(either, 5), [{ pointer: '', expected: 'string', got: 'number 5' }, { pointer: '', expected: 'array', got: 'number 5' }]);
    const conditional: JsonObject = { type: 'object', if: { properties: { a: { const: 1 } }, required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } };
    assert.deepEqual(violations(conditional, { a: 1 }).map(({ pointer }) => pointer), ['/b']);
    assert.deepEqual(violations(conditional, {}).map(({ pointer }) => pointer), ['/c']);
  });

  test('of very many violations the first fifty are listed', () => {
    assert.equal(violations({ type: 'array', items: { type: 'string' } }, Array.from({ length: 10_000 }, () => 1)).length, 50);
  });

  test('what is shown of a value is short, and whole characters', () => {
    for (let length = 50; length < 66; length += 1) {
      const [violation] = violations({ type: 'integer' }, `${'a'.repeat(length)}😀😀😀`);
      assert.ok(violation !== undefined && violation.got.length <= 70 && violation.got.isWellFormed(), String(length));
    }
    const [violation] = violations(closed({}), { ['n'.repeat(100_000)]: 1 });
    assert.ok(violation !== undefined && violation.got.length < 150);
  });

  test('A7 a schema that is none, or that does not compile, is never taken as one that accepts everything', () => {
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [{ type: 'strin' }, /\/type/], [{ type: 'object', properties: { a: { type: 5 } } }, /\/properties\/a\/type/], [{ minimum: '1', type: 5 }, /\/minimum.*\/type|\/type.*\/minimum/], [{ required: 'a' }, /\/required/],
      [{ type: 'object', propertees: {} }, /unknown keyword/], [{ $ref: '#/$defs/missing' }, /resolve/], [{ $ref: 'https://example.com/other.json' }, /resolve/], [{ type: 'string', pattern: '(' }, /[Ii]nvalid regular expression|pattern/],
      [{ type: 'string', format: 'no-such-format' }, /format/], [{ $schema: 'http://json-schema.org/draft-07/schema#' }, /schema/], [{ $async: true, type: 'object', required: ['x'] }, /async/], [{ properties: { a: 1 } }, /\/properties\/a/],
      [{ items: [{ type: 'string' }] }, /items/],
    ];
    for (const [schema, fault] of cases) assert.throws(() => compile(schema as JsonObject), fault, JSON.stringify(schema));
  });

  test('one tool\'s schema is no other\'s: the same $id may come twice, and refers to nothing outside', () => {
    assert.equal(compile({ $id: 'https://example.com/a', type: 'object', $defs: { n: { type: 'number' } }, properties: { n: { $ref: '#/$defs/n' } } })({ n: 'x' }).length, 1);
    assert.equal(compile({ $id: 'https://example.com/a', type: 'string' })(1).length, 1);
    assert.throws(() => compile({ $ref: 'https://example.com/a' }), /resolve/);
  });

  test('a value that breaks exactly one demand has exactly one violation, at that place', () => {
    const schema = closed(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { type: 'array', items: { type: 'integer' } }])));
    fc.assert(fc.property(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(5), fc.oneof(fc.string(), fc.boolean(), fc.constant(null)), (name, at, wrong) => {
      const value: Record<string, unknown[]> = { a: [1, 2, 3, 4, 5, 6], b: [1, 2, 3, 4, 5, 6], c: [1, 2, 3, 4, 5, 6], d: [1, 2, 3, 4, 5, 6] };
      (value[name] ?? [])[at] = wrong;
      assert.deepEqual(violations(schema, value).map(({ pointer, expected }) => [pointer, expected]), [[`/${name}/${at}`, 'integer']]);
    }), { numRuns: 25 });
  });
});
