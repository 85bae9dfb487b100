import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Level } from '../../../extension/boundary/verdict.ts';
import { Roots } from '../../../extension/files/roots.ts';
import { buildPolicy } from '../../../extension/gate/policy.ts';
import { readRules } from '../../../extension/gate/rule.ts';
import { decisionOf, effects, policyOf, rootsOf, verdictOf } from './gates.ts';

const { read, write, create, converse, move, fetch } = effects;

const globs: readonly (readonly [string, string, boolean])[] = [
  // glob, path, whether it matches
  ['src/**', '/srv/app/src/a.ts', true], ['src/**', '/srv/app/src/deep/er/.hidden', true], ['src/**', '/srv/lib/src/a.ts', true],
  ['src/**', '/srv/app/lib/src/a.ts', false], ['src/**', '/srv/app/src-evil/a.ts', false], ['src/**', '/srv/app-evil/src/a.ts', false], ['src/**', '/other/src/a.ts', false],
  ['**', '/srv/app/a', true], ['**', '/etc/hosts', false], ['**/*', '/home/u/a', false], ['**/hosts', '/etc/hosts', false], ['./src/*', '/srv/app/src/a.ts', true],
  ['/etc/**', '/etc/hosts', true], ['/**', '/etc/hosts', true], ['/srv/app/**', '/srv/app/src/a.ts', true], ['/src/**', '/srv/app/src/a.ts', false], ['/srv/app/**', '/srv/app-evil/a', false],
  ['~/notes/**', '/home/u/notes/a.md', true], ['~/notes/**', '/home/u/notes-evil/a.md', false], ['~/notes/**', '/home/other/notes/a.md', false], ['~/**', '/home/u2/x', false],
  ['*.md', '/srv/app/a.md', true], ['*.md', '/srv/app/docs/a.md', false], ['**/*.md', '/srv/app/docs/a.md', true], ['{src,lib}/*.ts', '/srv/app/lib/a.ts', true],
];

for (const [glob, at, matches] of globs) {
  test(`the path ${glob} ${matches ? 'covers' : 'does not cover'} ${at}`, () => {
    assert.equal(decisionOf(policyOf([{ path: glob, decision: 'deny' }]), write(at)), matches ? 'deny' : 'ask');
  });
}

test('a home folder whose name looks like a pattern is taken literally', async () => {
  const roots = await Roots.of([], '/home/{u,v}');
  const policy = buildPolicy({ mode: 'ask', readableSecrets: [], layers: [{ level: 'user', rules: [{ path: '~/notes/**', decision: 'deny' }], place: () => 'p' }] }, roots);
  assert.equal(decisionOf(policy, write('/home/{u,v}/notes/a')), 'deny');
  assert.equal(decisionOf(policy, write('/home/u/notes/a')), 'ask');
  assert.deepEqual(policy.problems, []);
});

test("a user's allow of writes under src/** works inside, and never outside", () => {
  const policy = policyOf([{ effect: 'write', path: 'src/**', decision: 'allow' }]);
  assert.equal(decisionOf(policy, write('/srv/app/src/a.ts')), 'allow');
  assert.equal(decisionOf(policy, create('/srv/lib/src/new/b.ts')), 'allow');
  for (const at of ['/srv/app/a.ts', '/srv/app-evil/src/a.ts', '/src/a.ts', '/home/u/src/a.ts', '/srv/src/a.ts']) assert.equal(decisionOf(policy, write(at)), 'ask');
  assert.equal(decisionOf(policy, effects.remove('/srv/app/src/a.ts')), 'ask');
});

test('outside the workspace asks, whatever allows it', () => {
  const policy = policyOf([{ decision: 'allow' }, { path: '/**', decision: 'allow' }, { path: '~/**', decision: 'allow' }]);
  for (const at of ['/etc/hosts', '/home/u/notes/a', '/srv/app-evil/a', '/srv']) {
    assert.equal(decisionOf(policy, write(at)), 'ask');
    assert.equal(decisionOf(policy, read(at)), 'ask');
  }
  assert.equal(decisionOf(policy, move('/srv/app/a', '/tmp/a')), 'ask');
  assert.equal(verdictOf(policy, { effects: [read('/srv/app-evil/a')] }).decidedBy, 'built-in: outside');
});

test('of a move, an allow must cover both ends; one is enough to deny', () => {
  const across = move('/srv/app/src/a', '/srv/app/lib/a');
  assert.equal(decisionOf(policyOf([{ path: 'src/**', decision: 'allow' }]), across), 'ask');
  assert.equal(decisionOf(policyOf([{ path: '{src,lib}/**', decision: 'allow' }]), across), 'allow');
  assert.equal(decisionOf(policyOf([{ path: 'lib/**', decision: 'deny' }]), across), 'deny');
});

test('all given fields must match', () => {
  const policy = policyOf([{ effect: 'write', tool: 'edit_file', path: 'src/**', decision: 'deny' }]);
  const by = (tool: string, effect: Parameters<typeof decisionOf>[1]): string => verdictOf(policy, { tool, effects: [effect] }).decision;
  assert.equal(by('edit_file', write('/srv/app/src/a')), 'deny');
  assert.equal(by('write_file', write('/srv/app/src/a')), 'ask');
  assert.equal(by('Edit_File', write('/srv/app/src/a')), 'ask');
  assert.equal(by('edit_file', read('/srv/app/src/a')), 'allow');
  assert.equal(by('edit_file', write('/srv/app/lib/a')), 'ask');
});

test('an allow with a path never allows what has none', () => {
  assert.equal(decisionOf(policyOf([{ path: '**', decision: 'allow' }, { path: '/**', decision: 'allow' }]), fetch()), 'ask');
});

for (const level of ['workspace', 'folder'] as const satisfies readonly Level[]) {
  test(`an allow of the ${level} does nothing, its deny and ask count`, () => {
    const at = write('/srv/app/src/a.ts');
    assert.equal(decisionOf(policyOf([{ decision: 'allow' }, { effect: 'write', path: 'src/**', decision: 'allow' }], {}, level), at), 'ask');
    assert.deepEqual(verdictOf(policyOf([{ decision: 'allow' }], {}, level), { effects: [at] }).rules, []);
    assert.equal(decisionOf(policyOf([{ decision: 'deny' }], {}, level), at), 'deny');
    assert.equal(decisionOf(policyOf([{ effect: 'read', decision: 'ask' }], {}, level), read('/srv/app/a')), 'ask');
  });
}

const broken: readonly (readonly [string, object])[] = [
  ['an open bracket', { path: 'src/[' }], ['an open brace', { path: '{a' }], ['an empty path', { path: '' }], ['a path that is a number', { path: 7 }], ['a path that is a list', { path: ['a'] }],
  ['parts that match nothing', { path: '../x' }], ['a negated path', { path: '!src/**' }], ['an effect that is not known', { effect: 'writ' }], ['an effect of Object', { effect: 'toString' }],
  ['an effect that is null', { effect: null }], ['a tool that is a number', { tool: 1 }], ['a misspelt field', { pth: 'src/**' }], ['a field of the prototype', JSON.parse('{"__proto__":{"decision":"allow"}}') as object],
  ['a field named toString', { toString: 'x' }], ['a reason that is no text', { reason: {} }],
];

for (const [what, fields] of broken) {
  test(`D5 a rule with ${what} never allows, always asks and denies, and is reported`, () => {
    for (const effect of [write('/srv/app/src/a.ts'), read('/srv/app/a'), converse()]) {
      assert.deepEqual(verdictOf(policyOf([{ ...fields, decision: 'allow' }]), { effects: [effect] }).rules.filter(({ level }) => level === 'user'), []);
      assert.equal(decisionOf(policyOf([{ ...fields, decision: 'deny' }]), effect), 'deny');
      assert.equal(decisionOf(policyOf([{ ...fields, decision: 'ask' }, { decision: 'allow' }]), effect), 'ask');
    }
    assert.deepEqual(policyOf([{ ...fields, decision: 'allow' }]).problems.map(({ place }) => place), ['user[0]']);
  });
}

test('of nested folders, deny and ask speak of every one that holds the path, allow of the innermost', async () => {
  const nested = await rootsOf('/srv/app', '/srv/app/lib');
  const policy = (rules: unknown) => buildPolicy({ mode: 'ask', readableSecrets: [], layers: [{ level: 'user', rules, place: () => 'p' }] }, nested);
  for (const at of ['/srv/app/lib/private/a', '/srv/app/lib/private']) {
    assert.equal(decisionOf(policy([{ path: 'lib/private/**', decision: 'deny' }]), read(at)), 'deny');
    assert.equal(decisionOf(policy([{ path: 'private/**', decision: 'ask' }]), read(at)), 'ask');
  }
  assert.equal(decisionOf(policy([{ path: 'private/**', decision: 'deny' }]), read('/srv/app/lib/public/a')), 'allow');
  assert.equal(decisionOf(policy([{ effect: 'write', path: 'lib/**', decision: 'allow' }]), write('/srv/app/lib/a')), 'ask');
  assert.equal(decisionOf(policy([{ effect: 'write', path: 'a', decision: 'allow' }]), write('/srv/app/lib/a')), 'allow');
});

for (const [platform, decisions] of [['linux', ['allow', 'ask', 'ask']], ['darwin', ['deny', 'ask', 'ask']], ['win32', ['deny', 'ask', 'ask']]] as const) {
  test(`case in a rule's path on ${platform}: to deny, it counts as it does to the file system; an allow is taken at its word`, (t) => {
    const own = process.platform;
    Object.defineProperty(process, 'platform', { value: platform });
    t.after(() => Object.defineProperty(process, 'platform', { value: own }));
    const policy = policyOf([{ effect: 'read', path: 'Private/**', decision: 'deny' }, { effect: 'write', path: 'Src/**', decision: 'allow' }, { effect: 'write', path: 'src/**', decision: 'ask' }]);
    assert.deepEqual([read('/srv/app/private/a'), write('/srv/app/src/a'), write('/srv/app/SRC/a')].map((effect) => decisionOf(policy, effect)), decisions);
  });
}

test('a broken rule still keeps to the fields that are sound', () => {
  const policy = policyOf([{ path: 'src/**', tol: 'edit_file', decision: 'deny' }, { effect: 'write', path: '[', decision: 'deny' }]);
  assert.equal(decisionOf(policy, read('/srv/app/src/a')), 'deny');
  assert.equal(decisionOf(policy, read('/srv/app/lib/a')), 'allow');
  assert.equal(decisionOf(policy, write('/srv/app/lib/a')), 'deny');
});

const noRules: readonly (readonly [string, unknown])[] = [
  ['text', 'allow'], ['a number', 1], ['null', null], ['a list', [{ decision: 'allow' }]], ['true', true], ['an empty object', {}], ['a decision that is not known', { decision: 'alow' }],
  ['a decision in capitals', { decision: 'ALLOW' }], ['a decision that is a list', { decision: ['allow'] }], ['a decision that is inherited', Object.create({ decision: 'allow' })],
];

for (const [what, entry] of noRules) {
  test(`an entry that is ${what} is no rule: it asks, and is reported`, () => {
    const policy = policyOf([{ decision: 'allow' }, entry]);
    assert.equal(decisionOf(policy, write('/srv/app/a')), 'ask');
    assert.equal(decisionOf(policy, read('/srv/app/a')), 'ask');
    assert.deepEqual(policy.problems.map(({ place }) => place), ['user[1]']);
  });
}

test('rules that are no list are read as one rule; none at all are none', () => {
  assert.equal(decisionOf(policyOf({ decision: 'deny' }), read('/srv/app/a')), 'deny');
  assert.equal(decisionOf(policyOf('allow'), read('/srv/app/a')), 'ask');
  for (const none of [undefined, null, []]) assert.deepEqual(policyOf(none).rules, []);
});

test('tools named like members of Object are names like any other', () => {
  for (const tool of ['toString', '__proto__', 'constructor', 'hasOwnProperty']) {
    const policy = policyOf([{ tool, decision: 'deny' }]);
    assert.equal(verdictOf(policy, { tool, effects: [read('/srv/app/a')] }).decision, 'deny');
    assert.equal(verdictOf(policy, { tool: 'read_file', effects: [read('/srv/app/a')] }).decision, 'allow');
  }
});

for (const [field, value, effect] of [['argv', ['npm', 'test'], 'run'], ['host', 'example.com', 'fetch'], ['server', 'files', 'mcp']] as const) {
  test(`a rule on \`${field}\` speaks of ${effect} alone, and cannot allow until its value is evaluated`, () => {
    const { rules, problems } = readRules([{ [field]: value, decision: 'deny' }], 'user', (index) => `rules[${index}]`, '/home/x');
    assert.deepEqual(rules.map((placed) => [placed.rule.effect, placed.broken]), [[effect, true]]);
    assert.equal(problems.length, 1);
  });
}
