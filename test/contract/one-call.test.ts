import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sha256 } from '../../extension/boundary/digest.ts';
import type { Digest, Effect, Foreseen, RealPath } from '../../extension/boundary/effect.ts';
import type { Json } from '../../extension/boundary/json.ts';
import type { Proposal } from '../../extension/boundary/proposal.ts';
import type { Run, ToolDefinition, ToolSchema } from '../../extension/boundary/tool-definition.ts';
import type { ModelRequest } from '../../extension/model/model-client.ts';
import { redeem, type Permit, type Planned, type Redeemed } from '../../extension/gate/permit.ts';
import type { Policy } from '../../extension/gate/policy.ts';
import { startRun, type RunPorts } from '../../extension/gate/run.ts';
import { foresee } from '../../extension/pipeline/foresee.ts';
import type { RegisteredTool } from '../../extension/boundary/registry.ts';
import { createPipeline } from '../../extension/pipeline/pipeline.ts';
import type { LookParts } from '../../extension/pipeline/look.ts';
import { sessionHost } from '../unit/pipeline/session-host.ts';

// What does not compile. Each line that is expected to be an error is one, and none but those: see the test below.

interface Things {
  readonly definition: ToolDefinition<Json>;
  readonly planned: Planned;
  readonly policy: Policy;
  readonly tool: RegisteredTool;
  readonly parts: LookParts;
  readonly ports: RunPorts;
  readonly signal: AbortSignal;
  readonly effect: Effect;
  readonly digest: Digest;
}

export function notCompiled({ definition, planned, policy, tool, parts, ports, signal, effect, digest }: Things): readonly unknown[] {
  // @ts-expect-error A11 a definition in the place of a schema: `parameters` alone is what a model may see
  const schema: ToolSchema & { readonly execute?: never } = definition;
  // @ts-expect-error A11 a request to a model takes schemas
  const request: ModelRequest = { messages: [], tools: [definition] };
  // @ts-expect-error A11 a body cannot be called without a run
  const body = definition.execute({});
  // @ts-expect-error A11 a run cannot be made by hand
  const run: Run = { signal, effects: [effect], perform: () => Promise.resolve(), performAll: () => Promise.resolve(), progress: () => undefined };
  // @ts-expect-error D11 a permit cannot be made by hand
  const permit: Permit = { call: 'c', effects: [effect], digest, revision: '', decidedBy: 'the person' };
  // @ts-expect-error D11 what was planned is no permit
  const redeemed = redeem(planned, 'c', policy, []);
  // @ts-expect-error D11 what was planned and not redeemed does not run
  const live = startRun(planned, signal, ports);
  // @ts-expect-error D11 what was redeemed cannot be made by hand
  const plan: Redeemed = { ...planned };
  // @ts-expect-error B1 a proposal is made by receive alone
  const proposal: Proposal = { call: 'c', id: 'i', name: 'n', arguments: {} };
  // @ts-expect-error B1 what has not been received is not foreseen
  const foreseen = foresee(tool, { call: 'c', id: 'i', name: 'n', arguments: '{}' }, parts);
  // @ts-expect-error a path as text is no real path
  const path: RealPath = '/w/a';
  // @ts-expect-error any text is no digest
  const text: Digest = 'abc';
  const written = (some: Run): void => {
    // @ts-expect-error E4 the signal of a run cannot be replaced
    some.signal = signal;
    // @ts-expect-error D13 nor its effects
    some.effects = [];
  };
  const changed = (given: Foreseen): void => {
    // @ts-expect-error D13 what was foreseen is not added to
    given.effects.push(effect);
  };
  return [schema, request, body, run, permit, redeemed, live, plan, proposal, foreseen, path, text, written, changed];
}

const root = join(import.meta.dirname, '../..');

/** The numbers of this file's lines that do not compile, with or without what expects it. */
async function faultyLines(t: TestContext, expected: 'kept' | 'removed'): Promise<readonly number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-types-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const own = (await readFile(import.meta.filename, 'utf8')).replaceAll("from '../../extension/", `from '${root}/extension/`).replaceAll("from '../unit/", `from '${root}/test/unit/`);
  await writeFile(join(folder, 'copy.ts'), expected === 'kept' ? own : own.replaceAll('// @ts-expect-error', '// expected:'));
  const options = { composite: false, noEmit: true, emitDeclarationOnly: false, declaration: false, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions: options, files: ['copy.ts'] }));
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'], { cwd: folder }, (_error, stdout) => resolve(stdout));
  });
  return [...new Set([...output.matchAll(/^copy\.ts\((\d+),/gm)].map(([, line]) => Number(line)))];
}

test('A11 D11 B1 D13 E4 schemas, permits, runs, proposals and paths are told apart by their types', async (t) => {
  const lines = (await readFile(import.meta.filename, 'utf8')).split('\n');
  const directives = lines.flatMap((line, n) => (line.trim().startsWith('// @ts-expect-error') ? [n + 2] : []));
  assert.equal(directives.length, 15);
  assert.deepEqual(await faultyLines(t, 'kept'), []);
  assert.deepEqual(await faultyLines(t, 'removed'), directives);
});

// What one call leaves behind, whole.

test('one edit, from text to record: what the person saw, what was signed, what ran and what the model reads', async (t) => {
  const session = await sessionHost(t, { files: { 'a.ts': 'const a = 1;\n' }, answer: 'allowed' });
  await session.read('a.ts');
  const before = session.log.events.length;
  const outcome = await session.propose('edit_file', { path: 'a.ts', edits: [{ oldText: '1', newText: '2' }] });
  const path = session.at('a.ts');
  const [base, result] = [sha256('const a = 1;\n'), sha256('const a = 2;\n')];
  const effects: readonly Effect[] = [{ kind: 'write', path, base, result, via: 'disk' }];
  const { revision } = session.host.policy();
  const verdict = { decision: 'ask', decidedBy: 'no rule', reason: `no rule covers write ${path}`, rules: [], revision } as const;
  const said = { isError: false, content: [{ type: 'text', text: 'Edited a.ts: 1 replacement made, exactly as proposed.' }], error: null } as const;
  const digest = session.asks[0]?.digest;
  assert.deepEqual(outcome, { call: 'c2', id: 'wire-2', name: 'edit_file', verdict, effects, claims: [], approval: 'allowed', result: said });
  assert.deepEqual(session.log.events.slice(before), [
    { type: 'assistant', turn: 't', step: 2, text: '', finish: 'tool-calls', calls: [{ call: 'c2', id: 'wire-2', name: 'edit_file', arguments: '{"path":"a.ts","edits":[{"oldText":"1","newText":"2"}]}' }] },
    {
      type: 'asked', call: 'c2', digest, verdict, content: {
        effects, claims: [], warnings: [], diffs: [{
          path, display: 'a.ts', change: 'edit', added: 1, removed: 1, truncated: false, notes: [],
          lines: [{ kind: 'removed', oldLine: 1, newLine: 0, text: 'const a = 1;' }, { kind: 'added', oldLine: 0, newLine: 1, text: 'const a = 2;' }],
        }],
      },
    },
    { type: 'decided', call: 'c2', digest, approval: 'allowed', reason: '' },
    { type: 'started', call: 'c2', digest, revision, decidedBy: 'the person', effects },
    { type: 'settled', call: 'c2', verdict, approval: 'allowed', result: said, observed: [{ path, digest: result }] },
  ]);
  assert.deepEqual(session.events.slice(-4).map(({ type }) => type), ['received', 'asking', 'running', 'settled']);
  assert.equal(await readFile(path, 'utf8'), 'const a = 2;\n');
});

test('one read of a folder: what is left out is signed with it', async (t) => {
  const session = await sessionHost(t, { files: { 'a.ts': '', '.env': 'KEY=1' } });
  const { effects, verdict, approval } = await session.propose('find_files', { pattern: '*' });
  assert.deepEqual([effects.length, verdict?.decidedBy, approval], [1, 'mode Ask', null]);
  const [effect] = effects;
  assert.ok(effect?.kind === 'read' && effect.extent === 'tree' && effect.except.includes('/**/.env*') && Object.isFrozen(effect.except));
  const started = session.log.events.findLast((event) => event.type === 'started');
  assert.deepEqual(started?.effects, effects);
});

test('F4 F7 the calls of a step settle in the order of the model, each once, whatever becomes of each', async (t) => {
  const session = await sessionHost(t, { files: { a: '1' } });
  const calls = [['read_file', '{"path":"a"}'], ['none', '{}'], ['read_file', '{'], ['write_file', '{"path":"b","content":""}'], ['read_file', '{"path":"a"}']] as const;
  const outcomes = await createPipeline(session.host).runStep(calls.map(([name, text], n) => ({ call: `k${n}`, id: 'same', name, arguments: text })), { origin: 'model', signal: new AbortController().signal, onEvent: () => undefined });
  assert.deepEqual(outcomes.map(({ call, result }) => [call, result?.error?.code ?? 'well']), [['k0', 'well'], ['k1', 'UNKNOWN_TOOL'], ['k2', 'INVALID_ARGS'], ['k3', 'ASK_UNAVAILABLE'], ['k4', 'well']]);
  assert.deepEqual(session.log.events.flatMap((event) => (event.type === 'settled' ? [event.call] : [])), ['k0', 'k1', 'k2', 'k3', 'k4']);
});
