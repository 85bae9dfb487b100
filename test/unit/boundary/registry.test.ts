import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import type { Registry } from '../../../extension/boundary/registry.ts';
import { registerBuiltInTools } from '../../../extension/tools/built-in.ts';
import { assertDeepFrozen, nested } from './deep-frozen.ts';
import { anObject, aRegistry, aTool } from './tools.ts';

function refusal(fields: Readonly<Record<string, unknown>>, registry: Registry = aRegistry()): string {
  const before = registry.schemas();
  try {
    registry.register(aTool(fields));
  } catch (error) {
    assert.ok(error instanceof TypeError, String(error));
    assert.deepEqual(registry.schemas(), before, 'what was refused is not listed');
    return error.message;
  }
  return assert.fail(`it was registered: ${Object.keys(fields).join()}`);
}

function unknown(registry: Registry, name: string): string {
  try {
    registry.resolve(name);
  } catch (error) {
    assert.ok(error instanceof CodedError && error.code === 'UNKNOWN_TOOL', String(error));
    return error.message;
  }
  return assert.fail('it was found');
}

const output = aTool().output;
const lossyValues: readonly (readonly [string, unknown])[] = [
  ['a function', () => 1], ['undefined', undefined], ['-0', -0], ['NaN', Number.NaN], ['Infinity', Infinity], ['Date', new Date(0)], ['Map', new Map()], ['a symbol', Symbol('s')], ['a symbol key', { [Symbol('s')]: 1 }],
  // oxlint-disable-next-line no-sparse-arrays -- that is what is tried
  ['a sparse array', [1, , 2]], ['an accessor', Object.defineProperty({}, 'x', { get: () => assert.fail('called'), enumerable: true })], ['a bigint', 1n], ['a lone surrogate', '\ud800'],
];

suite('the registry', () => {
  test('A5 parameters that are not lossless JSON are refused with the tool and the pointer', () => {
    for (const [fault, value] of lossyValues) {
      for (const fields of [{ parameters: { type: 'object', properties: { a: { default: value } } } }, { output: { ...output, schema: { type: 'object', properties: { a: { default: value } } } } }]) {
        const message = refusal({ name: 'odd_one', ...fields });
        assert.match(message, /"odd_one"/);
        assert.match(message, /\/properties\/a\/default/, fault);
        assert.ok(message.includes(fault), `${fault}: ${message}`);
      }
    }
    const cycle: Record<string, unknown> = { type: 'object' };
    cycle['properties'] = { self: cycle };
    assert.match(refusal({ parameters: cycle }), /a cycle at "\/properties\/self"/);
  });

  test('A5 a definition is read once, snapshotted and frozen', () => {
    const reads = new Map<string, number>();
    const counted = new Proxy(aTool(), { get: (target, key, receiver) => { reads.set(String(key), (reads.get(String(key)) ?? 0) + 1); return Reflect.get(target, key, receiver) as unknown; } });
    const registry = aRegistry(counted);
    assert.deepEqual([...reads].filter(([, count]) => count !== 1), []);
    assertDeepFrozen(registry.resolve('say').definition);
    registry.schemas();
    assert.deepEqual([...reads].filter(([, count]) => count !== 1), []);
  });

  test('A5 what the caller changes afterwards changes nothing', () => {
    const parameters = structuredClone(anObject) as Record<string, unknown>;
    const definition = { ...aTool({ parameters }) };
    const registry = aRegistry(definition);
    const before = JSON.stringify(registry.schemas());
    Object.assign(parameters, { type: 'string', evil: true });
    Object.assign(definition, { name: 'other', description: 'other', execute: () => assert.fail('replaced') });
    assert.equal(JSON.stringify(registry.schemas()), before);
    assert.deepEqual(registry.resolve('say').validateArguments({ text: 'x' }), []);
  });

  test('A6 parameters deeper than sixty-four levels are refused by name, ten thousand without an overflow', () => {
    const deep = (levels: number): object => ({ type: 'object', default: nested(levels - 1) });
    aRegistry(aTool({ parameters: deep(64) }));
    for (const levels of [65, 10_000]) assert.match(refusal({ name: 'deep_one', parameters: deep(levels) }), /"deep_one".*parameters is nested deeper than 64/);
    assert.match(refusal({ output: { ...output, schema: deep(65) } }), /output\.schema is nested deeper than 64/);
  });

  test('A7 a definition that is not whole is refused, and says what is missing or wrong', () => {
    const cases: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
      [{ output: undefined }, /output is required/], [{ output: null }, /output is required/], [{ output: 'text' }, /output is required/], [{ effects: undefined }, /effects must be a function/], [{ effects: [] }, /effects must be a function/],
      [{ execute: undefined }, /execute must be a function/], [{ execute: {} }, /execute must be a function/], [{ output: { schema: { type: 'string' } } }, /output\.render must be a function/], [{ output: { ...output, render: 'text' } }, /output\.render/],
      [{ output: { render: output.render } }, /output\.schema/], [{ output: { ...output, presentationMeta: 1 } }, /presentationMeta/], [{ description: undefined }, /description/], [{ description: 5 }, /description/], [{ parameters: undefined }, /parameters/], [{ parameters: null }, /parameters/],
      [{ parameters: true }, /parameters must be a JSON Schema object/], [{ parameters: [] }, /parameters must be a JSON Schema object/], [{ projectContent: 1 }, /projectContent/], [{ finalizeContent: {} }, /finalizeContent/], [{ isConcurrencySafe: true }, /isConcurrencySafe/],
      [{ presentCall: 'x' }, /presentCall/], [{ presentResult: null }, /presentResult/],
    ];
    for (const [fields, fault] of cases) assert.match(refusal(fields), fault, JSON.stringify(fields));
  });

  test('A7 a time budget is refused that is no whole number of milliseconds that a timer can wait', () => {
    for (const timeoutMs of [0, -1, -0, Number.NaN, Infinity, -Infinity, 0.5, 1.5, 2 ** 31, Number.MAX_SAFE_INTEGER, '1000', null, true, [1000], 1000n]) assert.match(refusal({ timeoutMs }), /timeoutMs/, String(timeoutMs));
    for (const timeoutMs of [1, 1000, 2 ** 31 - 1, undefined]) assert.equal(aRegistry(aTool({ timeoutMs })).resolve('say').definition.timeoutMs, timeoutMs);
  });

  test('A7 a schema that is not valid or does not compile is refused with every violation', () => {
    const message = refusal({ parameters: { type: 'objekt', required: 'text', minProperties: -1 } });
    for (const pointer of ['/type', '/required', '/minProperties']) assert.ok(message.includes(pointer), message);
    assert.match(refusal({ output: { ...output, schema: { type: 'string', pattern: '(' } } }), /output\.schema does not compile/);
    assert.match(refusal({ parameters: { $ref: '#/$defs/none' } }), /parameters does not compile/);
  });

  test('A7 a name outside the pattern is refused, and so is one that is taken', () => {
    for (const name of ['', 'a b', 'a.b', 'a/b', 'é', 'a\n', 'x'.repeat(65), 'tool:x', '\u202eabc', undefined, null, 5, ['say'], {}]) assert.match(refusal({ name }), /its name must match/, JSON.stringify(name));
    for (const name of ['a', '_', '-', '0', 'x'.repeat(64), 'A-b_9', '__proto__', 'constructor', 'toString']) assert.equal(aRegistry(aTool({ name })).resolve(name).definition.name, name);
    assert.match(refusal({}, aRegistry(aTool())), /its name is taken/);
  });

  test('A7 all faults are listed at once, with the name of the tool', () => {
    const message = refusal({
      name: 'all wrong', description: 1, parameters: { type: 'x' }, output: { schema: { type: 'y' }, render: 1 }, effects: 1, execute: 1, timeoutMs: 0, isConcurrencySafe: 1, projectContent: 1, finalizeContent: 1, presentCall: 1, presentResult: 1,
    });
    for (const word of ['"all wrong"', 'its name', 'description', 'parameters', 'output.schema', 'output.render', 'effects', 'execute', 'timeoutMs', 'isConcurrencySafe', 'projectContent', 'finalizeContent', 'presentCall', 'presentResult']) assert.ok(message.includes(word), word);
  });

  test('A7 a name of a megabyte is refused in a short message', () => {
    assert.ok(refusal({ name: 'n'.repeat(1024 * 1024) }).length < 1000);
  });

  test('A8 the disposer removes exactly that tool, once', () => {
    const registry = aRegistry(aTool({ name: 'one' }), aTool({ name: 'three' }));
    const remove = registry.register(aTool({ name: 'two' }));
    assert.deepEqual(registry.schemas().map(({ name }) => name), ['one', 'three', 'two']);
    remove();
    assert.deepEqual(registry.schemas().map(({ name }) => name), ['one', 'three']);
    assert.match(unknown(registry, 'two'), /no tool "two"/);
    registry.register(aTool({ name: 'two', description: 'another' }));
    remove();
    assert.equal(registry.resolve('two').definition.description, 'another');
  });

  test('A9 the order is that of registration, and an unchanged set gives the same bytes', () => {
    const names = ['zeta', 'alpha', 'mid', '10', '9'];
    const registry = aRegistry(...names.map((name) => aTool({ name })));
    assert.deepEqual(registry.schemas().map(({ name }) => name), names);
    assert.equal(JSON.stringify(registry.schemas()), JSON.stringify(registry.schemas()));
    assert.equal(JSON.stringify(registry.schemas()), JSON.stringify(aRegistry(...names.map((name) => aTool({ name }))).schemas()));
    const [first, second] = [aRegistry(), aRegistry()];
    registerBuiltInTools(first);
    registerBuiltInTools(second);
    assert.equal(JSON.stringify(first.schemas()), JSON.stringify(second.schemas()));
  });

  test('A1 A2 the schemas of the built-in tools have the model-facing keys and no others', () => {
    const registry = aRegistry();
    registerBuiltInTools(registry);
    for (const schema of registry.schemas()) assert.deepEqual(Object.keys(schema), ['name', 'description', 'parameters']);
    const full = aTool({ timeoutMs: 4321, projectContent: () => [], finalizeContent: () => [], isConcurrencySafe: () => true, presentCall: () => ({}), presentResult: () => ({}), deferLoading: true, anything: 'else' });
    assert.deepEqual(aRegistry(full).schemas(), [{ name: 'say', description: 'Says a thing.', parameters: anObject, deferLoading: true }]);
    for (const deferLoading of [1, 'true', false, null]) assert.ok(!('deferLoading' in (aRegistry(aTool({ deferLoading })).schemas()[0] ?? {})));
  });

  test('a tool of the person is there for the person alone: not among the schemas, and for the model unknown as any other', () => {
    const registry = aRegistry(aTool());
    const schemas = JSON.stringify(registry.schemas());
    const dispose = registry.register(aTool({ name: 'take_back' }), { for: 'person' });
    assert.equal(JSON.stringify(registry.schemas()), schemas);
    assert.equal(registry.resolve('take_back', 'person').audience, 'person');
    assert.deepEqual([registry.resolve('say', 'person').audience, registry.resolve('say', 'model').audience], ['model', 'model']);
    for (const name of ['take_back', 'take_bak', 'other']) assert.equal(unknown(registry, name), `There is no tool ${JSON.stringify(name)}. The tools are: say.`);
    assert.match(refusal({ name: 'take_back' }, registry), /its name is taken/);
    dispose();
    assert.throws(() => registry.resolve('take_back', 'person'), /There is no tool/);
  });

  test('A4 changing a projected schema changes neither the registry nor the next projection', () => {
    const registry = aRegistry(aTool());
    const [schema] = registry.schemas();
    Object.assign(schema?.parameters['properties'] ?? {}, { injected: {} });
    assert.deepEqual(registry.schemas()[0]?.parameters, anObject);
    assert.equal(registry.resolve('say').validateArguments({ text: 'x', injected: 1 }).length, 1);
  });

  test('B7 an unknown name is UNKNOWN_TOOL with the closest names, whatever the name', () => {
    const registry = aRegistry();
    registerBuiltInTools(registry);
    assert.match(unknown(registry, 'read_fiel'), /Did you mean read_file/);
    assert.match(unknown(registry, 'deploy_everything_now'), /The tools are: read_file, /);
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '', ' ', '\0', '\ud800', 'read_file ', 'READ_FILE', 'read_file\n', '../read_file', '😀'.repeat(300)]) {
      const message = unknown(registry, name);
      assert.ok(message.isWellFormed() && message.length < 700, JSON.stringify(name));
    }
    assert.ok(unknown(registry, 'x'.repeat(1024 * 1024)).length < 700);
  });
});
