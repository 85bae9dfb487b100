import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameCalls } from '../../../extension/agent/proposals.ts';
import type { CallOutcome } from '../../../extension/boundary/call.ts';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Json } from '../../../extension/boundary/json.ts';
import { MemoryObjectStore } from '../../../extension/files/object-store.ts';
import { Observations } from '../../../extension/files/observations.ts';
import type { PipelineHost } from '../../../extension/pipeline/host.ts';
import { createPipeline } from '../../../extension/pipeline/pipeline.ts';
import { EventLog } from '../../../extension/session/event-log.ts';
import { asking, plainTool } from '../pipeline/plain-tool.ts';
import { type AnyTool, layer, type Session, sessionHost } from '../pipeline/session-host.ts';
import { assertBalanced, assertSigned, startedCalls } from './balance.ts';
import { numRuns } from './runs.ts';
import { type Happening, ScheduleDriver } from './schedule-driver.ts';

const fileNames = ['a.txt', 'b.txt'] as const;
const kinds = ['safe', 'alone', 'asks', 'asks_safe', 'write', 'read_file', 'unknown', 'broken'] as const;

interface PlannedCall {
  readonly kind: (typeof kinds)[number];
  readonly file: (typeof fileNames)[number];
}
interface PlannedStep {
  readonly calls: readonly PlannedCall[];
  readonly happenings: readonly Happening[];
}

interface RunningBody {
  readonly isExclusive: boolean;
  readonly writes: string | null;
}

const which = fc.nat({ max: 5 });
const anyHappenings: readonly fc.WeightedArbitrary<Happening>[] = [
  { arbitrary: fc.record({ what: fc.constant('finish' as const), which, how: fc.constantFrom('well', 'well', 'throws') }), weight: 4 },
  { arbitrary: fc.record({ what: fc.constant('answer' as const), which, how: fc.constantFrom('allowed', 'allowed', 'allowed', 'denied', 'dismissed', 'unavailable', 'throws') }), weight: 4 },
  { arbitrary: fc.record({ what: fc.constant('pause' as const), turns: fc.integer({ min: 1, max: 12 }) }), weight: 4 },
  { arbitrary: fc.record({ what: fc.constant('drift' as const), which }), weight: 2 },
  { arbitrary: fc.record({ what: fc.constant('cancel' as const) }), weight: 1 },
];
const tightening: fc.WeightedArbitrary<Happening> = { arbitrary: fc.record({ what: fc.constant('tighten' as const) }), weight: 1 };

function stepsWith(...possible: readonly fc.WeightedArbitrary<Happening>[]): fc.Arbitrary<PlannedStep> {
  return fc.record({
    calls: fc.array(fc.record({ kind: fc.constantFrom(...kinds, 'write', 'write'), file: fc.constantFrom(...fileNames) }), { minLength: 1, maxLength: 6 }), happenings: fc.array(fc.oneof(...possible), { maxLength: 16 }),
  });
}

/** One host; each step has a log, a driver and files as at the beginning. */
class Steps {
  readonly #session: Session;
  #driver = new ScheduleDriver();
  /** The bodies that run now, and those that ran beside one that they must not run beside. */
  readonly #running = new Set<RunningBody>();
  readonly #together: string[] = [];
  #keys = 0;

  constructor(session: Session) {
    this.#session = session;
    const isConcurrencySafe = (): boolean => true;
    const waits = (isExclusive: boolean): Partial<AnyTool> => ({ execute: () => this.#body({ isExclusive, writes: null }, () => Promise.resolve('done')) });
    const writing = session.registry.resolve('write_file').definition;
    const tools: readonly AnyTool[] = [
      plainTool({ ...waits(false), name: 'safe', isConcurrencySafe }), plainTool({ ...waits(true), name: 'alone' }),
      plainTool({ ...waits(true), name: 'asks' }, asking), plainTool({ ...waits(false), name: 'asks_safe', isConcurrencySafe }, asking),
      // Says that it may run beside others, which its effects may not bear out.
      { ...writing, name: 'write', isConcurrencySafe, execute: (args, run) => this.#body({ isExclusive: false, writes: run.effects.map((effect) => (effect.kind === 'write' ? effect.path : '')).join() }, () => writing.execute(args, run)) },
    ];
    for (const tool of tools) session.registry.register(tool);
  }

  /** A body that waits for the schedule and then does its work. */
  async #body(body: RunningBody, work: () => Promise<Json>): Promise<Json> {
    for (const other of this.#running) {
      if (body.isExclusive || other.isExclusive || (body.writes !== null && body.writes === other.writes)) this.#together.push(JSON.stringify([other, body]));
    }
    this.#running.add(body);
    try {
      await this.#driver.body();
      return await work();
    } finally {
      this.#running.delete(body);
    }
  }

  async check({ calls, happenings }: PlannedStep): Promise<void> {
    const log = EventLog.inMemory({ sessionId: 's', roots: [] }, () => 0);
    const driver = new ScheduleDriver();
    this.#driver = driver;
    const { logged, incoming } = nameCalls(calls.map((call, at) => wireCall(call, at)), false, log.events, () => `k${log.events.length}.${++this.#keys}`);
    log.append({ type: 'assistant', turn: 't', step: 1, text: '', finish: 'tool-calls', calls: logged });
    const controller = new AbortController();
    const startedAt: { cancel: readonly string[] | null; tightening: readonly string[] | null } = { cancel: null, tightening: null };
    let drifts = 0;
    this.#session.setPolicy({});
    const drifted = new Set<string>();
    const step = createPipeline(this.#hostFor(log, driver)).runStep(incoming, { origin: 'model', signal: controller.signal, onEvent: () => undefined });
    await driver.drive(step, happenings, (happening) => {
      switch (happening.what) {
        case 'cancel':
          startedAt.cancel ??= startedCalls(log.events);
          controller.abort();
          break;
        case 'tighten':
          startedAt.tightening ??= startedCalls(log.events);
          this.#session.setPolicy({ layers: [layer([{ effect: 'write', decision: 'deny' }, { effect: 'fetch', decision: 'deny' }])] });
          break;
        case 'drift': {
          const text = `drift ${++drifts}`;
          drifted.add(text);
          writeFileSync(this.#session.at(fileNames[happening.which % fileNames.length] ?? 'a.txt'), text);
          break;
        }
      }
    });
    const outcomes = await step;
    assert.deepEqual(outcomes.map(({ call }) => call), logged.map(({ call }) => call));
    assertBalanced(log.events, logged);
    assertSigned(log.events);
    assert.deepEqual([this.#running.size, this.#together.splice(0)], [0, []]);
    // Once cancelled, nothing new starts.
    if (startedAt.cancel !== null) assert.deepEqual(startedCalls(log.events), startedAt.cancel);
    // Once a rule denies it, nothing of the kind starts, whatever had been approved.
    if (startedAt.tightening !== null) assert.deepEqual(startedCalls(log.events).filter((call) => !isHarmless(log, call)), startedAt.tightening.filter((call) => !isHarmless(log, call)));
    for (const file of fileNames) this.#assertContent(file, calls, outcomes, drifted, startedCalls(log.events));
  }

  #hostFor(log: EventLog, driver: ScheduleDriver): PipelineHost {
    const observations = new Observations();
    for (const file of fileNames) {
      writeFileSync(this.#session.at(file), 'old');
      observations.note(this.#session.at(file), sha256('old'));
    }
    return { ...this.#session.host, log, observations, objects: new MemoryObjectStore(), approver: { ask: (_ask, signal) => driver.ask(signal) } };
  }

  /** What stands in a file was there before, was put there by somebody else, or by a call that had started and did not say that it failed. */
  #assertContent(file: string, calls: readonly PlannedCall[], outcomes: readonly CallOutcome[], drifted: ReadonlySet<string>, started: readonly string[]): void {
    const content = readFileSync(this.#session.at(file), 'utf8');
    if (content === 'old' || drifted.has(content)) return;
    const at = calls.findIndex((_call, index) => textOfCall(index) === content);
    const [call, outcome] = [calls[at], outcomes[at]];
    assert.ok(call?.kind === 'write' && call.file === file && outcome !== undefined, `${file} holds ${content}`);
    assert.ok(started.includes(outcome.call));
    assert.ok(outcome.result?.isError === false || outcome.result?.error?.code === 'ABORTED', `${file} was written by a call that says ${outcome.result?.error?.message}`);
  }
}

function isHarmless(log: EventLog, call: string): boolean {
  return log.events.some((event) => event.type === 'started' && event.call === call && event.effects.every(({ kind }) => kind !== 'write' && kind !== 'fetch'));
}

function textOfCall(at: number): string {
  return `text of call ${at}`;
}

function wireCall({ kind, file }: PlannedCall, at: number): { readonly id: string; readonly name: string; readonly arguments: string } {
  // The last of six has an id that was there before.
  const id = `id${at === 5 ? 4 : at}`;
  switch (kind) {
    case 'write': return { id, name: kind, arguments: JSON.stringify({ path: file, content: textOfCall(at) }) };
    case 'read_file': return { id, name: kind, arguments: JSON.stringify({ path: file }) };
    case 'broken': return { id, name: 'alone', arguments: '{"a"' };
    case 'unknown': return { id, name: 'no_such_tool', arguments: '{}' };
    case 'safe':
    case 'alone':
    case 'asks':
    case 'asks_safe': return { id, name: kind, arguments: '{}' };
  }
}

test('F3 F4 F6 F7 F8 D8 D12 any interleaving of finishes, answers, cancels and drifts: paired, ordered, balanced, nothing beside what it must not run beside, and nothing that was not signed', async (t) => {
  const steps = new Steps(await sessionHost(t));
  await fc.assert(fc.asyncProperty(stepsWith(...anyHappenings), (step) => steps.check(step)), { numRuns });
});

/** Found here: the policy became stricter after it had been read for the last decision, and before the start was recorded. */
const whileItIsRedeemed: PlannedStep = {
  calls: [{ kind: 'write', file: 'a.txt' }, { kind: 'safe', file: 'a.txt' }], happenings: [{ what: 'answer', which: 0, how: 'allowed' }, { what: 'finish', which: 0, how: 'well' }, { what: 'tighten' }],
};

test('D12 any interleaving in which the policy becomes stricter: what it denies does not start any more', async (t) => {
  const steps = new Steps(await sessionHost(t));
  await fc.assert(fc.asyncProperty(stepsWith(...anyHappenings, tightening), (step) => steps.check(step)), { numRuns, examples: [[whileItIsRedeemed]] });
});
