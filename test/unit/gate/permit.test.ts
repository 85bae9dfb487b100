import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Effect } from '../../../extension/boundary/effect.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import type { Approval, Decision, Verdict } from '../../../extension/boundary/verdict.ts';
import { MemoryKeptResults } from '../../../extension/files/kept-results.ts';
import { MemoryObjectStore } from '../../../extension/files/object-store.ts';
import { noOpenDocuments } from '../../../extension/files/open-documents.ts';
import { completeEffect } from '../../../extension/gate/decide.ts';
import { digestOfEffects, mint, redeem, type Permit, type Planned, type Redeemed } from '../../../extension/gate/permit.ts';
import { startRun } from '../../../extension/gate/run.ts';
import { effects, policyOf, roots, verdictOf } from './gates.ts';

const open = policyOf([]);

function plan(call: string, given: readonly Effect[] = [effects.converse()], claims: readonly Effect[] = []): Planned {
  const foreseen = { effects: given, claims, content: new Map() };
  return { call, tool: 'find_files', arguments: {}, foreseen, digest: digestOfEffects(foreseen), resolutions: [], bases: new Map() };
}

function verdict(decision: Decision): Verdict {
  return { decision, decidedBy: 'a rule', reason: '', rules: [], revision: 'r1' };
}

const refused = /not minted here|belongs to another call/;
const stale = (error: unknown): boolean => error instanceof CodedError && error.code === 'STALE_PERMIT';

test('D11 a permit names the call, the effects, their digest, the revision and who decided', () => {
  const planned = plan('c1');
  const permit = mint(planned, verdict('ask'), 'allowed');
  assert.deepEqual({ ...permit }, { call: 'c1', effects: planned.foreseen.effects, digest: planned.digest, revision: 'r1', decidedBy: 'the person' });
  assert.equal(mint(planned, verdict('allow'), null).decidedBy, 'a rule');
  assert.ok(Object.isFrozen(permit));
});

const noPermit: readonly (readonly [Decision, Approval | null])[] = [
  ['deny', null], ['deny', 'allowed'], ['ask', null], ['ask', 'denied'], ['ask', 'unavailable'], ['ask', 'dismissed'], ['ask', 'cancelled'],
];
for (const [decision, approval] of noPermit) {
  test(`no permit is minted for ${decision} with ${approval ?? 'nobody asked'}`, () => {
    assert.throws(() => mint(plan('c1'), verdict(decision), approval), /no permit/);
  });
}

test('D11 a permit is redeemed once', async () => {
  const permit = mint(plan('c1'), verdict('allow'), null);
  assert.equal((await redeem(permit, 'c1', () => open, [])).call, 'c1');
  await assert.rejects(redeem(permit, 'c1', () => open, []), refused);
});

test('D11 of two redeemers at once, one gets it', async () => {
  const permit = mint(plan('c1'), verdict('allow'), null);
  const results = await Promise.allSettled([redeem(permit, 'c1', () => open, []), redeem(permit, 'c1', () => open, [])]);
  assert.deepEqual(results.map(({ status }) => status), ['fulfilled', 'rejected']);
});

const forgeries: readonly (readonly [string, (real: Permit) => Permit])[] = [
  ['a cast of a look-alike', ({ call, digest }) => ({ call, effects: [], digest, revision: '', decidedBy: 'the person' }) as unknown as Permit],
  ['a copy', (real) => ({ ...real })], ['a JSON round trip', (real) => JSON.parse(JSON.stringify(real)) as Permit], ['a structured clone', (real) => structuredClone(real)],
  ['what inherits from it', (real) => Object.create(real) as Permit], ['a proxy of it', (real) => new Proxy(real, {})],
];
for (const [what, forge] of forgeries) {
  test(`A11 D11 ${what} in the place of a permit is refused, and the real one stays good`, async () => {
    const real = mint(plan('c1'), verdict('allow'), null);
    await assert.rejects(redeem(forge(real), 'c1', () => open, []), refused);
    assert.equal((await redeem(real, 'c1', () => open, [])).call, 'c1');
  });
}

test("D11 another call's permit is refused, and is spent", async () => {
  const permit = mint(plan('c1'), verdict('allow'), null);
  await assert.rejects(redeem(permit, 'c2', () => open, []), refused);
  await assert.rejects(redeem(permit, 'c1', () => open, []), refused);
});

test('D11 effects that were exchanged after the minting are refused', async () => {
  const planned = { ...plan('c1') };
  const permit = mint(planned, verdict('allow'), null);
  Object.assign(planned, { foreseen: { effects: [effects.write('/srv/app/other')], claims: [], content: new Map() } });
  await assert.rejects(redeem(permit, 'c1', () => open, []), refused);
});

test('the digest is of the effects and the claims, in their order', () => {
  const [a, b] = [effects.read('/srv/app/a'), effects.read('/srv/app/b')];
  const digests = [plan('1', [a, b]), plan('1', [b, a]), plan('1', [a]), plan('1', [a], [b]), plan('1', [a, b], [b])].map(({ digest }) => digest);
  assert.equal(new Set(digests).size, digests.length);
  assert.equal(plan('1', [{ ...a }]).digest, plan('2', [a]).digest);
});

const write = effects.write('/srv/app/a');
const stricter: readonly (readonly [string, Decision, Parameters<typeof policyOf>])[] = [
  // what, what was decided, the policy of now
  ['an allow that is gone', 'allow', [[]]], ['an ask in the place of an allow', 'allow', [[{ decision: 'ask' }]]], ['a deny in the place of an allow', 'allow', [[{ decision: 'deny' }]]], ['a deny after an approval', 'ask', [[{ decision: 'deny' }]]],
  ['mode Plan', 'ask', [[], { mode: 'plan' }]], ["a deny of the workspace's", 'ask', [[{ decision: 'deny' }], {}, 'workspace']], ['a rule that broke', 'allow', [[{ effect: 'write', path: '[', decision: 'ask' }]]],
];
for (const [what, decided, now] of stricter) {
  test(`D12 ${what} makes a permit stale`, async () => {
    const permit = mint(plan('c1', [write]), verdict(decided), 'allowed');
    await assert.rejects(redeem(permit, 'c1', () => policyOf(...now), []), stale);
    await assert.rejects(redeem(permit, 'c1', () => policyOf([{ decision: 'allow' }]), []), refused);
  });
}

test('D12 a guard that denies by now makes a permit stale', async () => {
  await assert.rejects(redeem(mint(plan('c1'), verdict('allow'), null), 'c1', () => open, [() => 'no more']), stale);
});

test('D12 a policy that became laxer, or other without being stricter, does not', async () => {
  for (const now of [policyOf([{ decision: 'allow' }]), policyOf([{ decision: 'ask' }]), policyOf([{ path: 'elsewhere', decision: 'deny' }])]) {
    assert.equal((await redeem(mint(plan('c1', [write]), verdict('ask'), 'allowed'), 'c1', () => now, [])).call, 'c1');
  }
});

test('D12 a rule that covers files below a folder that is to be read makes its permit stale; one less does not', async () => {
  const before = policyOf([{ path: 'a/**', decision: 'deny' }], { readableSecrets: ['.env.test'] });
  const read = completeEffect(effects.tree('/srv/app'), 'find_files', before);
  const redeemOn = (now: typeof before): Promise<Redeemed> => redeem(mint(plan('c1', [read]), verdictOf(before, { effects: [read] }), null), 'c1', () => now, []);
  const settings = { readableSecrets: ['.env.test'] };
  await assert.rejects(redeemOn(policyOf([{ path: 'a/**', decision: 'deny' }, { path: 'b/**', decision: 'ask' }], settings)), stale);
  await assert.rejects(redeemOn(policyOf([{ path: 'a/**', decision: 'deny' }])), stale);
  assert.equal((await redeemOn(before)).call, 'c1');
  assert.equal((await redeemOn(policyOf([], settings))).call, 'c1');
});

test('D11 a plan runs only as redeem gave it, and once', async () => {
  const ports = { roots, documents: noOpenDocuments, objects: new MemoryObjectStore(), kept: new MemoryKeptResults(), conversation: { ask: () => Promise.resolve('') }, random: () => 'x', progress: () => undefined };
  const { signal } = new AbortController();
  const planned = plan('c1');
  const redeemed = await redeem(mint(planned, verdict('allow'), null), 'c1', () => open, []);
  assert.throws(() => startRun(planned as Redeemed, signal, ports), /not redeemed here/);
  assert.throws(() => startRun({ ...redeemed }, signal, ports), /not redeemed here/);
  assert.deepEqual(startRun(redeemed, signal, ports).run.effects, planned.foreseen.effects);
  assert.throws(() => startRun(redeemed, signal, ports), /not redeemed here/);
});
