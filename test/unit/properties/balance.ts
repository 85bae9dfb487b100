import assert from 'node:assert/strict';
import type { CallKey } from '../../../extension/boundary/call.ts';
import { historyOf } from '../../../extension/session/history.ts';
import type { LogEvent, LoggedProposal } from '../../../extension/session/records.ts';

/** Each proposal has one result, in the model's order, in the log and in what the model reads. */
export function assertBalanced(events: readonly LogEvent[], proposals: readonly LoggedProposal[]): void {
  const settled = events.flatMap((event) => (event.type === 'settled' ? [event.call] : []));
  assert.deepEqual(settled, proposals.map(({ call }) => call));
  const [assistant, ...results] = historyOf(events);
  assert.deepEqual(assistant?.role === 'assistant' ? assistant.calls.map(({ id }) => id) : null, proposals.map(({ id }) => id));
  assert.deepEqual(results.map((message) => (message.role === 'tool' ? message.callId : message.role)), proposals.map(({ id }) => id));
}

/** Each call's records stand in their order; each ask was decided once; and what started, a rule or a person had allowed, with the effects that were asked for. */
export function assertSigned(events: readonly LogEvent[]): void {
  const calls = new Set(events.flatMap((event) => ('call' in event ? [event.call] : [])));
  for (const call of calls) {
    const own = events.filter((event) => 'call' in event && event.call === call);
    const types = own.map(({ type }) => type).join(' ');
    assert.match(types, /^(asked decided )?(started )?settled$/, `${call}: ${types}`);
    const { asked, decided, started } = recordsOf(own);
    if (asked !== undefined) assert.equal(decided?.digest, asked.digest);
    if (started === undefined) continue;
    if (asked === undefined) assert.notEqual(started.decidedBy, 'the person');
    else assert.deepEqual([started.decidedBy, decided?.approval, started.digest, started.effects], ['the person', 'allowed', asked.digest, asked.content.effects]);
  }
}

function recordsOf(events: readonly LogEvent[]): { readonly [T in 'asked' | 'decided' | 'started']: Extract<LogEvent, { type: T }> | undefined } {
  return {
    asked: events.find((event) => event.type === 'asked'), decided: events.find((event) => event.type === 'decided'), started: events.find((event) => event.type === 'started'),
  };
}

/** The calls whose body has begun. */
export function startedCalls(events: readonly LogEvent[]): readonly CallKey[] {
  return events.flatMap((event) => (event.type === 'started' ? [event.call] : []));
}
