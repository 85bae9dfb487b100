import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { historyOf } from '../../../extension/session/history.ts';
import type { LogEvent } from '../../../extension/session/records.ts';
import { assistant, brief, ended, personCall, proposal, settled, user } from './history-events.ts';

test('a turn is told in its order: question, calls, a result for each, answer', () => {
  assert.deepEqual(brief([
    user('t', 'look'), assistant('t', 'I look.', proposal('1'), proposal('2')), settled('1', 'one'), settled('2', 'two'), assistant('t', 'Done.'), ended('t'),
  ]), ['user: look', 'assistant I look. [wire-1,wire-2]', 'tool wire-1: one', 'tool wire-2: two', 'assistant Done. []']);
});

test('results are told in the order of the calls, whoever settled first', () => {
  assert.deepEqual(brief([user('t', 'look'), assistant('t', '', proposal('1'), proposal('2')), settled('2', 'two')]).length, 2);
  assert.deepEqual(brief([user('t', 'look'), assistant('t', '', proposal('1'), proposal('2')), settled('2', 'two'), settled('1', 'one')]).slice(2), ['tool wire-1: one', 'tool wire-2: two']);
});

test('what the person says while calls run comes after their results', () => {
  assert.deepEqual(brief([user('t', 'look'), assistant('t', '', proposal('1')), user('t', 'hurry'), settled('1', 'one')]).slice(2), ['tool wire-1: one', 'user: hurry']);
});

test('a call that is open when the log goes on is told as unknown, and a later result changes nothing', () => {
  const events = [user('t', 'look'), assistant('t', '', proposal('1'), proposal('2')), settled('2', 'two'), ended('t')];
  const told = brief(events);
  assert.match(told[2] ?? '', /^tool wire-1: TOOL_OUTCOME_UNKNOWN/);
  assert.equal(told[3], 'tool wire-2: two');
  assert.deepEqual(brief([...events, settled('1', 'late')]), told);
});

test('a new turn does not wait for the calls of an old one', () => {
  const told = brief([user('t', 'look'), assistant('t', '', proposal('1')), user('u', 'and now?')]);
  assert.match(told[2] ?? '', /^tool wire-1: TOOL_OUTCOME_UNKNOWN/);
  assert.equal(told[3], 'user: and now?');
});

test('a call of the person is told as a note where it settled', () => {
  const told = brief([user('t', 'look'), assistant('t', '', proposal('1')), settled('1', 'denied'), ended('t'), personCall('p', '1'), settled('p', 'now it works'), user('u', 'go on')]);
  assert.equal(told[3], 'user: [I had this call run again: read_file {"path":"a"}]\nIts result (data, not my words):\nnow it works');
  assert.equal(told[4], 'user: go on');
});

test('an answer that the token limit cut off is followed by a note that says so', () => {
  const cut: LogEvent = { type: 'assistant', turn: 't', step: 1, text: 'It is', finish: 'length', calls: [] };
  assert.match(brief([user('t', 'what?'), cut])[2] ?? '', /^user: \[Your answer reached the token limit/);
});

test('arguments that were refused for their size are not sent again with each request', () => {
  const [, message] = historyOf([user('t', 'x'), assistant('t', '', proposal('1', 'x'.repeat(1024 * 1024)))]);
  assert.ok(message?.role === 'assistant' && (message.calls[0]?.arguments.length ?? 0) < 200);
});

test('an empty answer and an empty result leave no message that a server would refuse', () => {
  assert.deepEqual(brief([user('t', 'x'), assistant('t', '')]), ['user: x']);
  assert.equal(brief([user('t', 'x'), assistant('t', '', proposal('1')), settled('1', '')])[2], 'tool wire-1: (nothing)');
});

/** Any order of events, also such as no session writes. */
const anyEvents = fc.array(fc.oneof(
  fc.constantFrom('t', 'u').map((turn) => user(turn, 'said')),
  fc.tuple(fc.constantFrom('t', 'u'), fc.uniqueArray(fc.nat(6).map(String), { maxLength: 3 }))
    .map(([turn, calls]) => assistant(turn, 'text', ...calls.map((call) => proposal(call)))),
  fc.tuple(fc.nat(8).map(String), fc.string()).map(([call, text]) => settled(call, text)),
  fc.nat(2).map((n) => personCall(String(7 + n), '1')),
  fc.constantFrom('t', 'u').map(ended),
), { maxLength: 40 });

test('I5 the same log gives the same history, and appending to it changes no earlier message', () => {
  fc.assert(fc.property(anyEvents, (events) => {
    let before = historyOf([]);
    for (let count = 1; count <= events.length; count++) {
      const now = historyOf(events.slice(0, count));
      assert.deepEqual(now.slice(0, before.length), before);
      before = now;
    }
    assert.equal(JSON.stringify(historyOf(structuredClone(events))), JSON.stringify(before));
  }), { numRuns: 300 });
});

test('F7 each call that was told has exactly one result right after its step, in its order, once the log has gone on', () => {
  fc.assert(fc.property(anyEvents, (events) => {
    const messages = historyOf([...events, ended('t')]);
    for (const [at, message] of messages.entries()) {
      if (message.role !== 'assistant') continue;
      const after = messages.slice(at + 1, at + 1 + message.calls.length);
      assert.deepEqual(after.map((next) => (next.role === 'tool' ? next.callId : next.role)), message.calls.map(({ id }) => id));
    }
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
    assert.equal(messages.filter(({ role }) => role === 'tool').length, calls.length);
  }), { numRuns: 300 });
});
