import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Effect } from '../../../extension/boundary/effect.ts';
import type { Decision, Verdict } from '../../../extension/boundary/verdict.ts';
import type { PolicyLayer } from '../../../extension/gate/policy.ts';
import { effects, policyOfLayers, verdictOf } from '../gate/gates.ts';
import { numRuns } from './runs.ts';

const anyEffect: fc.Arbitrary<Effect> = fc.constantFrom(
  effects.read('/srv/app/src/a.ts'), effects.read('/srv/app/.env'), effects.read('/etc/hosts'), effects.tree('/srv/app'), effects.write('/srv/app/src/a.ts'),
  effects.write('/srv/app/.git/hooks/x'), effects.create('/srv/lib/b.md'), effects.remove('/srv/app/c'), effects.move('/srv/app/c', '/etc/c'), effects.run(), effects.fetch(), effects.mcp(), effects.converse(),
);
const anyGlob = fc.oneof(fc.constantFrom('**', 'src/**', '*.md', '!**', '/etc/**', '**/.env', '~/x', '[', '{a,', ''), fc.string({ unit: fc.constantFrom('*', '/', '.', 'a', '[', '!', '{', ',', '}', '~'), maxLength: 8 }));
const anyRule = fc.record({
  effect: fc.constantFrom('read', 'write', 'delete', 'move', 'run', 'fetch', 'converse', 'nonsense'), tool: fc.constantFrom('some_tool', 'another'),
  path: anyGlob, decision: fc.constantFrom<Decision | 'sometimes'>('allow', 'ask', 'deny', 'sometimes'), reason: fc.string(),
}, { requiredKeys: ['decision'] });
const anyLevel = fc.constantFrom<PolicyLayer['level']>('organisation', 'user', 'workspace', 'folder', 'session');
/** A rule that keeps its name wherever it is put, at the level where it stands. */
const anyPlaced = fc.tuple(anyLevel, anyRule);

/** What a verdict says, without the order in which it says it. */
function saidBy({ decision, rules }: Verdict): object {
  return { decision, rules: rules.map((rule) => JSON.stringify(rule)).toSorted() };
}

test('D3 any permutation of a set of rules, over all levels, and of the effects gives one verdict, by the same rules', () => {
  const sets = fc.array(anyPlaced, { maxLength: 8 }).chain((rules) => {
    const named = rules.map(([level, rule], at): PolicyLayer => ({ level, rules: [rule], place: () => `rule ${at}` }));
    return fc.tuple(fc.constant(named), fc.shuffledSubarray(named, { minLength: named.length }));
  });
  const lists = fc.array(anyEffect, { minLength: 1, maxLength: 5 }).chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  fc.assert(fc.property(sets, lists, fc.constantFrom<'ask' | 'plan'>('ask', 'plan'), ([rules, otherRules], [given, otherGiven], mode) => {
    const one = verdictOf(policyOfLayers(rules, { mode }), { effects: given });
    const other = verdictOf(policyOfLayers(otherRules, { mode }), { effects: otherGiven });
    assert.deepEqual(saidBy(one), saidBy(other));
    for (const verdict of [one, other]) assert.ok(verdict.decidedBy === 'no rule' || verdict.rules.some(({ place, decision }) => place === verdict.decidedBy && decision === verdict.decision));
  }), { numRuns });
});
