import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeEffect } from '../../../extension/gate/decide.ts';
import { lastMatch } from '../../../extension/gate/match.ts';
import type { Policy } from '../../../extension/gate/policy.ts';
import { decisionOf, effects, path, policyOf } from './gates.ts';

/** Which rule's glob leaves a path out of a read of everything below `/srv/app`. */
function leftOut(policy: Policy, file: string, tool = 'find_files'): string | null {
  const effect = completeEffect(effects.tree('/srv/app'), tool, policy);
  return effect.kind === 'read' ? lastMatch(effect.except, file) : 'no read';
}

test('D16 deny and ask rules below a folder leave files out, and do not deny the whole', () => {
  const policy = policyOf([{ path: 'secret/**', decision: 'deny' }, { effect: 'read', path: '**/*.sql', decision: 'ask' }, { path: '/srv/app/abs/**', decision: 'deny' }, { path: '~/x', decision: 'deny' }]);
  assert.equal(decisionOf(policy, effects.tree('/srv/app')), 'allow');
  assert.equal(leftOut(policy, '/srv/app/secret/a'), '/srv/app/secret/**');
  assert.equal(leftOut(policy, '/srv/app/db/dump.SQL'), '/srv/app/**/*.sql');
  assert.equal(leftOut(policy, '/srv/app/abs/a'), '/srv/app/abs/**');
  assert.equal(leftOut(policy, '/srv/app/src/a.ts'), null);
});

test('D16 secrets are left out, also where a readable one is not', () => {
  const policy = policyOf([], { readableSecrets: ['.env.test'] });
  assert.notEqual(leftOut(policy, '/srv/app/.env'), null);
  assert.notEqual(leftOut(policy, '/srv/app/deep/ID_RSA'), null);
  assert.equal(leftOut(policy, '/srv/app/.env.test'), null);
});

test('D16 a rule of the user outranks the files that are readable although they look like secrets', () => {
  const policy = policyOf([{ path: '**/.env*', decision: 'deny' }], { readableSecrets: ['.env.test'] });
  assert.equal(leftOut(policy, '/srv/app/.env.test'), '/srv/app/**/.env*');
  assert.equal(decisionOf(policy, effects.read('/srv/app/.env.test')), 'deny');
});

test('D16 rules of other effects, other tools and rules that allow leave nothing out', () => {
  const policy = policyOf([{ effect: 'write', path: 'a/**', decision: 'deny' }, { tool: 'search_text', path: 'b/**', decision: 'deny' }, { path: 'c/**', decision: 'allow' }]);
  assert.equal(leftOut(policy, '/srv/app/a/x'), null);
  assert.equal(leftOut(policy, '/srv/app/b/x'), null);
  assert.equal(leftOut(policy, '/srv/app/b/x', 'search_text'), '/srv/app/b/**');
  assert.equal(leftOut(policy, '/srv/app/c/x'), null);
});

test('D16 a rule that speaks of the folder itself decides the call as a whole', () => {
  assert.equal(decisionOf(policyOf([{ path: '**', decision: 'deny' }]), effects.tree('/srv/app')), 'deny');
  assert.equal(decisionOf(policyOf([{ path: 'src/**', decision: 'ask' }]), effects.tree('/srv/app/src')), 'ask');
  assert.equal(decisionOf(policyOf([{ effect: 'read', decision: 'ask' }]), effects.tree('/srv/app')), 'ask');
  assert.equal(decisionOf(policyOf([{ path: '[', decision: 'deny' }]), effects.tree('/srv/app')), 'deny');
});

test('what a tool itself would leave out is replaced, and cannot be changed afterwards', () => {
  const effect = completeEffect({ kind: 'read', path: path('/srv/app'), extent: 'tree', except: ['!/**'] }, 'find_files', policyOf([]));
  assert.ok(effect.kind === 'read' && !effect.except.includes('!/**'));
  assert.ok(Object.isFrozen(effect) && Object.isFrozen(effect.except));
});

test('a glob that cannot be used leaves out everything, and as an exception nothing', () => {
  assert.equal(lastMatch(['['], '/srv/app/a'), '[');
  assert.equal(lastMatch(['/**/*.key', '!['], '/srv/app/a.key'), '/**/*.key');
});

test('D16 a rule that is broken elsewhere than in its glob leaves out what it covers, as it denies a read of it', () => {
  for (const more of [{ examples: ['x'] }, { tol: 'read_file' }, { reason: 1 }, { effect: 'raed' }]) {
    const policy = policyOf([{ path: 'secret/**', decision: 'deny', ...more }]);
    assert.equal(decisionOf(policy, effects.tree('/srv/app')), 'allow');
    assert.equal(decisionOf(policy, effects.read('/srv/app/secret/a')), 'deny');
    assert.equal(leftOut(policy, '/srv/app/secret/a'), '/srv/app/secret/**', JSON.stringify(more));
    assert.equal(leftOut(policy, '/srv/app/src/a'), null);
  }
});
