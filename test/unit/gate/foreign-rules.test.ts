import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { completeEffect } from '../../../extension/gate/decide.ts';
import { lastMatch } from '../../../extension/gate/match.ts';
import { buildPolicy, type Policy, type PolicySource } from '../../../extension/gate/policy.ts';
import type { Rule } from '../../../extension/gate/rule.ts';
import { decisionOf, effects, rootsOf, verdictOf } from './gates.ts';

const app = 'memfs://host/app';
const roots = await rootsOf(app, '/srv/app');

function policy(rules: readonly Rule[], over: Partial<PolicySource> = {}): Policy {
  return buildPolicy({ mode: 'ask', readableSecrets: [], layers: [{ level: 'user', rules, place: (index) => `user[${index}]` }], ...over }, roots);
}

const write = effects.write(`${app}/src/a.ts`);

suite('rules off the disk', () => {
  test('a glob is relative to the folder, as on disk', () => {
    assert.equal(decisionOf(policy([{ effect: 'write', path: 'src/**', decision: 'allow' }]), write), 'allow');
    assert.equal(decisionOf(policy([{ effect: 'write', path: 'lib/**', decision: 'allow' }]), write), 'ask');
    assert.equal(decisionOf(policy([{ effect: 'write', path: 'src/*.ts', decision: 'deny' }]), write), 'deny');
  });

  test('a glob that is anchored on the disk allows nothing there, and asks or denies there only where it names no place', () => {
    for (const path of ['/**', '/**/*.ts', '/app/**', '/src/a.ts', '~/**', '/memfs:/@host/app/**']) assert.equal(decisionOf(policy([{ effect: 'write', path, decision: 'allow' }]), write), 'ask', path);
    for (const path of ['/app/**', '/srv/app/**', '~/**', '/*', '/memfs:/@host/app/**']) assert.equal(decisionOf(policy([{ effect: 'write', path, decision: 'deny' }]), write), 'ask', path);
    for (const path of ['/**', '/**/*.ts', '/**/src/**']) assert.equal(decisionOf(policy([{ effect: 'write', path, decision: 'deny' }]), write), 'deny', path);
  });

  test('whether case counts there is not known: what asks or denies holds without it, what allows only with it', () => {
    assert.equal(decisionOf(policy([{ effect: 'write', path: 'SRC/**', decision: 'deny' }]), write), 'deny');
    assert.equal(decisionOf(policy([{ effect: 'write', path: 'SRC/**', decision: 'allow' }]), write), 'ask');
  });

  test('secrets are known by their names', () => {
    for (const name of ['.env', 'src/.ENV.local', 'keys/a.PEM', '.ssh/id_rsa', '.aws/credentials']) assert.equal(decisionOf(policy([{ decision: 'allow' }]), effects.read(`${app}/${name}`)), 'deny', name);
    for (const name of ['.env.example', 'src/a.ts', '.ssh/config']) assert.equal(decisionOf(policy([{ decision: 'allow' }]), effects.read(`${app}/${name}`)), 'allow', name);
  });

  test('a secret is readable by a glob of any folder, and not by one that is absolute on disk', () => {
    const env = effects.read(`${app}/test/.env`);
    assert.equal(decisionOf(policy([{ decision: 'allow' }], { readableSecrets: ['test/.env'] }), env), 'allow');
    assert.equal(decisionOf(policy([{ decision: 'allow' }], { readableSecrets: ['/app/test/.env'] }), env), 'deny');
  });

  test('what is protected on disk is protected there', () => {
    for (const name of ['.vscode/settings.json', '.GIT/hooks/x', 'AGENTS.md', 'sub/.npmrc', '.git./config']) {
      const verdict = verdictOf(policy([{ decision: 'allow' }]), { effects: [effects.create(`${app}/${name}`)] });
      assert.deepEqual([verdict.decision, verdict.decidedBy], ['ask', 'built-in: protected'], name);
    }
  });

  test('a neighbour, another authority, another scheme and the same text on disk lie outside', () => {
    for (const path of ['memfs://host/app-evil/a', 'memfs://hosts/app/a', 'memfs://HOST/app/a', 'vfs://host/app/a', '/host/app/a', '/memfs:/host/app/a']) assert.equal(roots.rootOf(path), null, path);
    assert.equal(roots.rootOf(`${app}/a`)?.path, app);
    assert.equal(roots.rootOf(app)?.path, app);
    assert.equal(roots.relativeIn('/srv/app/x'), 'x');
  });

  test('Plan mode changes nothing', () => {
    assert.equal(decisionOf(policy([{ decision: 'allow' }], { mode: 'plan' }), write), 'deny');
    assert.equal(decisionOf(policy([], { mode: 'plan' }), effects.read(`${app}/a`)), 'allow');
  });

  test('a tree leaves out what rules below it deny, and only in their folder', () => {
    const effect = completeEffect(effects.tree(app), 'search_text', policy([{ path: 'private/**', decision: 'deny' }, { path: '/**/*.log', decision: 'deny' }, { path: '/srv/app/**', decision: 'deny' }]));
    assert.ok(effect.kind === 'read');
    const left = (path: string): boolean => lastMatch(effect.except, path) !== null;
    assert.deepEqual([`${app}/private/a`, `${app}/Private/a`, `${app}/x.log`, `${app}/.env`, '/srv/app/private/a', '/srv/app/x'].map(left), [true, true, true, true, true, true]);
    assert.deepEqual([`${app}/src/a`, 'memfs://host/other/private/a', '/srv/lib/private/a'].map(left), [false, false, false]);
  });
});
