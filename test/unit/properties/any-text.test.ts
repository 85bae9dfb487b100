import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameCalls } from '../../../extension/agent/proposals.ts';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Approval } from '../../../extension/boundary/verdict.ts';
import { MemoryObjectStore } from '../../../extension/files/object-store.ts';
import { Observations } from '../../../extension/files/observations.ts';
import { createPipeline } from '../../../extension/pipeline/pipeline.ts';
import { EventLog } from '../../../extension/session/event-log.ts';
import type { LogEventOf } from '../../../extension/session/records.ts';
import { type Session, sessionHost } from '../pipeline/session-host.ts';
import { assertBalanced, assertSigned } from './balance.ts';
import { numRuns } from './runs.ts';

const files = { 'a.txt': 'one\n', 'src/b.ts': 'two\n', '.env': 'KEY=1\n' };
const outside = { 'c.txt': 'three\n' };

interface AnyCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}
interface AnyStep {
  readonly calls: readonly AnyCall[];
  readonly approvals: readonly Approval[];
}

const anyText = fc.string({ unit: 'binary', maxLength: 40 });
/** Half a character among them: text from a provider can be anything that a string can hold. */
const brokenText = fc.oneof(anyText, fc.string({ unit: fc.constantFrom('\ud800', '\udc00', '"', '\\', '\0', 'a', '{', '}'), maxLength: 8 }));
const anyPath = fc.oneof(fc.constantFrom('a.txt', 'src/b.ts', 'new.txt', 'deep/er/new.txt', '.env', '../outside/c.txt', '/etc/hosts', '.', '', 'src', '.git/config', '.vscode/settings.json', '~', 'a.txt/', 'src/../a.txt', 'a\0b'), brokenText);
const anyEdit = fc.record({ oldText: fc.constantFrom('one', 'two', '', '\n'), newText: anyText });
const anyItem = fc.record({ text: anyText, status: fc.constantFrom('done', 'open', 'pending') });
/** What each tool of ours would take, or nearly. */
const nearly: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  read_file: fc.record({ path: anyPath, startLine: fc.integer({ min: -1, max: 3 }) }, { requiredKeys: ['path'] }), list_directory: fc.record({ path: anyPath }), find_files: fc.record({ pattern: anyPath, path: anyPath }, { requiredKeys: ['pattern'] }),
  search_text: fc.record({ query: fc.oneof(anyText, fc.constantFrom('(a+)+$', 'one')), include: fc.array(anyPath, { maxLength: 2 }) }, { requiredKeys: ['query'] }), write_file: fc.record({ path: anyPath, content: brokenText }),
  edit_file: fc.record({ path: anyPath, edits: fc.array(anyEdit, { minLength: 1, maxLength: 2 }) }), ask_user: fc.record({ question: anyText, options: fc.array(anyText, { maxLength: 3 }) }),
  update_plan: fc.record({ items: fc.array(anyItem, { maxLength: 3 }) }), undo_changes: fc.record({ calls: fc.array(anyText, { maxLength: 2 }) }),
};
const anyNearly = fc.constantFrom(...Object.entries(nearly)).chain(([name, args]) => args.map((value) => ({ name, arguments: JSON.stringify(value) })));
/** With one character put in, or cut off there. */
const damaged = fc.tuple(anyNearly, fc.nat(), fc.constantFrom('', '"', '}', '\\', '\ud800', '1e999', '-0')).map(([{ name, arguments: text }, spot, put]) => {
  const at = spot % (text.length + 1);
  return { name, arguments: put === '' ? text.slice(0, at) : text.slice(0, at) + put + text.slice(at) };
});
const anyName = fc.oneof(fc.constantFrom(...Object.keys(nearly)), fc.constantFrom('__proto__', 'constructor', '', 'Read_File', 'read_file\n'), brokenText);
const anything = fc.record({ name: anyName, arguments: fc.oneof(fc.json({ stringUnit: 'binary' }), brokenText, anyNearly.map(({ arguments: text }) => text)) });
const anyId = fc.oneof(fc.constantFrom('id', '', '__proto__'), fc.uuid(), brokenText);
const anyCall: fc.Arbitrary<AnyCall> = fc.tuple(anyId, fc.oneof({ arbitrary: anyNearly, weight: 5 }, { arbitrary: damaged, weight: 2 }, { arbitrary: anything, weight: 3 })).map(([id, call]) => ({ id, ...call }));
const anyStep: fc.Arbitrary<AnyStep> = fc.record({
  calls: fc.array(anyCall, { minLength: 1, maxLength: 3 }), approvals: fc.array(fc.constantFrom<Approval>('allowed', 'denied', 'dismissed', 'unavailable'), { minLength: 1, maxLength: 3 }),
});

/** Steps of one host, each with a log and a world as at the beginning. */
class Steps {
  readonly #session: Session;
  #before: Readonly<Record<string, string>>;

  private constructor(session: Session, before: Readonly<Record<string, string>>) {
    this.#session = session;
    this.#before = before;
  }

  static async of(session: Session): Promise<Steps> {
    return new Steps(session, await session.world());
  }

  async check({ calls, approvals }: AnyStep): Promise<void> {
    const session = this.#session;
    const log = EventLog.inMemory({ sessionId: 's', roots: [] }, () => 0);
    const observations = new Observations();
    for (const [path, text] of Object.entries(files)) observations.note(session.at(path), sha256(text));
    let asks = 0;
    const pipeline = createPipeline({
      ...session.host, log, observations, objects: new MemoryObjectStore(), approver: { ask: () => Promise.resolve({ approval: approvals[asks++ % approvals.length] ?? 'denied', reason: '' }) },
    });
    let keys = 0;
    const { logged, incoming } = nameCalls(calls, false, log.events, () => `k${++keys}`);
    log.append({ type: 'assistant', turn: 't', step: 1, text: '', finish: 'tool-calls', calls: logged });
    const outcomes = await pipeline.runStep(incoming, { origin: 'model', signal: new AbortController().signal, onEvent: () => undefined });
    assert.deepEqual(outcomes.map(({ call, result }) => [call, result !== null]), logged.map(({ call }) => [call, true]));
    assertBalanced(log.events, logged);
    assertSigned(log.events);
    await this.#assertOnlySigned(log.events.filter((event) => event.type === 'started'));
  }

  /** Whatever changed in the world is what a call that had started had signed. */
  async #assertOnlySigned(started: readonly LogEventOf<'started'>[]): Promise<void> {
    const signed = started.flatMap(({ effects }) => effects).filter((effect) => effect.kind === 'write' || effect.kind === 'delete').map(({ path }): string => path);
    const after = await this.#session.world();
    const names = new Set([...Object.keys(this.#before), ...Object.keys(after)]);
    const changed = [...names].filter((name) => this.#before[name] !== after[name]);
    if (changed.length === 0) return;
    const base = dirname(this.#session.at('.').replace(/\/\.?$/, ''));
    for (const name of changed) assert.ok(signed.some((path) => path === `${base}/${name}` || (name.endsWith('/') && path.startsWith(`${base}/${name}`))), `${name} changed, and only ${signed.join(', ')} was signed`);
    for (const name of changed) await rm(`${base}/${name}`, { recursive: true, force: true });
    for (const [name, text] of Object.entries(this.#before)) {
      if (name.endsWith('/')) await mkdir(`${base}/${name}`, { recursive: true });
      else if (changed.includes(name)) await writeFile(`${base}/${name}`, text, 'latin1');
    }
    this.#before = await this.#session.world();
  }
}

test('B2 B5 B7 F7 any text as arguments, and any name and id: one result, no throw, nothing done that was not signed, and the history is paired', async (t) => {
  const steps = await Steps.of(await sessionHost(t, { files, outside }));
  await fc.assert(fc.asyncProperty(anyStep, (step) => steps.check(step)), { numRuns });
});

test('B1 a name, an id or arguments that are no text at all are refused, and the step goes on', async (t) => {
  const session = await sessionHost(t, { files });
  const notText = fc.oneof(fc.constantFrom<unknown>(undefined, null, 0, true, [], () => 1, Symbol('s'), 1n), fc.object({ maxDepth: 1 }));
  await fc.assert(fc.asyncProperty(notText, fc.constantFrom('name', 'arguments'), async (wrong, member) => {
    const call = { call: 'k1', id: 'i1', name: 'read_file', arguments: '{"path":"a.txt"}' };
    const log = EventLog.inMemory({ sessionId: 's', roots: [] }, () => 0);
    const outcomes = await createPipeline({ ...session.host, log }).runStep([{ ...call, [member]: wrong }, { ...call, call: 'k2', id: 'i2' }], { origin: 'model', signal: new AbortController().signal, onEvent: () => undefined });
    assert.deepEqual(outcomes.map(({ result }) => result?.error?.code ?? 'well'), ['INVALID_PROPOSAL', 'well']);
    assert.deepEqual(log.events.flatMap((event) => (event.type === 'settled' ? [event.call] : [])), ['k1', 'k2']);
  }), { numRuns });
});
