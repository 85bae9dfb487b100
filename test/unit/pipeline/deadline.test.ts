import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import type { Run } from '../../../extension/boundary/tool-definition.ts';
import { codeOf, plainTool, textOf } from './plain-tool.ts';
import { sessionHost } from './session-host.ts';

/** Resolves when the run's signal has fired. A timer of its own keeps the process alive meanwhile. */
function fired({ signal }: Run): Promise<void> {
  return new Promise((resolve) => {
    const alive = setInterval(() => undefined, 1000);
    const done = (): void => { clearInterval(alive); resolve(); };
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}

const said = 'The call did not finish within its 5 ms.';
const late: readonly (readonly [string, (run: Run) => Promise<string>, string])[] = [
  ['that stops as told', async (run) => { await fired(run); run.signal.throwIfAborted(); return 'never'; }, `TOOL_TIMEOUT: ${said}`],
  ['that succeeds all the same', async (run) => { await fired(run); return 'done'; }, `TOOL_TIMEOUT: ${said} It had finished by then: what it did stands.`],
  ['that fails with an error of its own', async (run) => { await fired(run); throw new Error('half done'); }, `TOOL_TIMEOUT: ${said} It ended with: half done`],
  ['whose inner question was aborted', async (run) => { await fired(run); throw new CodedError('ABORTED', 'asked no more'); }, `TOOL_TIMEOUT: ${said} It ended with: asked no more`],
  ['that fails with a coded error', async (run) => { await fired(run); throw new CodedError('FS_REFUSED', 'disk gone'); }, 'FS_REFUSED: disk gone'],
];

for (const [what, execute, expected] of late) {
  test(`E6 a body ${what} after its time: its budget is said in milliseconds`, async (t) => {
    const session = await sessionHost(t, { tools: [plainTool({ timeoutMs: 5, execute: (_args, run) => execute(run) })] });
    assert.equal(textOf(await session.propose('plain', {})), expected);
  });
}

test('E6 the deadline first, then the caller: TOOL_TIMEOUT', async (t) => {
  const controller = new AbortController();
  const tool = plainTool({ timeoutMs: 5, execute: async (_args, run) => {
    await fired(run);
    controller.abort();
    run.signal.throwIfAborted();
    return 'never';
  } });
  assert.equal(codeOf(await (await sessionHost(t, { tools: [tool] })).propose('plain', {}, { signal: controller.signal })), 'TOOL_TIMEOUT');
});

test("E6 the caller's abort first, then the deadline: ABORTED", async (t) => {
  const controller = new AbortController();
  const tool = plainTool({ timeoutMs: 5, execute: async (_args, run) => {
    controller.abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
    run.signal.throwIfAborted();
    return 'never';
  } });
  assert.equal(codeOf(await (await sessionHost(t, { tools: [tool] })).propose('plain', {}, { signal: controller.signal })), 'ABORTED');
});

test("E6 without a budget there is no timer: the body gets the caller's own signal", async (t) => {
  const { signal } = new AbortController();
  let seen: AbortSignal | undefined;
  const session = await sessionHost(t, { tools: [plainTool({ execute: (_args, run) => { seen = run.signal; return Promise.resolve('done'); } })] });
  await session.propose('plain', {}, { signal });
  assert.equal(seen, signal);
});

test('E6 a body that is done in time is not cut short', async (t) => {
  assert.equal(codeOf(await (await sessionHost(t, { tools: [plainTool({ timeoutMs: 60_000 })] })).propose('plain', {})), 'well');
});

test('E8 the model does not see the budget', async (t) => {
  const session = await sessionHost(t, { tools: [plainTool({ timeoutMs: 4321 })] });
  assert.doesNotMatch(JSON.stringify([session.registry.schemas(), await session.propose('plain', {})]), /4321|timeout/i);
});
