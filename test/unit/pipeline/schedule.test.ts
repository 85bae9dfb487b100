import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Answer } from '../../../extension/boundary/ask.ts';
import { codeOf, plainTool, textOf } from './plain-tool.ts';
import { type AnyTool, layer, type Session, type SessionSetup, sessionHost } from './session-host.ts';

const parsedObject = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});

const numberOf = (args: unknown): number => Number(parsedObject(args)['n']);

/** Bodies that run until the test lets them end. */
class Bodies {
  readonly started: string[] = [];
  readonly finished: string[] = [];
  readonly #ends = new Map<string, PromiseWithResolvers<void>>();

  tool(name: string, over: Partial<AnyTool> = {}): AnyTool {
    return plainTool({ name, execute: (args, run) => this.run(`${name} ${numberOf(args)}`, run.signal), ...over });
  }

  async run(body: string, signal: AbortSignal): Promise<string> {
    this.started.push(body);
    signal.addEventListener('abort', () => this.end(body), { once: true });
    await this.#endOf(body).promise;
    this.finished.push(body);
    return body;
  }

  end(...bodies: readonly string[]): void {
    for (const body of bodies) this.#endOf(body).resolve();
  }

  /** Waits until so many have started. */
  async until(count: number): Promise<readonly string[]> {
    while (this.started.length < count) await new Promise((resolve) => setImmediate(resolve));
    return this.started;
  }

  #endOf(body: string): PromiseWithResolvers<void> {
    const end = this.#ends.get(body) ?? Promise.withResolvers<void>();
    this.#ends.set(body, end);
    return end;
  }
}

const idle = async (): Promise<void> => {
  for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve));
};
const parallel = { isConcurrencySafe: () => true };
const calls = (name: string, from: number, to: number): [string, object][] => Array.from({ length: to - from + 1 }, (_, n) => [name, { n: from + n }]);
const numbered = (name: string, ...numbers: readonly number[]): string[] => numbers.map((n) => `${name} ${n}`);
const settledCalls = ({ log }: Session): readonly string[] => log.events.flatMap((event) => (event.type === 'settled' ? [event.call] : []));

async function scheduled(t: TestContext, tools: (bodies: Bodies) => readonly AnyTool[], setup: SessionSetup = {}): Promise<{ readonly session: Session; readonly bodies: Bodies }> {
  const bodies = new Bodies();
  return { bodies, session: await sessionHost(t, { ...setup, tools: tools(bodies) }) };
}

test('F1 calls that may run beside others all start before any ends, ten at once, and a freed place is taken at once', async (t) => {
  const { session, bodies } = await scheduled(t, (all) => [all.tool('p', parallel)]);
  const step = session.step(calls('p', 1, 13));
  assert.deepEqual(await bodies.until(10), numbered('p', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  await idle();
  assert.equal(bodies.started.length, 10);
  bodies.end('p 7');
  assert.deepEqual((await bodies.until(11)).slice(10), ['p 11']);
  bodies.end(...numbered('p', 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13));
  assert.deepEqual((await step).map(codeOf), Array.from({ length: 13 }, () => 'well'));
});

test('F2 what does not say exactly true runs alone, and saying so never fails a call', async (t) => {
  const claims: Readonly<Record<string, Partial<AnyTool>>> = {
    missing: {}, no: { isConcurrencySafe: () => false }, truthy: { isConcurrencySafe: () => 'yes' as unknown as boolean },
    throwing: { isConcurrencySafe: () => { throw new Error('no idea'); } }, later: { isConcurrencySafe: () => Promise.resolve(true) as unknown as boolean },
  };
  for (const [name, claim] of Object.entries(claims)) {
    const { session, bodies } = await scheduled(t, (all) => [all.tool('x', claim), all.tool('p', parallel)]);
    const step = session.step([['x', { n: 1 }], ['p', { n: 2 }], ['unknown_tool', {}], ['p', '{"n": }'], ['p', { n: 3 }]]);
    await bodies.until(1);
    await idle();
    assert.deepEqual(bodies.started, ['x 1'], name);
    bodies.end('x 1', 'p 2', 'p 3');
    assert.deepEqual((await step).map(codeOf), ['well', 'well', 'UNKNOWN_TOOL', 'INVALID_ARGS', 'well'], name);
    assert.deepEqual(bodies.finished, ['x 1', 'p 2', 'p 3'], name);
  }
});

test('F3 of [P, P, X, P] the first two run together, then X alone, and the last once X has been recorded', async (t) => {
  const { session, bodies } = await scheduled(t, (all) => [all.tool('p', parallel), all.tool('x')]);
  const recordedAtStart: (readonly string[])[] = [];
  const step = session.step([['p', { n: 1 }], ['p', { n: 2 }], ['x', { n: 3 }], ['p', { n: 4 }]], { onEvent: (event) => { if (event.type === 'running') recordedAtStart.push(settledCalls(session)); } });
  await bodies.until(2);
  bodies.end('p 2');
  await idle();
  assert.deepEqual(bodies.started, ['p 1', 'p 2']);
  bodies.end('p 1');
  await bodies.until(3);
  await idle();
  assert.deepEqual(bodies.started, ['p 1', 'p 2', 'x 3']);
  bodies.end('x 3', 'p 4');
  await step;
  assert.deepEqual(recordedAtStart, [[], [], ['c1', 'c2'], ['c1', 'c2', 'c3']]);
});

test('F4 results are recorded, shown and given in the order of the model, whoever finishes first', async (t) => {
  const { session, bodies } = await scheduled(t, (all) => [all.tool('p', parallel)]);
  const step = session.step(calls('p', 1, 4));
  await bodies.until(4);
  bodies.end('p 4', 'p 2');
  await idle();
  assert.deepEqual([bodies.finished, settledCalls(session)], [['p 4', 'p 2'], []]);
  bodies.end('p 1');
  await idle();
  assert.deepEqual(settledCalls(session), ['c1', 'c2']);
  bodies.end('p 3');
  assert.deepEqual((await step).map((outcome) => [outcome.call, textOf(outcome)]), [['c1', '"p 1"'], ['c2', '"p 2"'], ['c3', '"p 3"'], ['c4', '"p 4"']]);
  assert.deepEqual(settledCalls(session), ['c1', 'c2', 'c3', 'c4']);
  assert.deepEqual(session.events.flatMap((event) => (event.type === 'settled' ? [event.outcome.call] : [])), ['c1', 'c2', 'c3', 'c4']);
});

test('F5 calls are asked in the model\'s order before the first has run, a person answers in any order, and they run in the model\'s', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' } });
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await session.read(name);
  const answers = new Map<string, (answer: Answer) => void>();
  session.setAnswer((ask) => new Promise((resolve) => answers.set(ask.files[0]?.display ?? '', resolve)));
  const step = session.step(['a.txt', 'b.txt', 'c.txt'].map((path) => ['edit_file', { path, edits: [{ oldText: path[0], newText: 'new' }] }]));
  while (answers.size < 3) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([...answers.keys()], ['a.txt', 'b.txt', 'c.txt']);
  answers.get('c.txt')?.({ approval: 'allowed', reason: '' });
  answers.get('b.txt')?.({ approval: 'denied', reason: 'not that' });
  await idle();
  assert.deepEqual([(await session.world())['ws/c.txt'], settledCalls(session).slice(3)], ['c', []], 'nothing has run yet');
  answers.get('a.txt')?.({ approval: 'allowed', reason: '' });
  assert.deepEqual((await step).map(codeOf), ['well', 'DENIED_BY_PERSON', 'well']);
  assert.deepEqual(session.log.events.flatMap((event) => (event.type === 'started' ? [event.call] : [])).slice(3), ['c4', 'c6']);
  const world = await session.world();
  assert.deepEqual([world['ws/a.txt'], world['ws/b.txt'], world['ws/c.txt']], ['new', 'b', 'new']);
});

test('F5 what depends on a call before it is foreseen once that is recorded: two edits of one file, an edit of what was just read, a file that was just made', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'one two' }, policy: { layers: [layer([{ effect: 'write', decision: 'ask' }])] } });
  const bases: string[] = [];
  session.setAnswer((ask) => {
    bases.push(...ask.files.map(({ display, base }) => `${display}: ${base === null ? 'absent' : Buffer.from(base).toString()}`));
    return { approval: 'allowed', reason: '' };
  });
  const outcomes = await session.step([
    ['read_file', { path: 'a.txt' }],
    ['edit_file', { path: 'a.txt', edits: [{ oldText: 'one', newText: '1' }] }],
    ['edit_file', { path: 'a.txt', edits: [{ oldText: 'two', newText: '2' }] }],
    ['write_file', { path: 'new/b.txt', content: 'made' }],
    ['edit_file', { path: 'new/b.txt', edits: [{ oldText: 'made', newText: 'made and changed' }] }],
    ['read_file', { path: 'new/b.txt' }],
    ['list_directory', { path: 'new' }],
  ]);
  assert.deepEqual(outcomes.map(codeOf), Array.from({ length: 7 }, () => 'well'));
  assert.deepEqual(bases, ['a.txt: one two', 'a.txt: 1 two', 'new/b.txt: absent', 'new/b.txt: made']);
  assert.match(textOf(outcomes[5] ?? outcomes[0] as never), /made and changed/);
  assert.deepEqual([(await session.world())['ws/a.txt'], (await session.world())['ws/new/b.txt']], ['1 2', 'made and changed']);
});

test('F6 a stop in the middle starts nothing new; what runs ends and is recorded in order, and the rest did not start', async (t) => {
  const { session, bodies } = await scheduled(t, (all) => [all.tool('p', parallel), all.tool('x')]);
  const stop = new AbortController();
  const step = session.step([...calls('p', 1, 12), ['x', { n: 13 }]], { signal: stop.signal });
  await bodies.until(10);
  stop.abort();
  assert.deepEqual((await step).map(codeOf), [...Array.from({ length: 10 }, () => 'ABORTED'), 'ABORTED_BEFORE_DISPATCH', 'ABORTED_BEFORE_DISPATCH', 'ABORTED_BEFORE_DISPATCH']);
  assert.equal(bodies.started.length, 10);
  assert.deepEqual(settledCalls(session), Array.from({ length: 13 }, (_, n) => `c${n + 1}`));
});

test('F7 a fault of the machinery itself is a result like any other: every proposal has exactly one', async (t) => {
  const session = await sessionHost(t, { tools: [plainTool({ name: 'p', ...parallel })] });
  let policies = 0;
  const policy = session.host.policy;
  Object.assign(session.host, { policy: () => { policies += 1; if (policies >= 2) throw new Error('the policy is gone'); return policy(); } });
  const outcomes = await session.step(calls('p', 1, 3));
  assert.equal(outcomes.length, 3);
  assert.equal(outcomes.filter((outcome) => textOf(outcome).includes('the policy is gone')).length >= 1, true);
  assert.deepEqual(settledCalls(session), ['c1', 'c2', 'c3']);
});

test('F8 calls whose effects overlap never run together, whatever they declare', async (t) => {
  const shared: { at: (path: string) => string } = { at: (path) => path };
  const effectOf = (args: unknown): object => {
    const { does, path } = parsedObject(args);
    return does === 'read' ? { kind: 'read', path: shared.at(String(path)), extent: path === '' ? 'tree' : 'file', except: [] } : { kind: 'write', path: shared.at(String(path)), base: 'absent', result: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', via: 'disk' };
  };
  const foreseen = async (args: unknown, look: Parameters<AnyTool['effects']>[1]): Promise<never> => {
    const { does, path } = parsedObject(args);
    if (does !== 'read') await look.read(String(path));
    return { effects: [effectOf(args)], claims: [], content: new Map([['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', new Uint8Array()]]) } as never;
  };
  const files = { 'a/one.txt': 'x', 'a/two.txt': 'x' };
  const together: readonly (readonly [first: string, second: string, overlap: boolean])[] = [
    ['read a/one.txt', 'read a/one.txt', false], ['read a/one.txt', 'write a/new.txt', false], ['read a', 'write a/new.txt', true], ['write a/new.txt', 'read a', true],
    ['write a/new.txt', 'write a/new.txt', true], ['write a/new.txt', 'write b/new.txt', false], ['write a/NEW.txt', 'write a/new.txt', true], ['write b', 'write b/c.txt', true],
  ];
  for (const [first, second, overlaps] of together) {
    const { session, bodies } = await scheduled(t, (all) => [all.tool('p', { ...parallel, effects: foreseen })], { files, policy: { layers: [layer([{ effect: 'write', decision: 'allow' }])] } });
    shared.at = session.at;
    const argsOf = (text: string, n: number): object => ({ n, does: text.split(' ')[0], path: text.split(' ')[1] });
    const step = session.step([['p', argsOf(first, 1)], ['p', argsOf(second, 2)]]);
    await bodies.until(overlaps ? 1 : 2);
    await idle();
    assert.deepEqual(bodies.started, overlaps ? ['p 1'] : ['p 1', 'p 2'], `${first}, ${second}`);
    bodies.end('p 1', 'p 2');
    const outcomes = await step;
    assert.equal(codeOf(outcomes[0] ?? outcomes[1] as never), 'well', textOf(outcomes[0] ?? outcomes[1] as never));
  }
});

test('a step of a thousand calls is foreseen a few at a time, and all of it runs', async (t) => {
  let [ahead, most, done] = [0, 0, 0];
  const session = await sessionHost(t, { tools: [plainTool({
    name: 'x', effects: () => { ahead += 1; most = Math.max(most, ahead - done); return { effects: [{ kind: 'converse', op: 'ask' }], claims: [], content: new Map() }; },
    execute: () => { done += 1; return Promise.resolve('done'); },
  })] });
  const outcomes = await session.step(calls('x', 1, 1000));
  assert.deepEqual([outcomes.length, outcomes.every((outcome) => codeOf(outcome) === 'well'), most <= 33, ahead], [1000, true, true, 1000]);
});
