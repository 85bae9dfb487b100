import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { digestOfJson, isDigest, sha256 } from '../../../extension/boundary/digest.ts';
import { canonicalJson, type Json, pointerStep } from '../../../extension/boundary/json.ts';

/** The same value with the keys of every object in the opposite order. */
function reversed(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => reversed(item));
  return Object.fromEntries(Object.entries(value).toReversed().map(([key, item]: [string, Json]) => [key, reversed(item)]));
}

const json = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

test('a digest is the SHA-256 of the bytes, or of the text in UTF-8, in lower-case hex', () => {
  assert.equal(sha256(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(sha256('é😀'), sha256(Buffer.from('é😀', 'utf8')));
});

test('only sixty-four lower-case hex digits are a digest', () => {
  const good = sha256('');
  assert.ok(isDigest(good));
  for (const bad of [good.toUpperCase(), good.slice(1), `${good}0`, `${good}\n`, ` ${good}`, good.replace('e', 'g'), '', 'absent', null, undefined, 5, [good], { length: 64 }]) assert.ok(!isDigest(bad), JSON.stringify(bad));
});

test('canonical text has sorted keys and no white space', () => {
  assert.equal(canonicalJson({ b: [1, { d: null, c: 'é"\n' }], a: true, '': 0, B: false }), '{"":0,"B":false,"a":true,"b":[1,{"c":"é\\"\\n","d":null}]}');
  assert.equal(canonicalJson({ 10: 'x', 9: 'y' }), '{"10":"x","9":"y"}');
  assert.equal(canonicalJson(JSON.parse('{"z":1,"__proto__":{"b":1,"a":2}}') as Json), '{"__proto__":{"a":2,"b":1},"z":1}');
});

test('canonical text is the value, and the same whatever the order of its keys', () => {
  fc.assert(fc.property(json, (value) => {
    assert.deepEqual(JSON.parse(canonicalJson(value)), value);
    assert.equal(canonicalJson(reversed(value)), canonicalJson(value));
    assert.equal(digestOfJson(reversed(value)), digestOfJson(value));
  }));
});

test('different values have different digests', () => {
  const alike: readonly Json[] = [null, 'null', false, 0, '0', '', [], {}, [[]], [null], { a: null }, { a: [] }, ['a', 'b'], ['a,b'], ['a","b'], { a: 'b', c: 'd' }, { 'a":"b","c': 'd' }, [1, 2], [2, 1], [12], '[1,2]'];
  assert.equal(new Set(alike.map(digestOfJson)).size, alike.length);
});

test('a step of a pointer escapes what a pointer is made of', () => {
  assert.deepEqual(['a', '', '/', '~', '~1', 'a/b~c', 0].map(pointerStep), ['/a', '/', '/~1', '/~0', '/~01', '/a~1b~0c', '/0']);
});
