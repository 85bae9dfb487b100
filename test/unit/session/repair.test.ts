import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { suite, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { LogEvent } from '../../../extension/session/records.ts';
import { readLog } from '../../../extension/session/read-log.ts';
import { reopenLog, repairs } from '../../../extension/session/repair.ts';
import { event, logOf, wholeTurn } from './session-logs.ts';

/** What a repair appends, in few words. */
function inWords(one: LogEvent): string {
  switch (one.type) {
    case 'settled':
      return `${one.call} ${one.result.error?.code ?? 'well'} ${one.approval ?? '-'}`;
    case 'decided':
      return `${one.call} decided ${one.approval}`;
    case 'turn-ended':
      return `${one.turn} ${one.end}`;
    default:
      return one.type;
  }
}

function repaired(t: TestContext, events: readonly LogEvent[]): readonly string[] {
  const file = logOf(t, events);
  const before = readFileSync(file);
  const { log, torn } = reopenLog(file, () => 9000);
  log.close();
  assert.equal(torn, false);
  const after = readFileSync(file);
  assert.deepEqual(after.subarray(0, before.length), before, 'a repair only appends');
  const { records } = readLog(file);
  assert.deepEqual(log.events, records.map((record) => record.event));
  return records.slice(events.length + 1).map((record) => inWords(record.event));
}

const before: Readonly<Record<string, readonly LogEvent[]>> = {
  proposed: [], asked: [event.asked('c1')], decided: [event.asked('c1'), event.decided('c1')], started: [event.asked('c1'), event.decided('c1'), event.started('c1')],
};

suite('repair', () => {
  test('I2 a call that was proposed and no more was not started', (t) => {
    assert.deepEqual(repaired(t, [event.user(), event.assistant('c1'), ...before['proposed'] ?? []]), ['c1 TOOL_NOT_STARTED -', 't1 interrupted']);
  });

  test('I2 a call that a person was being asked about was not started, and the question was dismissed', (t) => {
    assert.deepEqual(repaired(t, [event.user(), event.assistant('c1'), ...before['asked'] ?? []]), ['c1 decided dismissed', 'c1 TOOL_NOT_STARTED dismissed', 't1 interrupted']);
  });

  test('I2 a call that was decided but not started was not started', (t) => {
    assert.deepEqual(repaired(t, [event.user(), event.assistant('c1'), ...before['decided'] ?? []]), ['c1 TOOL_NOT_STARTED -', 't1 interrupted']);
  });

  test('I2 of a call that had started, nobody knows what it did', (t) => {
    assert.deepEqual(repaired(t, [event.user(), event.assistant('c1'), ...before['started'] ?? []]), ['c1 TOOL_OUTCOME_UNKNOWN -', 't1 interrupted']);
    assert.deepEqual(repaired(t, [event.user(), event.assistant('c1'), event.started('c1')]), ['c1 TOOL_OUTCOME_UNKNOWN -', 't1 interrupted']);
  });

  test('I2 every open call gets its result in the order of the proposals, and settled ones get none', (t) => {
    assert.deepEqual(
      repaired(t, [event.user(), event.assistant('c1', 'c2', 'c3', 'c4'), event.started('c2'), event.settled('c2'), event.started('c3'), event.asked('c4')]),
      ['c1 TOOL_NOT_STARTED -', 'c3 TOOL_OUTCOME_UNKNOWN -', 'c4 decided dismissed', 'c4 TOOL_NOT_STARTED dismissed', 't1 interrupted'],
    );
  });

  test('I2 a call of the person that was open is closed too, without a turn where there was none', (t) => {
    assert.deepEqual(repaired(t, [...wholeTurn, event.personCall('p1', 'c1'), event.started('p1')]), ['p1 TOOL_OUTCOME_UNKNOWN -']);
    assert.deepEqual(repaired(t, [...wholeTurn, event.personCall('p1', 'c1')]), ['p1 TOOL_NOT_STARTED -']);
  });

  test('I2 a turn without calls is closed as interrupted', (t) => {
    assert.deepEqual(repaired(t, [event.user()]), ['t1 interrupted']);
    assert.deepEqual(repaired(t, [...wholeTurn, event.user('again', 't2')]), ['t2 interrupted']);
    assert.deepEqual(repaired(t, [event.user(), event.assistant('c1'), event.settled('c1')]), ['t1 interrupted']);
  });

  test('I2 a log that is whole is left byte for byte as it is', (t) => {
    assert.deepEqual(repaired(t, wholeTurn), []);
    assert.deepEqual(repaired(t, []), []);
  });

  test('I2 what is said of an open call is an error that the model can act on', (t) => {
    const file = logOf(t, [event.user(), event.assistant('c1', 'c2'), event.started('c1')]);
    const { log } = reopenLog(file, () => 0);
    log.close();
    const texts = log.events.flatMap((one) => (one.type === 'settled' ? one.result.content.map(({ text }) => text) : []));
    assert.match(texts[0] ?? '', /^TOOL_OUTCOME_UNKNOWN: .*may have been done or not\. Look before you go on\.$/);
    assert.match(texts[1] ?? '', /^TOOL_NOT_STARTED: .*nothing was done\.$/);
  });

  test('I3 a torn last line is cut off and said, and what it would have said is repaired', (t) => {
    const file = logOf(t, [event.user(), event.assistant('c1'), event.started('c1')]);
    appendFileSync(file, '{"n":5,"at":1,"event":{"type":"settled"');
    const { log, torn } = reopenLog(file, () => 0);
    assert.equal(torn, true);
    assert.equal(log.append(event.user('next', 't2')).n, 7);
    log.close();
    assert.deepEqual(readLog(file).records.slice(4).map((record) => inWords(record.event)), ['c1 TOOL_OUTCOME_UNKNOWN -', 't1 interrupted', 'user']);
  });

  test('I2 repairing twice changes nothing, wherever the log was cut off', (t) => {
    const events: readonly LogEvent[] = [...wholeTurn, event.personCall('p1', 'c1'), event.asked('p1'), event.decided('p1', 'denied'), event.settled('p1'), event.user('again', 't2'), event.assistant('c3', 'c4')];
    for (let length = 0; length <= events.length; length += 1) {
      const file = logOf(t, events.slice(0, length));
      reopenLog(file).log.close();
      const once = readFileSync(file);
      const { log, torn } = reopenLog(file);
      log.close();
      assert.equal(torn, false);
      assert.deepEqual(readFileSync(file), once, `cut after ${length}`);
    }
  });

  test('I2 after a repair every proposal has exactly one result, in any order of events', () => {
    const any = fc.constantFrom('c1', 'c2', 'c3').chain((call) => fc.constantFrom(event.asked(call), event.decided(call), event.started(call), event.settled(call)));
    fc.assert(fc.property(fc.uniqueArray(any, { selector: (one) => JSON.stringify(one) }), (events) => {
      // A call that has settled is not heard of again.
      const orderly = events.filter((one, index) => !('call' in one) || !events.slice(0, index).some((past) => past.type === 'settled' && past.call === one.call));
      const log = [event.user(), event.assistant('c1', 'c2', 'c3'), ...orderly];
      const closed = [...log, ...repairs(log)];
      assert.deepEqual(closed.flatMap((one) => (one.type === 'settled' ? [one.call] : [])).toSorted(), ['c1', 'c2', 'c3']);
      assert.deepEqual(repairs(closed), []);
      for (const one of orderly) {
        if (one.type !== 'started' || orderly.some((other) => other.type === 'settled' && other.call === one.call)) continue;
        const last = orderly.findLast((other) => 'call' in other && other.call === one.call);
        if (last === one) assert.ok(closed.some((other) => other.type === 'settled' && other.call === one.call && other.result.error?.code === 'TOOL_OUTCOME_UNKNOWN'));
      }
    }));
  });
});
