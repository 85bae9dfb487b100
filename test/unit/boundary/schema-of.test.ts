import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JsonObject } from '../../../extension/boundary/json.ts';
import { schemaOf } from '../../../extension/boundary/schema-of.ts';
import { nested } from './deep-frozen.ts';

const hostFields = ['output', 'effects', 'execute', 'projectContent', 'finalizeContent', 'timeoutMs', 'isConcurrencySafe', 'presentCall', 'presentResult', 'anythingElse'] as const;
const parameters: JsonObject = { type: 'object', properties: { path: { type: 'string', enum: ['a', 'b'] } }, required: ['path'], additionalProperties: false };
const base = { name: 'a_tool', description: 'Does a thing.', parameters };

suite('schemaOf', () => {
  test('A1 the projection has exactly name, description and parameters', () => {
    assert.deepEqual(schemaOf(base), base);
    assert.deepEqual(Object.keys(schemaOf(base)), ['name', 'description', 'parameters']);
    assert.deepEqual(Object.getOwnPropertySymbols(schemaOf({ ...base, [Symbol('s')]: 1 })), []);
  });

  test('A1 deferLoading is projected only when it is exactly true', () => {
    assert.deepEqual(schemaOf({ ...base, deferLoading: true }), { ...base, deferLoading: true });
    for (const value of [undefined, false, null, 1, 'true', {}, [], new Boolean(true), Object(true)]) assert.ok(!('deferLoading' in schemaOf({ ...base, deferLoading: value })), String(value));
  });

  test('A2 no host-side field and no other property is projected', () => {
    const full = Object.fromEntries(hostFields.map((field) => [field, `secret ${field}`]));
    const projected = JSON.stringify(schemaOf({ ...full, ...base }));
    assert.ok(!projected.includes('secret'));
    assert.deepEqual(JSON.parse(projected), base);
  });

  test('A3 host-side fields that throw when they are read are never read', () => {
    const definition = Object.defineProperties({ ...base }, Object.fromEntries(hostFields.map((field) => [field, { enumerable: true, get: () => assert.fail(`${field} was read`) }])));
    assert.deepEqual(schemaOf(definition), base);
    const watched: string[] = [];
    schemaOf(new Proxy(base, {
      get: (target, key: keyof typeof base) => { watched.push(key); return target[key]; },
      ownKeys: () => assert.fail('the keys were listed'), has: () => assert.fail('a key was looked for'), getOwnPropertyDescriptor: () => assert.fail('a descriptor was read'),
    }));
    assert.deepEqual(watched, ['name', 'description', 'parameters', 'deferLoading']);
  });

  test('A4 a projection is detached: changing it changes neither the definition nor the next projection', () => {
    const definition = { ...base, parameters: structuredClone(parameters) };
    const first = schemaOf(definition);
    const properties = first.parameters['properties'] as Record<string, { enum?: string[]; type?: string }>;
    properties['path']?.enum?.push('c');
    Object.assign(properties, { extra: {} });
    Object.assign(first.parameters, { type: 'array' });
    assert.deepEqual(definition.parameters, parameters);
    assert.deepEqual(schemaOf(definition), base);
  });

  test('A6 ten thousand levels are projected without an overflow', () => {
    const deep = nested(10_000) as JsonObject;
    let copy: unknown = schemaOf({ ...base, parameters: deep }).parameters;
    let levels = 0;
    for (; typeof copy === 'object' && copy !== null; copy = (copy as JsonObject)['a']) levels += 1;
    assert.equal(levels, 10_000);
  });

  test('B4 __proto__ in parameters is projected as a key and changes no prototype', () => {
    const strange = JSON.parse('{"__proto__":{"polluted":true},"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}}') as JsonObject;
    const projected = schemaOf({ ...base, parameters: strange }).parameters;
    assert.equal(JSON.stringify(projected), JSON.stringify(strange));
    assert.equal(Object.getPrototypeOf(projected), Object.prototype);
    assert.equal('polluted' in projected, false);
  });
});
