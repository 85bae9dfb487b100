import assert from 'node:assert/strict';
import { link, symlink } from 'node:fs/promises';
import { test } from 'node:test';
import { codeOf, textOf } from '../pipeline/plain-tool.ts';
import { layer, sessionHost } from '../pipeline/session-host.ts';
import { decisionOf, effects, policyOf, verdictOf } from './gates.ts';

const secret = [
  '.env', '.env.local', '.env.production', '.ENV', '.Env.Local', '.envrc', 'sub/.env', 'sub/deep/.env.local', '.env.d/database', '.env.example/real', '.env.sample.d/real',
  'id_rsa', 'keys/id_ed25519', 'id_ed25519_sk', 'ID_RSA', 'id_rsa.bak', 'x.pem', 'X.PEM', 'tls.key', 'a.p12', 'a.pfx', 'a.jks', 'a.keystore', 'a.ppk', 'a.kdbx',
  '.netrc', '_netrc', '.pgpass', '.git-credentials', '.htpasswd', '.pypirc', '.ssh/id_rsa', '.ssh/mykey', '.ssh', '.gnupg/secring.gpg', '.aws/credentials', '.kube/config',
  '.docker/config.json', '.config/gh/hosts.yml', '.cargo/credentials.toml', 'service-account-prod.json', 'client_secret_1.json', '.m2/settings.xml',
];
const notSecret = [
  '.env.example', '.env.sample', '.env.template', '.env.production.sample', '.env.local.example', 'sub/.env.example', 'id_rsa.pub', 'keys/id_ed25519.pub', '.ssh/config', '.ssh/known_hosts',
  'env', 'dotenv.ts', 'x.env', 'keyboard.ts', 'pem.ts', 'src/secrets.ts', '.docker/Dockerfile', 'ssh/id', 'a.key.ts',
];

for (const name of secret) test(`reading ${name} is denied, also where everything is allowed`, () => {
  const policy = policyOf([{ decision: 'allow' }, { path: '**', decision: 'allow' }]);
  const verdict = verdictOf(policy, { effects: [effects.read(`/srv/app/${name}`)] });
  assert.deepEqual([verdict.decision, verdict.decidedBy], ['deny', 'built-in: secrets']);
});

for (const name of notSecret) test(`reading ${name} is allowed`, () => {
  assert.equal(decisionOf(policyOf([]), effects.read(`/srv/app/${name}`)), 'allow');
});

for (const at of ['/home/u/.ssh/id_rsa', '/home/u/.aws/config', '/etc/shadow', '/etc/ssl/private/x', '/proc/self/environ', '/proc/1/fd/3', '/proc/1/task/1/environ']) {
  test(`reading ${at} is denied, not asked`, () => assert.equal(decisionOf(policyOf([{ path: '/**', decision: 'allow' }]), effects.read(at)), 'deny'));
}

test("a user's setting opens one secret, and nothing else", () => {
  const open = (glob: string) => policyOf([], { readableSecrets: [glob] });
  for (const glob of ['.env.test', '**/.env.test', '/srv/app/.env.test']) {
    assert.equal(decisionOf(open(glob), effects.read('/srv/app/.env.test')), 'allow');
    assert.equal(decisionOf(open(glob), effects.read('/srv/app/.env')), 'deny');
    assert.equal(decisionOf(open(glob), effects.read('/srv/app/.env.test.local')), 'deny');
  }
  assert.equal(decisionOf(open('~/k.pem'), effects.read('/home/u/k.pem')), 'ask');
});

test('a setting that cannot be used opens nothing', () => {
  for (const glob of ['[', '', '../**', '!**', '/']) assert.equal(decisionOf(policyOf([], { readableSecrets: [glob] }), effects.read('/srv/app/.env')), 'deny');
});

const waysIn = ['.env', './.env', 'sub/../.env', './/.env', 'sub//../.env', '.env/', '.env/.', 'sub/link', 'link', 'folder/.env', 'chain', '~/../ws/.env'];

for (const way of waysIn) test(`a secret cannot be read by the way of ${way}`, async (t) => {
  const session = await sessionHost(t, { files: { '.env': 'KEY=hunter2', 'sub/x': '' }, policy: { layers: [layer([{ decision: 'allow' }])] }, answer: 'allowed' });
  await symlink('.env', session.at('link'));
  await symlink('../.env', session.at('sub/link'));
  await symlink('link', session.at('chain'));
  await symlink('.', session.at('folder'));
  for (const [tool, args] of [['read_file', { path: way }], ['edit_file', { path: way, edits: [{ oldText: 'KEY', newText: 'K' }] }], ['write_file', { path: way, content: 'x' }]] as const) {
    const outcome = await session.propose(tool, args);
    assert.equal(codeOf(outcome), 'DENIED_BY_POLICY', tool);
    assert.equal(outcome.verdict?.decision, 'deny');
    assert.deepEqual(outcome.effects.map(({ kind }) => kind), ['read']);
    assert.doesNotMatch(JSON.stringify(outcome), /hunter2/);
  }
  assert.equal(session.asks.length, 0);
});

test('a secret is found by neither tree tool, through links either, and the result says that it was left out', async (t) => {
  const session = await sessionHost(t, { files: { '.env': 'KEY=hunter2', 'sub/.ENV.local': 'KEY=hunter2', 'a.ts': 'hunter2' } });
  await symlink('.env', session.at('innocent.txt'));
  const found = textOf(await session.propose('find_files', { pattern: '**' }));
  assert.match(found, /^a\.ts\ninnocent\.txt\n\[left out: \.env \(\/\*\*\/\.env\*\), sub\/\.ENV\.local/m);
  const searched = textOf(await session.propose('search_text', { query: 'hunter2' }));
  assert.match(searched, /^a\.ts:1: hunter2\n\[1 match in 1 file searched\]\n\[left out: \.env /);
});

test('known limit: a second name of a secret file (a hard link) is not known to be one', async (t) => {
  const session = await sessionHost(t, { files: { '.env': 'KEY=1' } });
  await link(session.at('.env'), session.at('innocent.txt'));
  assert.equal(codeOf(await session.propose('read_file', { path: 'innocent.txt' })), 'well');
});
