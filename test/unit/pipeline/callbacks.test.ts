import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../extension/boundary/json.ts';
import type { TextContent } from '../../../extension/boundary/result.ts';
import { asking, codeOf, plainTool, textOf } from './plain-tool.ts';
import { layer, sessionHost, type AnyTool } from './session-host.ts';

type Content = readonly TextContent[];
const text = (content: string): Content => [{ type: 'text', text: content }];
const nothing: unknown = null;
const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

const lossy: readonly (readonly [string, unknown])[] = [
  ['a function', () => 1], ['undefined', undefined], ['a Map', new Map()], ['a Date', new Date(0)], ['NaN', Number.NaN], ['-0', -0], ['Infinity', Number.POSITIVE_INFINITY], ['a bigint', 1n], ['a symbol', Symbol('x')], ['a cycle', cyclic],
  ['a lone surrogate', '\ud800'], ['an undefined member', { a: undefined }], ['a sparse array', Array(2)], ['a throwing getter', Object.defineProperty({}, 'a', { enumerable: true, get: () => { throw new Error('no'); } })],
];

for (const [what, value] of lossy) {
  test(`C2 a value that is, or holds, ${what} is INVALID_TOOL_OUTPUT, never a crash`, async (t) => {
    const session = await sessionHost(t, { tools: [plainTool({ execute: () => Promise.resolve(value as Json) })] });
    const outcome = await session.propose('plain', {});
    assert.deepEqual([codeOf(outcome), outcome.result?.isError], ['INVALID_TOOL_OUTPUT', true]);
    assert.ok(session.log.events.some(({ type }) => type === 'started'));
  });
}

test('C1 a value that does not satisfy output.schema is INVALID_TOOL_OUTPUT with its violations, and the log says that the body ran', async (t) => {
  const tool = plainTool({ output: { schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }, render: () => text('never') }, execute: () => Promise.resolve({ n: 'secret value' }) });
  const session = await sessionHost(t, { tools: [tool] });
  const { result } = await session.propose('plain', {});
  assert.deepEqual([result?.error?.code, result?.error?.violations?.map(({ pointer, expected }) => [pointer, expected])], ['INVALID_TOOL_OUTPUT', [['/n', 'integer']]]);
  assert.deepEqual(session.log.events.map(({ type }) => type).slice(-2), ['started', 'settled']);
});

for (const value of [null, false, 0, 'x', [], [1, null], {}] as const) {
  test(`C3 ${JSON.stringify(value)} is a legal value`, async (t) => {
    const session = await sessionHost(t, { tools: [plainTool({ execute: () => Promise.resolve(value) })] });
    assert.equal(textOf(await session.propose('plain', {})), JSON.stringify(value));
  });
}

const misbehaviours: readonly (readonly [string, () => unknown])[] = [
  ['throws', () => { throw new Error('broken'); }], ['throws nothing', () => { throw nothing; }], ['returns a Promise', () => Promise.resolve(text('late'))], ['returns a Promise that rejects', () => Promise.reject(new Error('late'))],
  ['returns nothing', () => undefined], ['returns a lone surrogate', () => text('\ud800')], ['returns a function', () => () => text('x')],
];
const noContent: readonly (readonly [string, () => unknown])[] = [
  ['returns text', () => 'text'], ['returns null', () => null], ['returns a part of another kind', () => [{ type: 'image', text: 'x' }]], ['returns a part without text', () => [{ type: 'text' }]], ['returns an object', () => ({ type: 'text', text: 'x' })],
];
type Callback = 'render' | 'presentationMeta' | 'projectContent' | 'finalizeContent';

function withCallback(callback: Callback, does: () => unknown): AnyTool {
  const wrong = does as () => never;
  const { output, ...tool } = plainTool();
  switch (callback) {
    case 'render':
    case 'presentationMeta':
      return { ...tool, output: { ...output, [callback]: wrong } };
    case 'projectContent':
    case 'finalizeContent':
      return { ...tool, output, [callback]: wrong };
  }
}

for (const callback of ['render', 'presentationMeta', 'projectContent', 'finalizeContent'] as const) {
  for (const [what, does] of callback === 'presentationMeta' ? misbehaviours : [...misbehaviours, ...noContent]) {
    test(`C4 ${callback} that ${what}: CALLBACK_FAILED that names it, and that the body had succeeded`, async (t) => {
      const session = await sessionHost(t, { tools: [withCallback(callback, does)] });
      const outcome = await session.propose('plain', {});
      const { code, callback: named, bodySucceeded } = outcome.result?.error ?? {};
      assert.deepEqual([code, named, bodySucceeded, outcome.result?.isError], ['CALLBACK_FAILED', callback, true, true]);
      assert.match(textOf(outcome), new RegExp(`^CALLBACK_FAILED: The tool's ${callback} `));
    });
  }
}

test('C4 a finalizeContent that fails after a body that failed says that the body had not succeeded', async (t) => {
  const tool = { ...withCallback('finalizeContent', () => { throw new Error('broken'); }), execute: () => Promise.reject(new Error('no')) };
  const { result } = await (await sessionHost(t, { tools: [tool] })).propose('plain', {});
  assert.deepEqual([result?.error?.code, result?.error?.bodySucceeded], ['CALLBACK_FAILED', false]);
});

test('C5 the value is frozen before render sees it, detached from what the body keeps, and never reaches the model by itself', async (t) => {
  const value = { list: [{ secret: 'in the value' }] };
  let seen: unknown;
  const tool = plainTool({
    execute: () => Promise.resolve(value),
    output: { schema: {}, render: (_args, given) => { seen = given; return text('rendered'); }, presentationMeta: () => ({ lines: 1 }) },
  });
  const session = await sessionHost(t, { tools: [tool] });
  const outcome = await session.propose('plain', {});
  assert.notEqual(seen, value);
  assert.ok(isDeepFrozen(seen) && isDeepFrozen(outcome.result));
  assert.doesNotMatch(JSON.stringify([outcome, session.log.events]), /in the value/);
  assert.deepEqual(session.log.events.at(-1), { type: 'settled', call: 'c1', verdict: outcome.verdict, approval: null, observed: [], result: { isError: false, content: text('rendered'), error: null, meta: { lines: 1 } } });
});

test('C7 the order is render, projectContent, caps and redaction, finalizeContent', async (t) => {
  const tool = plainTool({
    output: { schema: {}, render: () => text('render') }, projectContent: (content) => text(`${content[0]?.text} project key`), finalizeContent: (content) => text(`${content[0]?.text} finalize key`),
  });
  const session = await sessionHost(t, { tools: [tool], host: { redact: (given) => given.replaceAll('key', '‹key›') } });
  assert.equal(textOf(await session.propose('plain', {})), 'render project ‹key› finalize key');
});

const endings: readonly (readonly [string, string, Partial<AnyTool>, { readonly args?: string; readonly aborted?: true; readonly deny?: true }])[] = [
  ['success', 'well', {}, {}], ['an error of the tool', 'TOOL_FAILED', { execute: () => Promise.reject(new Error('no')) }, {}], ['a value that does not fit', 'INVALID_TOOL_OUTPUT', { execute: () => Promise.resolve(-0) }, {}],
  ['a denial by policy', 'DENIED_BY_POLICY', {}, { deny: true }], ['nobody to ask', 'ASK_UNAVAILABLE', { effects: () => ({ effects: [asking], claims: [], content: new Map() }) }, {}],
  ['effects that cannot be judged', 'INVALID_EFFECTS', { effects: () => ({ effects: [], claims: [], content: new Map() }) }, {}], ['arguments that are no JSON', 'INVALID_ARGS', {}, { args: '{' }], ['arguments that do not fit', 'INVALID_ARGS', {}, { args: '[]' }],
  ['a cancel before the start', 'ABORTED_BEFORE_DISPATCH', {}, { aborted: true }], ['arguments over the cap', 'TOO_LARGE', {}, { args: `"${'x'.repeat(1024 * 1024)}"` }],
];

for (const [what, code, over, { args = '{}', aborted, deny }] of endings) {
  test(`C7 C8 finalizeContent runs exactly once after ${what}, and changes nothing but content`, async (t) => {
    const seen: Content[] = [];
    const tool = plainTool({ ...over, finalizeContent: (content) => { seen.push(content); return text('final'); } });
    const rules = deny === true ? [layer([{ decision: 'deny' }])] : [];
    const plain = await (await sessionHost(t, { tools: [plainTool(over)], policy: { layers: rules } })).propose('plain', args, aborted === true ? { signal: AbortSignal.abort() } : {});
    const outcome = await (await sessionHost(t, { tools: [tool], policy: { layers: rules } })).propose('plain', args, aborted === true ? { signal: AbortSignal.abort() } : {});
    assert.equal(codeOf(outcome), code);
    assert.deepEqual(seen, [plain.result?.content]);
    assert.deepEqual(outcome.result, { ...plain.result, content: text('final') });
  });
}

test('C7 replacing the tool in mid-call changes nothing', async (t) => {
  const session = await sessionHost(t, {});
  const remove = session.registry.register(plainTool({
    execute: () => {
      remove();
      session.registry.register(plainTool({ finalizeContent: () => text('the other'), output: { schema: {}, render: () => text('the other') } }));
      return Promise.resolve('first');
    },
    finalizeContent: (content) => text(`${content[0]?.text} final`),
  }));
  assert.equal(textOf(await session.propose('plain', {})), '"first" final');
});

function isDeepFrozen(value: unknown): boolean {
  return typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isDeepFrozen));
}
