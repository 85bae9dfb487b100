import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Effect } from '../../../extension/boundary/effect.ts';
import type { Mode } from '../../../extension/gate/modes.ts';
import { decisionOf, effects, policyOf, verdictOf } from './gates.ts';

const inside = '/srv/app/src/a.ts';
const outside = '/etc/hosts';

const withoutRules: readonly (readonly [string, Effect, string, string])[] = [
  // what, effect, in Ask, in Plan
  ['a read inside', effects.read(inside), 'allow', 'allow'],
  ['a read of the workspace folder itself', effects.read('/srv/app'), 'allow', 'allow'],
  ['a tree read inside', effects.tree('/srv/app'), 'allow', 'allow'],
  ['a read outside', effects.read(outside), 'ask', 'ask'],
  ['a tree read outside', effects.tree('/etc'), 'ask', 'ask'],
  ['a tree read of what holds the workspace', effects.tree('/srv'), 'ask', 'ask'],
  ['a write inside', effects.write(inside), 'ask', 'deny'],
  ['a new file inside', effects.create(inside), 'ask', 'deny'],
  ['a write outside', effects.write(outside), 'ask', 'deny'],
  ['a deletion', effects.remove(inside), 'ask', 'deny'],
  ['a move', effects.move(inside, '/srv/app/b.ts'), 'ask', 'deny'],
  ['a command', effects.run(), 'ask', 'deny'],
  ['a fetch', effects.fetch(), 'ask', 'deny'],
  ['an MCP call', effects.mcp(), 'ask', 'deny'],
  ['what the session started', effects.process(), 'allow', 'allow'],
  ['talking to the person', effects.converse(), 'allow', 'allow'],
];

for (const [what, effect, ask, plan] of withoutRules) {
  test(`D1 without rules, ${what}: ${ask} in Ask, ${plan} in Plan`, () => {
    assert.equal(decisionOf(policyOf([]), effect), ask);
    assert.equal(decisionOf(policyOf([], { mode: 'plan' }), effect), plan);
  });
}

test('D1 where no rule matches, the verdict says so and names the effect', () => {
  const verdict = verdictOf(policyOf([]), { effects: [effects.write(inside)] });
  assert.deepEqual({ ...verdict, revision: '' }, { decision: 'ask', decidedBy: 'no rule', reason: `no rule covers write ${inside}`, rules: [], revision: '' });
});

test('a call is as strict as its strictest effect or claim', () => {
  const policy = policyOf([{ effect: 'write', path: 'gen/**', decision: 'allow' }, { effect: 'delete', decision: 'deny' }]);
  const allowed = effects.write('/srv/app/gen/x');
  assert.equal(decisionOf(policy, allowed), 'allow');
  assert.equal(decisionOf(policy, allowed, effects.write(inside)), 'ask');
  assert.equal(decisionOf(policy, effects.remove(inside), allowed), 'deny');
  assert.equal(verdictOf(policy, { effects: [allowed], claims: [effects.remove(inside)] }).decision, 'deny');
  assert.equal(verdictOf(policy, { effects: [allowed], claims: [effects.write(outside)] }).decision, 'ask');
});

test('a call without effects is denied, whatever it claims and whatever is allowed', () => {
  const everything = policyOf([{ decision: 'allow' }]);
  assert.equal(verdictOf(everything, { effects: [] }).decision, 'deny');
  assert.equal(verdictOf(everything, { effects: [], claims: [effects.read(inside)] }).decision, 'deny');
});

test('Plan denies changes although a user rule allows them', () => {
  const policy = policyOf([{ decision: 'allow' }], { mode: 'plan' });
  for (const effect of [effects.write(inside), effects.remove(inside), effects.move(inside, inside), effects.run(), effects.fetch(), effects.mcp()]) assert.equal(decisionOf(policy, effect), 'deny');
  assert.equal(verdictOf(policy, { effects: [effects.write(inside)] }).decidedBy, 'mode Plan');
});

test('each mode is known by its name in the verdict', () => {
  const by = (mode: Mode): string => verdictOf(policyOf([], { mode }), { effects: [effects.read(inside)] }).decidedBy;
  assert.deepEqual([by('ask'), by('plan')], ['mode Ask', 'mode Plan']);
});

test('the verdict carries every rule that matched, with its place, and the one that decided', () => {
  const policy = policyOf([{ effect: 'write', decision: 'allow' }, { tool: 'edit_file', path: '**/*.ts', decision: 'deny', reason: 'generated' }, { path: '**/*.md', decision: 'deny' }]);
  const { revision, ...verdict } = verdictOf(policy, { tool: 'edit_file', effects: [effects.write(inside)] });
  assert.match(revision, /^[0-9a-f]{16}$/);
  const matched = `write ${inside}`;
  assert.deepEqual(verdict, {
    decision: 'deny', decidedBy: 'user[1]', reason: 'generated',
    rules: [
      { level: 'user', place: 'user[0]', decision: 'allow', reason: 'allow write', matched },
      { level: 'user', place: 'user[1]', decision: 'deny', reason: 'generated', matched },
    ],
  });
});

test('D4 guards can only deny, and a later one cannot take it back', () => {
  const allowed = { effects: [effects.read(inside)] };
  const policy = policyOf([]);
  assert.equal(verdictOf(policy, { ...allowed, guards: [() => null] }).decision, 'allow');
  assert.equal(verdictOf(policy, { ...allowed, guards: [() => 'no', () => null] }).decision, 'deny');
  assert.equal(verdictOf(policy, { effects: [effects.write(inside)], guards: [() => null] }).decision, 'ask');
  const denied = policyOf([{ decision: 'deny' }]);
  assert.equal(verdictOf(denied, { ...allowed, guards: [() => null] }).decision, 'deny');
  const { decidedBy, reason } = verdictOf(policy, { ...allowed, guards: [() => 'not on Fridays'] });
  assert.deepEqual([decidedBy, reason], ['built-in: guard', 'not on Fridays']);
});

for (const [what, thrown] of [['an error', new Error('broken')], ['a text', 'broken'], ['nothing', null], ['what cannot be shown', Object.create(null)]] as const) {
  test(`D4 a guard that throws ${what} denies`, () => {
    const guard = (): null => { throw thrown; };
    const verdict = verdictOf(policyOf([{ decision: 'allow' }]), { effects: [effects.read(inside)], guards: [guard] });
    assert.equal(verdict.decision, 'deny');
    assert.match(verdict.reason, /a guard failed/);
  });
}

test('equal sources have one revision, and whatever decides changes it', () => {
  const rules = [{ effect: 'write', path: 'src/**', decision: 'ask' }];
  const revision = (of: ReturnType<typeof policyOf>): string => of.revision;
  const own = revision(policyOf(rules));
  assert.equal(revision(policyOf(structuredClone(rules))), own);
  const others = [
    policyOf([{ ...rules[0], decision: 'deny' }]), policyOf([{ ...rules[0], path: 'src/*' }]), policyOf([{ ...rules[0], effect: 'read' }]), policyOf([{ ...rules[0], tool: 't' }]),
    policyOf(rules, { mode: 'plan' }), policyOf(rules, { readableSecrets: ['.env'] }), policyOf(rules, {}, 'workspace'), policyOf([]),
  ];
  assert.equal(new Set([own, ...others.map(revision)]).size, others.length + 1);
});
