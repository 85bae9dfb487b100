import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { CodedError } from '../../extension/boundary/error-codes.ts';
import { spawnToolHost, type ToolHost, type ToolHostExit } from '../../extension/sandbox/spawn-tool-host.ts';

const root = join(import.meta.dirname, '../..');
let folder = '';
let builtHost = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-tool-host-'));
  builtHost = join(folder, 'tool-host.cjs');
  await build({
    absWorkingDir: root, entryPoints: ['tool-host/main.ts'], outfile: builtHost, bundle: true, platform: 'node', target: 'node20', format: 'cjs', minify: true,
    logLevel: 'error',
  });
});
after(() => rm(folder, { recursive: true, force: true }));

const framed = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const rpc = (message: object): string => framed(JSON.stringify({ jsonrpc: '2.0', ...message }));

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs the built host with these bytes as its whole input. */
async function runHost(input: string, flags: readonly string[] = []): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string; readonly pid: number }> {
  const child = spawn(process.execPath, [...flags, builtHost], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => { output.stdout += text; });
  child.stderr.setEncoding('utf8').on('data', (text: string) => { output.stderr += text; });
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...output, pid: child.pid ?? 0 };
}

test('the built host answers initialize and ping, and ends with its input, code 0', async () => {
  const host = spawnToolHost({ file: builtHost, environment: process.env });
  assert.deepEqual(await host.request('initialize', { protocolVersion: 1 }), { protocolVersion: 1, pid: host.pid });
  const nonces = ['a', 'é', '𝄞'.repeat(100), ''];
  assert.deepEqual(await Promise.all(nonces.map((nonce) => host.request('ping', { nonce }))), nonces.map((nonce) => ({ nonce })));
  assert.equal(isAlive(host.pid), true);
  assert.deepEqual(await host.end(), { fault: null, code: 0, signal: null, stderr: '' });
  assert.equal(isAlive(host.pid), false);
});

test('the built host refuses parameters of the wrong shape, and goes on', async () => {
  const host = spawnToolHost({ file: builtHost, environment: process.env });
  await assert.rejects(host.request('ping', { nonce: 'x'.repeat(201) }), /maxLength/);
  assert.deepEqual(await host.request('ping', { nonce: 'n' }), { nonce: 'n' });
  assert.equal((await host.end()).code, 0);
});

test('the built host writes answers on its standard output and nothing else', async () => {
  const input = rpc({ id: 1, method: 'ping', params: { nonce: 'n' } }) + rpc({ method: 'ping', params: { nonce: 'unanswered' } }) + rpc({ id: 2, method: 'run', params: {} });
  const { code, stdout, stderr } = await runHost(input);
  assert.equal(
    stdout, rpc({ id: 1, result: { nonce: 'n' } }) + rpc({ id: 2, error: { code: -32601, message: 'The tool host has no such method.' } }),
  );
  assert.deepEqual([code, stderr], [0, '']);
});

test('the built host ends at bytes that are no frame, and says why on standard error', async () => {
  const cases: readonly (readonly [string, string])[] = [
    ['hello\r\n\r\n', 'A message header is not one Content-Length with a positive decimal number.\n'],
    ['Content-Length: 4294967296\r\n\r\n', 'A message of more than 8388608 bytes was announced.\n'],
    ['x'.repeat(100_000), 'A message header has more than 1024 bytes.\n'],
    ['Content-Length: 9\r\n\r\n{}', 'The input ended in the middle of a message.\n'],
  ];
  for (const [input, stderr] of cases) {
    const { pid, ...rest } = await runHost(input);
    assert.deepEqual(rest, { code: 1, stdout: '', stderr });
    assert.equal(isAlive(pid), false);
  }
});

test('what makes an editor behave as Node is gone from the environment that the host could hand on', async () => {
  const probe = join(folder, 'probe.cjs');
  await writeFile(probe, "process.on('exit', () => process.stderr.write(String(process.env.ELECTRON_RUN_AS_NODE)));");
  assert.equal((await runHost('', ['--require', probe])).stderr, 'undefined');
});

let scripts = 0;
/** A host whose code is `script`; `send` writes text to its standard output. It stays until it is killed, unless it says otherwise. */
async function hostileHost(script: string, graceMs?: number): Promise<ToolHost> {
  scripts += 1;
  const file = join(folder, `hostile-${scripts}.cjs`);
  await writeFile(file, `const send = (text) => process.stdout.write(text);\nsetInterval(() => undefined, 1000);\n${script}\n`);
  return spawnToolHost({ file, environment: process.env, ...(graceMs === undefined ? {} : { graceMs }) });
}

const sends = (bytes: string): string => `send(${JSON.stringify(bytes)});`;
const mayOnlyAnswer = (name: string): string => `The tool host sent "${name}", but it may only answer.`;

const hostile: Readonly<Record<string, readonly [string, string]>> = {
  ...Object.fromEntries(
    ['workspace/applyEdit', 'window/showDocument', 'client/registerCapability', 'workspace/configuration', 'window/showMessageRequest'].map((method) => [
      `asks for ${method}`, [sends(rpc({ id: 1, method, params: {} })), mayOnlyAnswer(method)],
    ]),
  ),
  ...Object.fromEntries(
    ['window/logMessage', '$/progress', 'textDocument/publishDiagnostics'].map((method) => [
      `notifies of ${method}`, [sends(rpc({ method, params: {} })), mayOnlyAnswer(method)],
    ]),
  ),
  'prints': [sends('Listening on port 3000\n'), 'The tool host sent something that is not a message header.'],
  'sends a batch': [sends(framed('[]')), 'The tool host sent a batch of messages, which its protocol does not have.'],
  'sends bytes that are no UTF-8': [
    `process.stdout.write(Buffer.from('Content-Length: 1\\r\\n\\r\\n\\xff', 'latin1'));`, 'The tool host sent a message that is not UTF-8.',
  ],
  'announces four gigabytes': [sends('Content-Length: 4294967296\r\n\r\n'), 'The tool host announced a message of more than 8388608 bytes.'],
  'never ends its header': [`setInterval(() => send('x'.repeat(10000)), 1);`, 'The tool host sent a header of more than 1024 bytes.'],
  'answers what nobody asked': [sends(rpc({ id: 99, result: {} })), 'The tool host answered a request that is not waiting for an answer.'],
  'answers twice': [
    `process.stdin.once('data', () => send(${JSON.stringify(rpc({ id: 0, result: { nonce: 'n' } }).repeat(2))}));`,
    'The tool host answered a request that is not waiting for an answer.',
  ],
  'answers with another shape': [
    `process.stdin.once('data', () => send(${JSON.stringify(rpc({ id: 0, result: { nonce: 'n', edit: {} } }))}));`,
    'The tool host answered "ping" with a result of the wrong shape.',
  ],
  'dies within a message': [`process.stdout.write('Content-Length: 50\\r\\n\\r\\n{', () => process.exit(0));`, 'The tool host ended in the middle of a message.'],
  'dies instead of answering': [`process.stdin.once('data', () => process.exit(3));`, 'The tool host ended before it had answered.'],
  'ignores requests to end itself': [
    `for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);\n${sends('noise\n')}`,
    'The tool host sent something that is not a message header.',
  ],
};

for (const [name, [script, reason]] of Object.entries(hostile)) {
  test(`a host that ${name} is ended, is gone, and it is said why`, async () => {
    const host = await hostileHost(script);
    const asked = host.request('ping', { nonce: 'n' }).then(() => 'answered', (error: unknown) => error);
    const exit: ToolHostExit = await host.exited;
    assert.equal(exit.fault, reason);
    assert.equal(isAlive(host.pid), false);
    const outcome = await asked;
    if (outcome !== 'answered') assert.ok(outcome instanceof CodedError && outcome.code === 'HOST_LOST' && outcome.message === reason, String(outcome));
    await assert.rejects(host.request('ping', { nonce: 'n' }), { code: 'HOST_LOST', message: reason });
  });
}

test('a host whose script is missing is a fault, with what it wrote on standard error', async () => {
  const exit = await spawnToolHost({ file: join(folder, 'none.cjs'), environment: process.env }).exited;
  assert.equal(exit.fault, 'The tool host closed the connection.');
  assert.match(exit.stderr, /Cannot find module/);
});

test('a host that does not end with its input is ended by force, which is no fault', async () => {
  const host = await hostileHost('process.stdin.resume();', 50);
  assert.deepEqual(await host.end(), { fault: null, code: null, signal: 'SIGKILL', stderr: '' });
  assert.equal(isAlive(host.pid), false);
});

test('standard error is kept to its cap, and a host that floods it is not held up', async () => {
  const host = await hostileHost(`process.stderr.write('e'.repeat(5_000_000), () => process.exit(0));`);
  assert.equal((await host.exited).stderr, 'e'.repeat(16 * 1024));
});

test('a host inherits no secret of the editor', async () => {
  const script = `require('fs').writeSync(2, Object.keys(process.env).sort().join(' ')); process.exit(0);`;
  scripts += 1;
  const file = join(folder, `environment-${scripts}.cjs`);
  await writeFile(file, script);
  const exit = await spawnToolHost({ file, environment: { PATH: '/bin', OPENAI_API_KEY: 'secret', NODE_OPTIONS: '--no-warnings' } }).exited;
  assert.equal(exit.stderr, 'ELECTRON_RUN_AS_NODE PATH');
});
