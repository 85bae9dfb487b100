import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha256 } from '../../../extension/boundary/digest.ts';
import { History, historyOf } from '../../../extension/session/history.ts';
import { loggedNarration } from '../../../extension/session/narration.ts';
import type { LogEvent } from '../../../extension/session/records.ts';
import { assistant, brief, ended, folded, personCall, proposal, settled, summarised, user } from './history-events.ts';

const long = 'a line of a result\n'.repeat(500);

test('images of a message are told by their digests, and state of a provider is given back as it came', () => {
  const digest = sha256('an image');
  const events: LogEvent[] = [
    { type: 'user', turn: 't', text: 'what is this?', images: [{ digest, mediaType: 'image/png', bytes: 8, thumbnail: 'data:image/png;base64,AA==' }] },
    { type: 'assistant', turn: 't', step: 1, text: 'A cat.', finish: 'stop', calls: [], thinking: 'hm', carried: [{ format: 'x:y', data: { signature: 's' } }] },
  ];
  assert.deepEqual(historyOf(events), [
    { role: 'user', text: 'what is this?', images: [{ digest, mediaType: 'image/png' }] },
    { role: 'assistant', text: 'A cat.', calls: [], carried: [{ format: 'x:y', data: { signature: 's' } }] },
  ]);
});

test('a folded result is told in a line that says what it was and how to read it again; all else keeps its bytes', () => {
  const events = [user('t', 'look'), assistant('t', '', proposal('1'), proposal('2')), settled('1', long), settled('2', 'short'), assistant('t', 'So.')];
  const before = brief(events);
  const after = brief([...events, folded('1')]);
  assert.equal(after[2], 'tool wire-1: [Left out to save room: its result, 9,500 characters in 501 lines. To read it again, call read_file with the path "countersign-result:1"; or call read_file again for the present state.]');
  assert.deepEqual(after.toSpliced(2, 1), before.toSpliced(2, 1));
  assert.equal(loggedNarration([...events, folded('1')], '1'), long);
});

test('a call that is folded before it has settled is told folded, and a key that no call has changes nothing', () => {
  const events = [user('t', 'look'), assistant('t', '', proposal('1')), folded('1', 'none'), settled('1', long)];
  assert.match(brief(events)[2] ?? '', /^tool wire-1: \[Left out/);
});

test('a summary stands in place of the events before its border, and what follows is told as before', () => {
  const events = [user('t', 'look'), assistant('t', '', proposal('1')), settled('1', 'one'), assistant('t', 'Done.'), ended('t'), user('u', 'more'), assistant('u', '', proposal('2')), settled('2', 'two')];
  const told = brief([...events, summarised(5, 'We looked.'), assistant('u', 'All done.')]);
  assert.equal(told[0], 'user: [The beginning of this conversation is left out to save room; what follows tells it.]\n\nWe looked.');
  assert.deepEqual(told.slice(1), [...brief(events).slice(4), 'assistant All done. []']);
});

test('a border between a call and its result moves to before the call, so that both stand', () => {
  const events = [user('t', 'look'), assistant('t', '', proposal('1'), proposal('2')), settled('1', 'one'), settled('2', 'two')];
  for (const through of [2, 3]) assert.deepEqual(brief([...events, summarised(through, 's')]).slice(1), ['assistant  [wire-1,wire-2]', 'tool wire-1: one', 'tool wire-2: two']);
});

test('a call that is open when the summary is written gets its result after it', () => {
  const events = [user('t', 'look'), assistant('t', '', proposal('1')), summarised(2, 's'), user('t', 'and?'), settled('1', 'one')];
  assert.deepEqual(brief(events).slice(1), ['assistant  [wire-1]', 'tool wire-1: one', 'user: and?']);
});

test("a call of the person's that began before the border is told where it settled", () => {
  const told = brief([user('t', 'look'), ended('t'), personCall('p', '1'), user('u', 'go on'), settled('p', 'again'), summarised(3, 's')]);
  assert.equal(told.length, 3);
  assert.match(told[2] ?? '', /^user: .*read_file/);
});

test('the newest summary replaces an older one, and what was folded stays folded', () => {
  const events = [user('t', 'look'), assistant('t', '', proposal('1')), settled('1', long), summarised(1, 'first'), folded('1'), assistant('t', 'So.'), summarised(1, 'second')];
  const told = brief(events);
  assert.deepEqual([told.length, told[0]?.endsWith('second'), /Left out/.test(told[2] ?? '')], [4, true, true]);
});

/** Any order of events, also such as no session writes. */
const anyEvents = fc.array(fc.oneof(
  fc.constantFrom('t', 'u').map((turn) => user(turn, 'said')),
  fc.tuple(fc.constantFrom('t', 'u'), fc.uniqueArray(fc.nat(6).map(String), { maxLength: 3 })).map(([turn, calls]) => assistant(turn, 'text', ...calls.map((call) => proposal(call)))),
  fc.tuple(fc.nat(8).map(String), fc.string()).map(([call, text]) => settled(call, text)),
  fc.nat(2).map((n) => personCall(String(7 + n), '1')),
  fc.constantFrom('t', 'u').map(ended),
  fc.uniqueArray(fc.nat(8).map(String), { maxLength: 3 }).map((calls) => folded(...calls)),
  fc.nat(45).map((through) => summarised(through, 'summary')),
), { maxLength: 40 });

test('the history of a log that grows is the same as that of the log read at once, byte for byte', () => {
  fc.assert(fc.property(anyEvents, fc.array(fc.nat(40)), (events, stops) => {
    const growing = new History();
    for (const stop of stops.toSorted((a, b) => a - b)) growing.tell(events.slice(0, stop));
    assert.equal(JSON.stringify(growing.tell(events).map(({ message }) => message)), JSON.stringify(historyOf(structuredClone(events))));
  }), { numRuns: 500 });
});

test('I5 only a fold or a summary changes an earlier message', () => {
  fc.assert(fc.property(anyEvents, (events) => {
    let before = historyOf([]);
    for (const [at, event] of events.entries()) {
      const now = historyOf(events.slice(0, at + 1));
      if (event.type !== 'folded' && event.type !== 'summarised') assert.deepEqual(now.slice(0, before.length), before);
      before = now;
    }
  }), { numRuns: 300 });
});

test('F7 also across folds and summaries each call that is told has exactly one result right after its step, in its order', () => {
  fc.assert(fc.property(anyEvents, (events) => {
    const messages = historyOf([...events, ended('t')]);
    for (const [at, message] of messages.entries()) {
      if (message.role !== 'assistant') continue;
      const after = messages.slice(at + 1, at + 1 + message.calls.length);
      assert.deepEqual(after.map((next) => (next.role === 'tool' ? next.callId : next.role)), message.calls.map(({ id }) => id));
    }
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
    assert.equal(messages.filter(({ role }) => role === 'tool').length, calls.length);
  }), { numRuns: 500 });
});
