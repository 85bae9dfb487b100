import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { ApprovalDesk } from '../../../extension/gate/approvals.ts';
import { asking, codeOf, plainTool, textOf } from './plain-tool.ts';
import { layer, sessionHost, type AnyTool } from './session-host.ts';

/** Every stage of a call that a tool can watch. */
function watched(passed: string[], over: Partial<AnyTool> = {}): AnyTool {
  const { output, effects, execute, ...rest } = plainTool(over);
  return {
    ...rest, output: { ...output, render: (args, value) => { passed.push('render'); return output.render(args, value); } },
    effects: (args, look) => { passed.push('effects'); return effects(args, look); },
    execute: (args, run) => { passed.push('execute'); return execute(args, run); },
    projectContent: (content) => { passed.push('projectContent'); return content; }, finalizeContent: (content) => { passed.push('finalizeContent'); return content; },
  };
}

test('the stages come in their order, each once', async (t) => {
  const passed: string[] = [];
  const session = await sessionHost(t, { tools: [watched(passed, plainTool({}, asking))], host: { guards: [() => { passed.push('decide'); return null; }] }, answer: () => { passed.push('ask'); return { approval: 'allowed', reason: '' }; } });
  await session.propose('plain', {}, { onEvent: ({ type }) => passed.push(type) });
  assert.deepEqual(passed, ['received', 'effects', 'decide', 'asking', 'ask', 'decide', 'running', 'execute', 'render', 'projectContent', 'finalizeContent', 'settled']);
});

for (const [what, args] of [['sound arguments', '{}'], ['arguments that do not fit', '[]'], ['a tool that asks', '{}']] as const) {
  test(`E1 B9 cancelled before it starts, with ${what}: nothing but finalizeContent runs, one result, one record`, async (t) => {
    const passed: string[] = [];
    const session = await sessionHost(t, { tools: [watched(passed, what === 'a tool that asks' ? plainTool({}, asking) : {})], answer: 'allowed' });
    const before = session.log.events.length;
    const outcome = await session.propose('plain', args, { signal: AbortSignal.abort() });
    assert.equal(codeOf(outcome), 'ABORTED_BEFORE_DISPATCH');
    assert.deepEqual(passed, ['finalizeContent']);
    assert.deepEqual(session.log.events.slice(before).map(({ type }) => type), ['assistant', 'settled']);
  });
}

for (const [args, code] of [['{', 'INVALID_ARGS'], [`"${'x'.repeat(1024 * 1024)}"`, 'TOO_LARGE']] as const) {
  test(`B9 what receive refuses as ${code} is said although the call was cancelled`, async (t) => {
    const session = await sessionHost(t, { tools: [plainTool()] });
    assert.equal(codeOf(await session.propose('plain', args, { signal: AbortSignal.abort() })), code);
  });
}

test('E1 an unknown tool in a turn that was cancelled is a cancelled call', async (t) => {
  const session = await sessionHost(t, {});
  assert.equal(codeOf(await session.propose('nothing_like_it', {}, { signal: AbortSignal.abort() })), 'ABORTED_BEFORE_DISPATCH');
});

const reasons: readonly (readonly [string, unknown])[] = [['no reason', undefined], ['an error', new Error('enough')], ['a text', 'enough'], ['a coded error', new CodedError('TOOL_FAILED', 'enough')], ['null', null]];

for (const [what, reason] of reasons) {
  test(`E1 cancelled with ${what} while it is foreseen: not dispatched`, async (t) => {
    const controller = new AbortController();
    const passed: string[] = [];
    const session = await sessionHost(t, { tools: [watched(passed, { effects: async (_args, look) => { controller.abort(reason); await look.locate('.'); return { effects: [asking], claims: [], content: new Map() }; } })], answer: 'allowed' });
    assert.equal(codeOf(await session.propose('plain', {}, { signal: controller.signal })), 'ABORTED_BEFORE_DISPATCH');
    assert.deepEqual(passed, ['effects', 'finalizeContent']);
  });

  test(`E2 cancelled with ${what} while a person is asked: not dispatched, and the answer that came with it is discarded`, async (t) => {
    for (const approval of ['cancelled', 'allowed'] as const) {
      const controller = new AbortController();
      const passed: string[] = [];
      const session = await sessionHost(t, { tools: [watched(passed, plainTool({}, asking))], answer: () => { controller.abort(reason); return { approval, reason: '' }; } });
      assert.equal(codeOf(await session.propose('plain', {}, { signal: controller.signal })), 'ABORTED_BEFORE_DISPATCH');
      assert.deepEqual(passed, ['effects', 'finalizeContent']);
      assert.ok(!session.log.events.some(({ type }) => type === 'started'));
    }
  });

  test(`E3 cancelled with ${what} while the body runs: ABORTED, once the body has settled, also where it succeeded`, async (t) => {
    for (const body of ['succeeds', 'stops'] as const) {
      const controller = new AbortController();
      let settled = false;
      const tool = plainTool({ execute: async (_args, { signal }) => {
        controller.abort(reason);
        await new Promise((resolve) => setTimeout(resolve, 1));
        settled = true;
        if (body === 'stops') signal.throwIfAborted();
        return 'done';
      } });
      const session = await sessionHost(t, { tools: [tool] });
      const outcome = await session.propose('plain', {}, { signal: controller.signal });
      assert.deepEqual([codeOf(outcome), settled], ['ABORTED', true]);
      assert.match(textOf(outcome), body === 'succeeds' ? /It had finished by then: what it did stands\.$/ : /^ABORTED: The turn was stopped while this call ran\.$/);
    }
  });
}

test('E1 cancelled between the decision and the body: not dispatched, and not started', async (t) => {
  const controller = new AbortController();
  const passed: string[] = [];
  let decisions = 0;
  const guard = (): null => { if (++decisions === 2) controller.abort(); return null; };
  const session = await sessionHost(t, { tools: [watched(passed)], host: { guards: [guard] } });
  assert.equal(codeOf(await session.propose('plain', {}, { signal: controller.signal })), 'ABORTED_BEFORE_DISPATCH');
  assert.deepEqual([decisions, passed], [2, ['effects', 'finalizeContent']]);
  assert.ok(!session.log.events.some(({ type }) => type === 'started'));
});

test('E2 cancelled while a person is asked in a dry run: it would not have run', async (t) => {
  const controller = new AbortController();
  const session = await sessionHost(t, { tools: [plainTool({}, asking)], host: { dryRun: true }, answer: () => { controller.abort(); return { approval: 'allowed', reason: '' }; } });
  assert.equal(codeOf(await session.propose('plain', {}, { signal: controller.signal })), 'ABORTED_BEFORE_DISPATCH');
});

test('E2 cancelled while a policy denies: the denial stands', async (t) => {
  const controller = new AbortController();
  const tool = plainTool({ effects: () => { controller.abort(); return { effects: [asking], claims: [], content: new Map() }; } });
  const session = await sessionHost(t, { tools: [tool], policy: { layers: [layer([{ decision: 'deny' }])] } });
  assert.equal(codeOf(await session.propose('plain', {}, { signal: controller.signal })), 'DENIED_BY_POLICY');
});

test("E3 the body's own error is kept although the call was cancelled", async (t) => {
  const bodies: readonly (readonly [unknown, RegExp])[] = [[new CodedError('FS_REFUSED', 'disk gone'), /^FS_REFUSED: disk gone$/], [new Error('disk gone'), /^ABORTED: .*It ended with: disk gone$/], ['disk gone', /^ABORTED: .*It ended with: disk gone$/]];
  for (const [error, said] of bodies) {
    const controller = new AbortController();
    const session = await sessionHost(t, { tools: [plainTool({ execute: () => { controller.abort(); throw error; } })] });
    assert.match(textOf(await session.propose('plain', {}, { signal: controller.signal })), said);
  }
});

test('E3 what was written before the cancel is known to the session', async (t) => {
  const controller = new AbortController();
  const session = await sessionHost(t, { policy: { layers: [layer([{ decision: 'allow' }])] } });
  const writing = session.registry.resolve('write_file').definition;
  session.registry.register({ ...writing, name: 'write_and_stop', execute: async (args, run) => { await writing.execute(args, run); controller.abort(); throw new Error('late'); } });
  assert.equal(codeOf(await session.propose('write_and_stop', { path: 'a', content: 'one' }, { signal: controller.signal })), 'ABORTED');
  assert.equal(codeOf(await session.propose('write_file', { path: 'a', content: 'two' })), 'well');
});

test("E4 a body cannot detach the caller's signal", async (t) => {
  const controller = new AbortController();
  let seen: AbortSignal | undefined;
  const session = await sessionHost(t, { tools: [plainTool({ timeoutMs: 60_000, execute: (_args, run) => {
    assert.throws(() => Object.assign(run, { signal: new AbortController().signal }), TypeError);
    seen = run.signal;
    controller.abort();
    return Promise.resolve('done');
  } })] });
  assert.equal(codeOf(await session.propose('plain', {}, { signal: controller.signal })), 'ABORTED');
  assert.equal(seen?.aborted, true);
});

test('E5 no listener is left after 1,000 calls, of each kind', async (t) => {
  const { signal } = new AbortController();
  const desk = new ApprovalDesk({
    now: () => 0, after: () => () => undefined, unseenMs: () => 1, onClose: () => undefined,
    onOpen: ({ call, digest }) => queueMicrotask(() => {
      desk.shown(call, digest, 'card');
      desk.dismissAll();
    }),
  });
  const tools = [plainTool({ name: 'timed', timeoutMs: 60_000 }), plainTool({ name: 'failing', execute: () => { throw new Error('no'); } }), plainTool({ name: 'asks' }, asking)];
  const session = await sessionHost(t, { files: { a: '1' }, tools, host: { approver: desk } });
  for (let n = 0; n < 200; n += 1) {
    for (const [tool, args] of [['timed', {}], ['failing', {}], ['asks', {}], ['read_file', { path: 'a' }], ['find_files', { pattern: '*' }]] as const) await session.propose(tool, args, { signal });
  }
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});
