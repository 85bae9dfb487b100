import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallEvent, CallOutcome } from '../../../extension/boundary/call.ts';
import type { TextContent } from '../../../extension/boundary/result.ts';
import type { Approval } from '../../../extension/boundary/verdict.ts';
import { createPipeline } from '../../../extension/pipeline/pipeline.ts';
import { asking, codeOf, plainTool, textOf } from '../pipeline/plain-tool.ts';
import { type AnyTool, layer, type ProposeOptions, type Session, sessionHost, type SessionSetup } from '../pipeline/session-host.ts';

const text = (content: string): readonly TextContent[] => [{ type: 'text', text: content }];

test('C1 the result of a value that does not fit has no value, and is told like every other error', async (t) => {
  const render = (): never => assert.fail('it was rendered');
  const session = await sessionHost(t, { tools: [plainTool({ output: { schema: { type: 'object' }, render }, execute: () => Promise.resolve(['in the value']) })] });
  const { result } = await session.propose('plain', {});
  assert.deepEqual([result?.isError, Object.keys(result ?? {}).toSorted()], [true, ['content', 'error', 'isError']]);
  assert.match(result?.content[0]?.text ?? '', /^INVALID_TOOL_OUTPUT: The tool ran/);
  assert.deepEqual(session.log.events.map(({ type }) => type).slice(-2), ['started', 'settled']);
});

test('C2 after a value that JSON cannot hold, the rest of the step goes on', async (t) => {
  const session = await sessionHost(t, { tools: [plainTool({ name: 'odd', execute: () => Promise.resolve(Number.NaN) }), plainTool()] });
  const calls = ['odd', 'plain', 'odd', 'plain'].map((name, n) => ({ call: `k${n}`, id: `i${n}`, name, arguments: '{}' }));
  const outcomes = await createPipeline(session.host).runStep(calls, { origin: 'model', signal: new AbortController().signal, onEvent: () => undefined });
  assert.deepEqual(outcomes.map(codeOf), ['INVALID_TOOL_OUTPUT', 'well', 'INVALID_TOOL_OUTPUT', 'well']);
});

interface Ending {
  readonly what: string;
  readonly code: string;
  readonly tool?: Partial<AnyTool>;
  readonly answer?: Approval;
  readonly moves?: (session: Session) => void;
  readonly options?: () => ProposeOptions;
}

function cancelAt(type: CallEvent['type']): () => ProposeOptions {
  return () => {
    const controller = new AbortController();
    return { signal: controller.signal, onEvent: (event) => { if (event.type === type) controller.abort(); } };
  };
}

/** A body that ends when it is told to. */
const obedient: Partial<AnyTool> = { execute: (_args, { signal }) => new Promise((_resolve, reject) => {
  if (signal.aborted) reject(signal.reason as Error);
  signal.addEventListener('abort', () => reject(signal.reason as Error));
}) };

const endings: readonly Ending[] = [
  { what: 'a denial by the person', code: 'DENIED_BY_PERSON', answer: 'denied' }, { what: 'a dismissal', code: 'ASK_DISMISSED', answer: 'dismissed' },
  { what: 'a cancel while a person is asked', code: 'ABORTED_BEFORE_DISPATCH', answer: 'cancelled' }, { what: 'a cancel while the body runs', code: 'ABORTED', answer: 'allowed', tool: obedient, options: cancelAt('running') },
  { what: 'a deadline', code: 'TOOL_TIMEOUT', answer: 'allowed', tool: { ...obedient, timeoutMs: 1 } }, { what: 'a call that was cut off', code: 'INVALID_ARGS', options: () => ({ cutOff: true }) },
  { what: 'a policy that became stricter', code: 'STALE_PERMIT', answer: 'allowed', moves: (session) => session.setPolicy({ layers: [layer([{ decision: 'deny' }])] }) },
  { what: 'a renderer that throws', code: 'CALLBACK_FAILED', answer: 'allowed', tool: { output: { schema: {}, render: () => { throw new Error('no'); } } } },
];

for (const { what, code, tool = {}, answer = 'unavailable', moves, options } of endings) {
  test(`C7 C8 finalizeContent runs exactly once after ${what}, and changes nothing but content`, async (t) => {
    const run = async (over: Partial<AnyTool>): Promise<CallOutcome> => {
      const setup: SessionSetup = { tools: [plainTool({ ...tool, ...over }, asking)] };
      const session = await sessionHost(t, setup);
      session.setAnswer(() => { moves?.(session); return { approval: answer, reason: '' }; });
      return session.propose('plain', {}, options?.() ?? {});
    };
    const seen: (readonly TextContent[])[] = [];
    const plain = await run({});
    const outcome = await run({ finalizeContent: (content) => { seen.push(content); return text('final'); } });
    assert.equal(codeOf(outcome), code);
    assert.deepEqual(seen, [plain.result?.content]);
    assert.deepEqual(outcome.result, { ...plain.result, content: text('final') });
  });
}

test('C9 the model reads how much was left out and where the whole is, and finds all of it there', async (t) => {
  const whole = Array.from({ length: 9000 }, (_value, n) => `line ${n} 😀`).join('\n');
  const session = await sessionHost(t, { tools: [plainTool({ output: { schema: {}, render: () => text(whole) } })] });
  const told = textOf(await session.propose('plain', {}));
  assert.ok(told.length < whole.length && told.isWellFormed());
  const path = /countersign-result:\S*?(?=[\s,;.)"]*(?:\s|$))/.exec(told)?.[0] ?? assert.fail('it does not say where the whole is');
  const last = textOf(await session.propose('read_file', { path, startLine: 4500, endLine: 4500 }));
  assert.ok(last.includes('line 4499 😀'), last);
});
