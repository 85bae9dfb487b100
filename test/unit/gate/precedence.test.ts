import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Effect } from '../../../extension/boundary/effect.ts';
import type { Decision, Level } from '../../../extension/boundary/verdict.ts';
import { effects, policyOf, policyOfLayers, verdictOf } from './gates.ts';

const anyEffect: fc.Arbitrary<Effect> = fc.constantFrom(
  effects.read('/srv/app/src/a.ts'), effects.read('/srv/app/.env'), effects.read('/etc/hosts'), effects.tree('/srv/app'), effects.write('/srv/app/src/a.ts'), effects.create('/srv/lib/b.md'),
  effects.write('/srv/app/.vscode/settings.json'), effects.remove('/srv/app/c'), effects.move('/srv/app/c', '/srv/lib/c'), effects.run(), effects.fetch(), effects.process(), effects.converse(),
);
const decision = fc.constantFrom<Decision>('allow', 'ask', 'deny');
const anyRule = fc.record({
  effect: fc.constantFrom('read', 'write', 'delete', 'move', 'fetch', 'converse', 'nonsense'), tool: fc.constantFrom('some_tool', 'another'),
  path: fc.constantFrom('**', 'src/**', '*.md', '/etc/**', '**/.env', '[', '~/x'), decision, reason: fc.constant('why'), unknown: fc.constant(1),
}, { requiredKeys: ['decision'] });
const anyLevel = fc.constantFrom<Exclude<Level, 'built-in' | 'mode'>>('organisation', 'user', 'workspace', 'folder', 'session');

const rank: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

/** A list and one of its permutations. */
function shuffled<T>(item: fc.Arbitrary<T>, minLength = 0): fc.Arbitrary<readonly [readonly T[], readonly T[]]> {
  return fc.array(item, { minLength, maxLength: 6 }).chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
}

test('D3 the order of the rules never changes a decision', () => {
  fc.assert(fc.property(shuffled(anyRule), shuffled(anyEffect, 1), fc.constantFrom<'ask' | 'plan'>('ask', 'plan'), ([rules, otherRules], [given, otherGiven], mode) => {
    const one = verdictOf(policyOf(rules, { mode }), { effects: given });
    const other = verdictOf(policyOf(otherRules, { mode }), { effects: otherGiven });
    assert.equal(one.decision, other.decision);
  }), { numRuns: 500 });
});

test('D3 the order of the levels never changes a decision', () => {
  const anyLayer = fc.record({ level: anyLevel, rules: fc.array(anyRule, { maxLength: 3 }), place: fc.constant(() => 'place') });
  fc.assert(fc.property(shuffled(anyLayer), anyEffect, ([layers, others], effect) => {
    const one = verdictOf(policyOfLayers(layers), { effects: [effect] });
    assert.equal(one.decision, verdictOf(policyOfLayers(others), { effects: [effect] }).decision);
  }), { numRuns: 500 });
});

test('D3 the decision is that of the strictest rule that the verdict lists, and never below ask where an effect has none', () => {
  fc.assert(fc.property(fc.array(anyRule, { maxLength: 6 }), fc.array(anyEffect, { minLength: 1, maxLength: 4 }), (rules, given) => {
    const policy = policyOf(rules);
    const { decision: decided, rules: listed, decidedBy } = verdictOf(policy, { effects: given });
    const unmatched = given.some((effect) => verdictOf(policy, { effects: [effect] }).rules.length === 0);
    const strictest = listed.reduce<Decision>((most, rule) => (rank[rule.decision] > rank[most] ? rule.decision : most), unmatched ? 'ask' : 'allow');
    assert.equal(decided, strictest);
    assert.ok(decidedBy === 'no rule' || listed.some((rule) => rule.place === decidedBy && rule.decision === decided));
  }), { numRuns: 500 });
});

test('D3 a further rule that asks or denies never makes a call laxer', () => {
  const tightening = anyRule.filter((rule) => rule.decision !== 'allow');
  fc.assert(fc.property(fc.array(anyRule, { maxLength: 5 }), tightening, anyLevel, anyEffect, (rules, further, level, effect) => {
    const before = verdictOf(policyOf(rules), { effects: [effect] }).decision;
    const place = (): string => 'place';
    const after = verdictOf(policyOfLayers([{ level: 'user', rules, place }, { level, rules: [further], place }]), { effects: [effect] }).decision;
    assert.ok(rank[after] >= rank[before], `${before} became ${after}`);
  }), { numRuns: 500 });
});

test('D3 nothing that a workspace or a folder writes makes a call laxer', () => {
  fc.assert(fc.property(fc.array(anyRule, { maxLength: 4 }), fc.array(anyRule, { maxLength: 4 }), fc.constantFrom<'workspace' | 'folder'>('workspace', 'folder'), anyEffect, (rules, theirs, level, effect) => {
    const before = verdictOf(policyOf(rules), { effects: [effect] }).decision;
    const place = (): string => 'place';
    const after = verdictOf(policyOfLayers([{ level, rules: theirs, place }, { level: 'user', rules, place }]), { effects: [effect] }).decision;
    assert.ok(rank[after] >= rank[before], `${before} became ${after}`);
  }), { numRuns: 500 });
});
