import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { suite, test } from 'node:test';
import { checkForeseen } from '../../../extension/boundary/check-effects.ts';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { EffectKind, Foreseen } from '../../../extension/boundary/effect.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { assertDeepFrozen } from './deep-frozen.ts';

const at = (path: string): string => resolve(path);
const bytes = Buffer.from('new content');
const result = sha256(bytes);
const d = sha256('other');

/** One good effect of each kind. */
const good: Readonly<Record<EffectKind, Readonly<Record<string, unknown>>>> = {
  read: { kind: 'read', path: at('/w/a'), extent: 'tree', except: ['/w/.env'] },
  write: { kind: 'write', path: at('/w/a'), base: 'absent', result, via: 'disk' },
  delete: { kind: 'delete', path: at('/w/a'), base: d },
  move: { kind: 'move', from: at('/w/a'), to: at('/w/b'), base: d },
  run: { kind: 'run', program: at('/bin/ls'), argv: ['-l', ''], script: d, cwd: at('/w'), grant: d, background: false },
  process: { kind: 'process', id: 'p1', op: 'stop' },
  fetch: { kind: 'fetch', url: 'https://example.com/', grant: d },
  mcp: { kind: 'mcp', server: 's', tool: 't', definition: d, arguments: d, grant: d },
  converse: { kind: 'converse', op: 'ask' },
};
const kinds = Object.keys(good) as readonly EffectKind[];
const foreseen = (effects: unknown, claims: unknown = [], content: unknown = new Map([[result, bytes]])): unknown => ({ effects, claims, content });

function refusal(given: unknown): string {
  try {
    checkForeseen(given);
  } catch (error) {
    assert.ok(error instanceof CodedError && error.code === 'INVALID_EFFECTS', `threw ${String(error)}`);
    return error.message;
  }
  return assert.fail('it was taken');
}

const wrongOf: Readonly<Record<string, readonly unknown[]>> = {
  path: ['a', './a', '', 'C:a', '~/a', '/w/../etc/passwd', '/w/./a', '/w//a', '/w/a/', '/w/a\0', 5, null, ['/w/a']], extent: ['files', true, null], except: ['*', [1], [null], {}, null], base: [null, '', 'ABSENT', d.toUpperCase(), d.slice(1), true],
  result: ['absent', sha256('not there'), '', null], via: ['memory', null], from: ['a', '/w/../b', null], to: ['b', '/w/', null], program: ['ls', '', null], argv: ['-l', [1], null, [['a']]], script: ['text', null, ''], cwd: ['w', '/w/..', null], grant: ['g', null, 'absent'],
  background: [0, 'false', null], id: ['', 5, null], op: ['pause', '', null, 'ASK'], url: ['', null, 5], server: ['', null], tool: ['', null], definition: ['d', null], arguments: [{}, null],
};

suite('what a tool foresaw', () => {
  test('every kind of effect is taken as it is, and frozen', () => {
    for (const kind of kinds) {
      const taken = checkForeseen(foreseen([good[kind]], [good.read, good.fetch]));
      assert.deepEqual(taken.effects, [good[kind]]);
      assert.deepEqual(taken.claims, [good.read, good.fetch]);
      assertDeepFrozen(taken.effects);
      assertDeepFrozen(taken.claims);
    }
    const { script, ...bare } = good.run;
    assert.equal(typeof script, 'string');
    assert.deepEqual(checkForeseen(foreseen([bare])).effects, [bare]);
    assert.equal(checkForeseen(foreseen([{ ...good.write, base: d }])).effects.length, 1);
  });

  test('A12 an empty list of effects is refused, and so is what is no foresight at all', () => {
    assert.match(refusal(foreseen([])), /no effect/);
    const strange: readonly unknown[] = [
      undefined, null, 5, 'read', [], {}, () => foreseen([good.read]), Promise.resolve(foreseen([good.read])), { effects: [good.read] }, { effects: [good.read], claims: [] }, foreseen(undefined), foreseen({ 0: good.read }), foreseen(new Set([good.read])), foreseen('read'),
      { effects: [good.read], claims: undefined, content: new Map() }, foreseen([good.read], null), foreseen([good.read], {}), foreseen([null]), foreseen(['read']), foreseen([[]]), foreseen([{}]), foreseen([{ kind: 5 }]), foreseen([[good.read]]),
    ];
    for (const given of strange) refusal(given);
  });

  test('A12 an effect of a kind that is not known is refused', () => {
    for (const kind of ['Read', 'exec', '', '__proto__', 'constructor', 'toString', 'hasOwnProperty', null]) assert.match(refusal(foreseen([{ ...good.read, kind }])), /of no kind that is known/);
  });

  test('A12 an effect with a wrong, a missing or an unknown member is refused, and the member is named', () => {
    for (const kind of kinds) {
      const effect = good[kind];
      for (const member of Object.keys(effect).filter((name) => name !== 'kind')) {
        for (const wrong of wrongOf[member] ?? assert.fail(`no wrong ${member}`)) {
          const message = refusal(foreseen([good.read, { ...effect, [member]: wrong }]));
          if (member !== 'result') assert.match(message, new RegExp(`effects\\[1\\] \\(${kind}\\) has a wrong ${member}`));
        }
        const { [member]: _gone, ...rest } = effect;
        if (member !== 'script') assert.match(refusal(foreseen([rest])), new RegExp(`has a wrong ${member}`));
      }
      assert.match(refusal(foreseen([{ ...effect, extra: 1 }])), /unknown member extra/);
      assert.match(refusal(foreseen([good.read], [{ ...effect, extra: 1 }])), /claims\[0\] .*unknown member extra/);
    }
    assert.match(refusal(foreseen([JSON.parse('{"kind":"converse","op":"ask","__proto__":{"x":1}}')])), /unknown member __proto__/);
    assert.match(refusal(foreseen([{ ...good.delete, base: 'absent' }])), /wrong base/);
  });

  test('A12 effects that are not plain JSON are refused: accessors, proxies that throw, cycles, instances', () => {
    const self: Record<string, unknown> = { ...good.read };
    self['except'] = [self];
    const strange: readonly unknown[] = [
      Object.defineProperty({ ...good.read }, 'path', { get: () => at('/w/a'), enumerable: true }), new Proxy({ ...good.read }, { ownKeys: () => { throw new Error('no'); } }), self, new (class { readonly kind = 'converse'; readonly op = 'ask'; })(),
      { ...good.read, [Symbol('s')]: 1 }, { ...good.read, extra: undefined }, Object.create(good.read), { ...good.read, path: Object(at('/w/a')) },
    ];
    for (const effect of strange) refusal(foreseen([effect]));
    refusal(new Proxy({}, { has: () => { throw new Error('no'); } }));
    refusal({ get effects() { throw new Error('no'); }, claims: [], content: new Map() });
  });

  test('an effect that answers differently each time it is read is taken as it was the first time', () => {
    let reads = 0;
    const shifty = new Proxy({ ...good.read }, { getOwnPropertyDescriptor: (target, key) => ({ ...Reflect.getOwnPropertyDescriptor(target, key), ...(key === 'path' && { value: (reads += 1) === 1 ? at('/w/a') : at('/etc/shadow') }) }) });
    const { effects } = checkForeseen(foreseen([shifty]));
    const [effect] = effects;
    assert.ok(effect?.kind === 'read');
    const { path } = effect;
    assert.equal(effect.path, path);
    assert.equal(Object.getOwnPropertyDescriptor(effect, 'path')?.value, path);
    assertDeepFrozen(effects);
  });

  test('A12 a write without the bytes that its digest names is refused', () => {
    const contents: readonly unknown[] = [
      new Map(), new Map([[result, Buffer.from('other')]]), new Map([[d, bytes]]), new Map([[result, 'new content']]), new Map([[result, [...bytes]]]), new Map([[result, null]]), new Map([[result, bytes.buffer.slice(0)]]), { [result]: bytes }, [[result, bytes]], null,
      { get: () => bytes }, Object.create(Map.prototype), new Proxy(new Map([[result, bytes]]), {}), new WeakMap(),
    ];
    for (const content of contents) refusal(foreseen([good.write], [], content));
    refusal(foreseen([good.read], [], {}));
    refusal({ effects: [good.write], claims: [], content: undefined });
  });

  test('the bytes that were signed are the host\'s own: what the tool changes afterwards changes nothing', () => {
    const mine = Buffer.from('new content');
    const content = new Map([[result, mine]]);
    const given = { effects: [{ ...good.write }], claims: [{ ...good.fetch }], content };
    const taken: Foreseen = checkForeseen(given);
    mine.fill(0);
    content.clear();
    Object.assign(given.effects[0] ?? {}, { path: at('/etc/passwd') });
    Object.assign(given.claims[0] ?? {}, { url: 'https://evil.example/' });
    assert.deepEqual(taken.effects, [good.write]);
    assert.deepEqual(taken.claims, [good.fetch]);
    assert.equal(sha256(taken.content.get(result) ?? new Uint8Array()), result);
  });

  test('a Map whose get answers differently each time lands only bytes that the digest names', () => {
    let asked = 0;
    class Shifty extends Map<string, Uint8Array> {
      override get(): Uint8Array {
        asked += 1;
        return asked === 1 ? bytes : Buffer.from('evil');
      }
    }
    const taken = checkForeseen(foreseen([good.write], [], new Shifty()));
    assert.equal(sha256(taken.content.get(result) ?? new Uint8Array()), result);
  });
});
