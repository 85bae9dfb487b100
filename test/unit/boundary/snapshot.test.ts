import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { deepFreeze, define, snapshotJson } from '../../../extension/boundary/snapshot.ts';
import { assertDeepFrozen, nested } from './deep-frozen.ts';

function taken(value: unknown): unknown {
  const snapshot = snapshotJson(value);
  assert.ok(snapshot.ok, `refused: ${snapshot.ok ? '' : JSON.stringify(snapshot.lossy)}`);
  return snapshot.value;
}

function lossy(value: unknown): { readonly pointer: string; readonly fault: string } {
  const snapshot = snapshotJson(value);
  assert.ok(!snapshot.ok, 'it was taken');
  return snapshot.lossy;
}

const never = (): never => assert.fail('it was called');
const sparse = (...indices: readonly number[]): unknown[] => {
  const list: unknown[] = [];
  list.length = 3;
  for (const index of indices) list[index] = index;
  return list;
};
class Point {
  readonly x = 1;
}

const scalars: readonly (readonly [unknown, RegExp])[] = [
  [undefined, /^undefined$/], [() => 1, /function/], [Point, /function/], [Symbol('s'), /symbol/], [1n, /bigint/], [Number.NaN, /NaN/], [Infinity, /Infinity/], [-Infinity, /-Infinity/], [-0, /-0/],
  ['\ud800', /lone surrogate/], ['a\udc00b', /lone surrogate/],
];

const objects: readonly (readonly [string, unknown, RegExp])[] = [
  ['a Date', new Date(0), /not a plain object \(Date\)/], ['a Map', new Map(), /Map/], ['a Set', new Set(), /Set/], ['a RegExp', /a/, /RegExp/], ['an Error', new Error('e'), /Error/], ['a Promise', Promise.resolve(1), /Promise/],
  ['bytes', new Uint8Array(2), /Uint8Array/], ['a Buffer', Buffer.from('a'), /Uint8Array/], ['a boxed string', Object('a'), /String/], ['a boxed number', Object(1), /Number/], ['an instance', new Point(), /not a plain object/],
  ['an heir of a plain object', Object.create({ a: 1 }), /not a plain object/], ['a symbol key', { [Symbol('s')]: 1 }, /symbol key/], ['a symbol key of an array', Object.assign([1], { [Symbol('s')]: 1 }), /symbol key/],
  ['a hidden property', Object.defineProperty({ a: 1 }, 'b', { value: 1 }), /hidden/], ['an empty place', sparse(0, 2), /sparse/], ['an array of empty places', sparse(), /sparse/], ['an array with a property', Object.assign([1], { extra: 1 }), /sparse/],
  ['an array with a hole and a property', Object.assign(sparse(0, 1), { extra: 1 }), /sparse/], ['a WeakRef', new WeakRef({}), /WeakRef/], ['a function with properties', Object.assign(() => 1, { a: 1 }), /function/],
];

suite('a snapshot', () => {
  test('A5 a scalar that JSON cannot hold is refused at its place', () => {
    for (const [value, fault] of scalars) {
      assert.match(lossy(value).fault, fault);
      assert.deepEqual(lossy({ a: [{ 'b/c~d': value }] }), { pointer: '/a/0/b~1c~0d', fault: lossy(value).fault });
    }
  });

  test('A5 an object that JSON cannot hold is refused at its place', () => {
    for (const [what, value, fault] of objects) {
      assert.match(lossy(value).fault, fault, what);
      assert.equal(lossy([0, { deep: [value] }]).pointer, '/1/deep/0', what);
    }
  });

  test('A5 an accessor is refused and never called, and neither is toJSON', () => {
    assert.deepEqual(lossy({ a: { get b() { return never(); } } }), { pointer: '/a/b', fault: 'an accessor' });
    assert.match(lossy({ set b(_value: number) { never(); } }).fault, /accessor/);
    assert.match(lossy(Object.defineProperty([1, 2], 1, { get: never, enumerable: true })).fault, /accessor/);
    assert.match(lossy({ a: 1, toJSON: never }).fault, /function/);
    assert.match(lossy(Object.create({ toJSON: never })).fault, /not a plain object/);
    assert.match(lossy(new Date(0)).fault, /Date/);
  });

  test('A5 a cycle is refused, however long', () => {
    const self: Record<string, unknown> = {};
    self['self'] = self;
    assert.deepEqual(lossy(self), { pointer: '/self', fault: 'a cycle' });
    const list: unknown[] = [1];
    list.push({ list });
    assert.deepEqual(lossy(list), { pointer: '/1/list', fault: 'a cycle' });
    const [a, b, c]: Record<string, unknown>[] = [{}, {}, {}];
    Object.assign(a ?? {}, { b });
    Object.assign(b ?? {}, { c });
    Object.assign(c ?? {}, { a });
    assert.equal(lossy({ start: [a] }).fault, 'a cycle');
    const far = nested(5000);
    let last: Record<string, unknown> = far;
    while (typeof last['a'] === 'object') last = last['a'] as Record<string, unknown>;
    last['back'] = far;
    assert.equal(lossy(far).fault, 'a cycle');
  });

  test('an object that stands in several places is no cycle, and becomes as many copies', () => {
    const shared = { x: [1] };
    const value = taken({ a: shared, b: [shared, { c: shared }], x: shared.x });
    assert.deepEqual(value, { a: { x: [1] }, b: [{ x: [1] }, { c: { x: [1] } }], x: [1] });
    const { a, b } = value as { readonly a: unknown; readonly b: readonly unknown[] };
    assert.notEqual(a, b[0]);
  });

  test('an object without a prototype is plain', () => {
    assert.deepEqual(taken(Object.assign(Object.create(null), { a: 1 })), { a: 1 });
  });

  test('B4 __proto__ as a key stays a key', () => {
    const value = taken(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}'));
    assert.deepEqual(value, JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}'));
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    const target = {};
    define(target, '__proto__', 1);
    assert.deepEqual(Object.keys(target), ['__proto__']);
    assert.equal('polluted' in {}, false);
  });

  test('a proxy is read once, and one that throws is refused like anything that cannot be read', () => {
    let reads = 0;
    const counted = new Proxy({ a: 1 }, { getOwnPropertyDescriptor: (target, key) => { reads += 1; return Reflect.getOwnPropertyDescriptor(target, key); }, get: never });
    assert.deepEqual(taken({ counted }), { counted: { a: 1 } });
    assert.ok(reads > 0);
    const throwing = (trap: keyof ProxyHandler<object>): object => new Proxy({ a: 1 }, { [trap]: () => { throw new RangeError('no'); } });
    for (const trap of ['ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor'] as const) assert.match(lossy({ deep: throwing(trap) }).fault, /cannot be read/, trap);
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    assert.match(lossy([proxy]).fault, /cannot be read/);
    assert.equal(snapshotJson(new (class { get [Symbol.toStringTag](): string { throw new Error('called'); } })()).ok, false);
  });

  test('A6 ten thousand levels are walked without an overflow, whole or at fault', () => {
    const deep = nested(10_000);
    assertDeepFrozen(taken(deep));
    assertDeepFrozen(deepFreeze(nested(10_000)));
    let list: unknown = Number.NaN;
    for (let level = 0; level < 10_000; level += 1) list = [list];
    assert.equal(lossy(list).pointer, '/0'.repeat(10_000));
  });

  test('B3 the copy is detached and frozen all the way down; the original stays as it is and may change', () => {
    const original = { list: [{ a: 1 }], text: 'x' };
    const copy = taken(original);
    assertDeepFrozen(copy);
    assert.ok(!Object.isFrozen(original) && !Object.isFrozen(original.list));
    original.list.push({ a: 2 });
    Object.assign(original, { list: null });
    assert.deepEqual(copy, { list: [{ a: 1 }], text: 'x' });
  });

  test('any JSON value is taken as it is, in its order', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), (given) => {
      const value: unknown = JSON.parse(JSON.stringify(given));
      const copy = taken(value);
      assert.deepEqual(copy, value);
      assert.equal(JSON.stringify(copy), JSON.stringify(value));
      assertDeepFrozen(copy);
    }));
  });

  test('anything at all is taken as what its JSON text says, or refused; nothing is thrown', () => {
    fc.assert(fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true, withBoxedValues: true }), (value) => {
      const snapshot = snapshotJson(value);
      if (!snapshot.ok) return;
      assert.deepEqual(snapshot.value, JSON.parse(JSON.stringify(value)));
      assertDeepFrozen(snapshot.value);
    }), { numRuns: 2000 });
  });

  test('freezing reaches every part of what is shared, and leaves scalars alone', () => {
    const shared = { a: [1] };
    assertDeepFrozen(deepFreeze({ x: shared, y: [shared, null, 'text', undefined] }));
    assert.equal(deepFreeze(5), 5);
    assert.equal(deepFreeze(undefined), undefined);
  });
});
