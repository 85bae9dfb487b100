import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlanFold, planOf } from '../../../extension/session/plan.ts';
import type { LogEvent } from '../../../extension/session/records.ts';
import { event } from './session-logs.ts';

const proposed = (call: string, name: string, args: unknown): LogEvent => ({
  type: 'assistant', turn: 't', step: 1, text: '', finish: 'tool-calls', calls: [{ call, id: call, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }],
});
const failed = (call: string): LogEvent => ({
  type: 'settled', call, verdict: null, approval: null, observed: [], result: { isError: true, content: [{ type: 'text', text: 'INVALID_ARGS' }], error: { code: 'INVALID_ARGS', message: '' } },
});
const items = (...texts: readonly string[]): object => ({ items: texts.map((text) => ({ text, status: 'pending' })) });
const texts = (events: readonly LogEvent[]): readonly string[] => planOf(events).map(({ text }) => text);

test('the plan is what the last call that succeeded said', () => {
  assert.deepEqual(texts([event.user()]), []);
  const first = [proposed('a', 'update_plan', items('one', 'two')), event.settled('a')];
  assert.deepEqual(planOf(first), [{ text: 'one', status: 'pending' }, { text: 'two', status: 'pending' }]);
  assert.deepEqual(texts([...first, proposed('b', 'update_plan', items('three'))]), ['one', 'two']);
  assert.deepEqual(texts([...first, proposed('b', 'update_plan', items('three')), failed('b')]), ['one', 'two']);
  assert.deepEqual(texts([...first, proposed('b', 'update_plan', items()), event.settled('b')]), []);
  assert.deepEqual(texts([...first, proposed('b', 'other', items('three')), event.settled('b')]), ['one', 'two']);
});

test('a plan that the person had set again counts too', () => {
  const again: LogEvent = { type: 'person-call', of: 'a', proposal: { call: 'c', id: 'c', name: 'update_plan', arguments: JSON.stringify(items('again')) } };
  assert.deepEqual(texts([again, event.settled('c')]), ['again']);
});

test('the fold says when the plan has changed, and takes nothing that is no plan', () => {
  const fold = new PlanFold();
  assert.equal(fold.record(proposed('a', 'update_plan', items('one'))), false);
  assert.equal(fold.record(event.settled('a')), true);
  for (const args of ['no json', 'null', '{}', '{"items":5}', '{"items":[null]}', '{"items":[{"text":"x","status":"odd"}]}', '{"items":[{"text":5,"status":"done"}]}']) {
    fold.record(proposed('b', 'update_plan', args));
    assert.equal(fold.record(event.settled('b')), false, args);
  }
  assert.deepEqual(fold.items.map(({ text }) => text), ['one']);
});
