import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPresenter } from '../../../extension/chat/presenter.ts';
import { codeOf, textOf } from '../pipeline/plain-tool.ts';
import { sessionHost } from '../pipeline/session-host.ts';

const item = (text: string, status: string): object => ({ text, status });

test('update_plan is allowed in every mode without asking, and says in a few words how far the plan is', async (t) => {
  for (const mode of ['ask', 'plan'] as const) {
    const session = await sessionHost(t, { policy: { mode } });
    const outcome = await session.propose('update_plan', { items: [item('look', 'done'), item('change', 'active'), item('test', 'pending')] });
    assert.equal(textOf(outcome), 'The plan is shown: 1 of 3 done.');
    assert.deepEqual(outcome.effects, [{ kind: 'converse', op: 'plan' }]);
    assert.equal(textOf(await session.propose('update_plan', { items: [] })), 'The plan is empty now.');
    assert.deepEqual(session.asks, []);
  }
});

test('a plan with two active items, too many, or items that are none is refused', async (t) => {
  const session = await sessionHost(t);
  const two = await session.propose('update_plan', { items: [item('a', 'active'), item('b', 'active')] });
  assert.match(textOf(two), /^INVALID_ARGS: At most one item of a plan is active; 2 are/);
  for (const items of [
    Array.from({ length: 101 }, () => item('x', 'done')), [item('', 'done')], [item('x'.repeat(2001), 'done')], [item('x', 'finished')], [{ text: 'x' }], ['x'], 'x', [{ ...item('x', 'done'), note: 1 }],
  ]) assert.equal(codeOf(await session.propose('update_plan', { items })), 'INVALID_ARGS');
  assert.equal(codeOf(await session.propose('update_plan', { items: Array.from({ length: 100 }, () => item('x'.repeat(2000), 'pending')) })), 'well');
});

test('on its line in the chat the call says how far the plan is, in three words', async (t) => {
  const session = await sessionHost(t);
  const presenter = createPresenter(session.registry);
  for (const [items, summary] of [[[item('look', 'done'), item('change', 'active')], '1 of 2 done'], [[], '']] as const) {
    const { result } = await session.propose('update_plan', { items });
    assert.ok(result);
    assert.equal(presenter.result('update_plan', JSON.stringify({ items }), result), summary);
  }
});
