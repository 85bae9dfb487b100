import assert from 'node:assert/strict';
import { link } from 'node:fs/promises';
import { test } from 'node:test';
import { gatherFacts } from '../../../extension/gate/facts.ts';
import { codeOf } from '../pipeline/plain-tool.ts';
import { layer, sessionHost } from '../pipeline/session-host.ts';
import { decisionOf, effects, path as realPath, policyOf, verdictOf } from './gates.ts';

const isProtected = [
  '.vscode/settings.json', '.vscode/tasks.json', 'sub/.vscode/settings.json', '.VSCODE/x', '.vscode', '.vscode./settings.json', '.vscode /settings.json', '.vscode::$DATA/x', 'a.code-workspace', 'sub/A.CODE-WORKSPACE',
  '.git/hooks/pre-commit', '.GIT/config', '.git/config', '.git', 'vendor/.git/config', '.git./config', 'GIT~1/config', '.g\u200Bit/config', '\uFF0Egit/config', '.gitmodules', '.gitconfig', '.husky/pre-commit', '.idea/x.xml', '.devcontainer/devcontainer.json',
  'AGENTS.md', 'agents.md', 'sub/AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.cursorrules', '.cursor/rules/x.mdc', '.claude/settings.json', '.github/copilot-instructions.md', 'x.instructions.md', 'a.prompt.md', 'SKILL.md',
  'mcp.json', '.mcp.json', '.cursor/mcp.json', 'MCP.JSON', 'sub/mcp.json.', '.bashrc', '.zshrc', '.profile', '.envrc', 'config.fish', '.npmrc', '.yarnrc.yml', '.pnpmfile.cjs', '.NPMRC', 'packages/a/.npmrc', '.countersign/policy.json',
  'QWEN.md', 'AGENTS.override.md', 'opencode.json', '.kiro/steering/x.md', '.junie/guidelines.md',
  '.config/Code/User/settings.json', '.config/Code - Insiders/User/tasks.json', '.config/VSCodium/User/profiles/1a2b/settings.json', 'Library/Application Support/Code/User/settings.json',
  'AppData/Roaming/Code/User/Settings.json', '.local/share/code-server/User/settings.json', '.vscode-server/data/Machine/settings.json',
];
const isNot = ['src/a.ts', 'vscode/settings.json', 'git/config', 'a.vscode', '.gitignore', '.gitattributes', '.github/workflows/x.yml', 'agents.ts', 'docs/agents.txt', 'mcp.ts', 'bashrc', 'npmrc', 'code-workspace', 'README.md', 'xAGENTS.md',
  'src/user/settings.json', '.config/app/settings.json', '.config/Code/User/snippets/a.json'];
const everything = policyOf([{ decision: 'allow' }, { effect: 'write', path: '**', decision: 'allow' }]);

for (const name of isProtected) test(`changing ${JSON.stringify(name)} asks although a user rule allows all writes`, () => {
  const at = `/srv/app/${name}`;
  for (const effect of [effects.write(at), effects.create(at), effects.remove(at), effects.move(at, '/srv/app/x'), effects.move('/srv/app/x', at)]) assert.equal(decisionOf(everything, effect), 'ask');
  assert.equal(verdictOf(everything, { effects: [effects.write(at)] }).decidedBy, 'built-in: protected');
  assert.match(verdictOf(everything, { effects: [effects.write(at)] }).reason, /^it is protected: /);
  assert.equal(decisionOf(policyOf([{ decision: 'deny' }]), effects.write(at)), 'deny');
});

for (const name of isNot) test(`changing ${name} is as free as the rules say`, () => {
  assert.equal(decisionOf(everything, effects.write(`/srv/app/${name}`)), 'allow');
});

test('the file that rules were read from is protected, whatever its name', () => {
  const policy = policyOf([{ decision: 'allow' }], { ownFiles: [realPath('/srv/app/rules.json')] });
  assert.equal(verdictOf(policy, { effects: [effects.write('/srv/app/rules.json')] }).reason, 'it is protected: our own policy');
  assert.equal(decisionOf(policy, effects.write('/srv/app/rules.json')), 'ask');
  assert.equal(decisionOf(policy, effects.write('/srv/app/other.json')), 'allow');
});

test('a claim of a protected write asks as well', () => {
  assert.equal(verdictOf(everything, { effects: [effects.converse()], claims: [effects.write('/srv/app/.git/config')] }).decision, 'ask');
});

test('reading what is protected is free', () => {
  for (const name of ['.vscode/settings.json', 'AGENTS.md', '.git/config']) assert.equal(decisionOf(policyOf([]), effects.read(`/srv/app/${name}`)), 'allow');
});

const manifest = (scripts: object, rest: object = {}): string => `${JSON.stringify({ name: 'a', ...(Object.keys(scripts).length > 0 && { scripts }), ...rest })}\n`;
const packages: readonly (readonly [string, string | null, string, boolean])[] = [
  // what, before, after, whether it asks
  ['a changed script', manifest({ test: 'a' }), manifest({ test: 'b' }), true], ['an added script', manifest({}), manifest({ postinstall: 'x' }), true], ['a removed script', manifest({ test: 'a' }), manifest({}), true],
  ['other fields', manifest({ test: 'a' }), manifest({ test: 'a' }, { version: '2' }), false], ['white space', manifest({ test: 'a' }), manifest({ test: 'a' }).replaceAll(',', ', '), false],
  ['text that is no JSON', manifest({ test: 'a' }), '{', true], ['text that was no JSON', '{', manifest({}), true], ['no JSON before and after', '{', '{ ', true], ['a second scripts that wins', manifest({ test: 'a' }), '{"scripts":{"test":"a"},"scripts":{"test":"b"}}', true],
  ['a script behind an escape', manifest({ test: 'a' }), '{"\\u0073cripts":{"test":"b"}}', true], ['a new file with scripts', null, manifest({ postinstall: 'x' }), true], ['a new file without', null, manifest({}), false],
];

for (const [what, before, after, asks] of packages) test(`${what} in package.json ${asks ? 'asks' : 'does not ask'}, although all writes are allowed`, async (t) => {
  const files = before === null ? {} : { 'sub/package.json': before };
  const session = await sessionHost(t, { files, policy: { layers: [layer([{ effect: 'write', decision: 'allow' }])] }, answer: 'denied' });
  if (before !== null) await session.read('sub/package.json');
  const outcome = await session.propose('write_file', { path: 'sub/package.json', content: after });
  assert.deepEqual([codeOf(outcome), outcome.verdict?.decidedBy], asks ? ['DENIED_BY_PERSON', 'built-in: scripts'] : ['well', 'user[0]']);
});

test('moving or deleting a package.json asks', async () => {
  for (const effect of [effects.remove('/srv/app/package.json'), effects.move('/srv/app/a', '/srv/app/package.json'), effects.move('/srv/app/package.json', '/srv/app/a')]) {
    const facts = await gatherFacts({ effects: [effect], claims: [], content: new Map() });
    assert.equal(verdictOf(everything, { effects: [effect], facts }).decidedBy, 'built-in: scripts');
  }
});

test('a file with a second name asks, and the card says so', async (t) => {
  const session = await sessionHost(t, { files: { 'a.ts': 'one\n' }, policy: { layers: [layer([{ effect: 'write', decision: 'allow' }])] }, answer: 'denied' });
  await link(session.at('a.ts'), session.at('../outside/other'));
  await session.read('a.ts');
  const outcome = await session.propose('write_file', { path: 'a.ts', content: 'two\n' });
  assert.deepEqual([codeOf(outcome), outcome.verdict?.decidedBy], ['DENIED_BY_PERSON', 'built-in: hard links']);
  assert.match(session.asks[0]?.content.warnings.join() ?? '', /has 2 names/);
});

test('a neighbour whose name only begins like the folder is outside', async (t) => {
  const session = await sessionHost(t, { files: { 'src/a': '1' }, policy: { layers: [layer([{ effect: 'write', path: '**', decision: 'allow' }, { effect: 'read', path: '**', decision: 'allow' }])] } });
  const evil = `${session.at('.')}-evil`;
  for (const path of ['../ws-evil/a', `${evil}/a`, 'src/../../ws-evil/a']) {
    const outcome = await session.propose('write_file', { path, content: 'x' });
    assert.deepEqual([codeOf(outcome), outcome.verdict?.decidedBy], ['ASK_UNAVAILABLE', 'built-in: outside']);
  }
  assert.deepEqual(Object.keys(await session.world()).filter((name) => name.includes('evil')), []);
});
