import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, hold, propose, say } from '../../model-server/replies.ts';
import { startRig, until, waiting } from './agents.ts';

const capabilities = { images: false, parallelCalls: true, thinking: false, contextTokens: 128_000, outputTokens: 8_000 };

test('a turn without calls: the question, the answer, the end', async () => {
  await using rig = await startRig([say(['It is ', 'green.'])]);
  rig.send('Which colour?');
  assert.equal(rig.agent.busy, true);
  await rig.agent.settled();
  assert.deepEqual(rig.story(), ['user Which colour?', 'assistant 1 stop It is green.', 'ended answered']);
  assert.deepEqual(rig.events.filter(({ type }) => type !== 'usage' && type !== 'context').map((event) => (event.type === 'activity' ? event.activity : event.type)), [
    'queue', 'requesting', 'streaming', 'draft-text', 'draft-text', 'idle',
  ]);
  assert.equal(rig.agent.busy, false);
});

test('a turn goes on until the model proposes nothing more, each request with all results', async () => {
  await using rig = await startRig([propose(call('a', { n: 1 }), call('b', { n: 2 })), propose(call('c', { n: 3 })), say('Done.')]);
  rig.send('Go');
  await rig.agent.settled();
  assert.deepEqual(rig.story(), [
    'user Go', 'assistant 1 tool-calls  [call_1,call_2]', 'settled well', 'settled well', 'assistant 2 tool-calls  [call_1_2]', 'settled well', 'assistant 3 stop Done.', 'ended answered',
  ]);
  assert.deepEqual(rig.pipeline.executed, ['{"n":1}', '{"n":2}', '{"n":3}']);
  assert.deepEqual(rig.messages(2).map(({ role, content, tool_call_id: id }) => [role, content, id]), [
    ['system', 'system', undefined], ['user', 'Go', undefined], ['assistant', null, undefined], ['tool', 'did {"n":1}', 'call_1'], ['tool', 'did {"n":2}', 'call_2'],
    ['assistant', null, undefined], ['tool', 'did {"n":3}', 'call_1_2'],
  ]);
});

test('ids that a provider repeats in every step are unique in the conversation, and so are our keys', async () => {
  await using rig = await startRig([propose(call('a', {}, 'same')), propose(call('a', {}, 'same')), propose(call('a', {}, 'same')), say('Done.')]);
  rig.send('Go');
  await rig.agent.settled();
  const ids = rig.messages(3).flatMap(({ tool_calls: calls }) => calls?.map(({ id }) => id) ?? []);
  assert.deepEqual(ids, ['same', 'same_2', 'same_3']);
  const keys = rig.pipeline.steps.flatMap(({ calls }) => calls.map((incoming) => incoming.call));
  assert.equal(new Set(keys).size, 3);
  assert.deepEqual(rig.pipeline.steps.flatMap(({ calls }) => calls.map(({ duplicate }) => duplicate)), [undefined, undefined, undefined]);
});

test('B11 the second of two calls with one id in a step is marked, and both get a result under an id of their own', async () => {
  await using rig = await startRig([propose({ name: 'a', arguments: '{"n":1}', id: 'x' }, { name: 'b', arguments: '{"n":2}', id: 'x', index: 1 }), say('Done.')]);
  rig.send('Go');
  await rig.agent.settled();
  assert.deepEqual(rig.pipeline.executed, ['{"n":1}']);
  assert.deepEqual(rig.messages(1).slice(-2).map(({ content, tool_call_id: id }) => [id, content]), [['x', 'did {"n":1}'], ['x_2', 'DUPLICATE_ID']]);
});

test('B10 calls of an answer that the token limit cut off are not executed; the model is told and corrects itself', async () => {
  await using rig = await startRig([{ ...propose(call('a', '{"n":1}'), call('a', '{"content":"half')), finish: 'length' }, say('Shorter now.')]);
  rig.send('Go');
  await rig.agent.settled();
  assert.deepEqual(rig.pipeline.executed, []);
  assert.deepEqual(rig.pipeline.steps[0]?.calls.map(({ cutOff }) => cutOff), [true, true]);
  assert.deepEqual(rig.story().slice(-2), ['assistant 2 stop Shorter now.', 'ended answered']);
});

test('three answers in a row that the token limit cut off end the turn', async () => {
  await using rig = await startRig(() => ({ ...propose(call('a', '{"content":"half')), finish: 'length' }));
  rig.send('Go');
  await rig.agent.settled();
  assert.equal(rig.server.requests.length, 3);
  assert.equal(rig.story().at(-1), 'ended failed');
  assert.deepEqual(rig.pipeline.executed, []);
});

test('a text that the token limit cut off is gone on with', async () => {
  await using rig = await startRig([{ ...say('The first half'), finish: 'length' }, say('and the second.')]);
  rig.send('Tell me');
  await rig.agent.settled();
  assert.match(rig.messages(1).at(-1)?.content ?? '', /cut off/);
  assert.equal(rig.story().at(-1), 'ended answered');
});

test("a provider's filter ends the turn, and the calls that came with it are not executed", async () => {
  await using rig = await startRig([{ ...propose(call('a', {})), finish: 'content_filter' }]);
  rig.send('Go');
  await rig.agent.settled();
  assert.deepEqual(rig.pipeline.executed, []);
  assert.equal(rig.story().at(-1), 'ended failed');
});

test('a turn ends at its step limit with a word, and a retry gives it as many steps again', async () => {
  await using rig = await startRig(() => propose(call('a', {})), { stepLimit: () => 3 });
  rig.send('Go');
  await rig.agent.settled();
  assert.equal(rig.server.requests.length, 3);
  const last = rig.log.events.at(-1);
  assert.ok(last?.type === 'turn-ended' && last.end === 'step-limit' && /after 3 steps/.test(last.message));
  rig.agent.retry();
  await rig.agent.settled();
  assert.equal(rig.server.requests.length, 6);
  assert.deepEqual(rig.log.events.flatMap((event) => (event.type === 'assistant' ? [event.step] : [])), [1, 2, 3, 4, 5, 6]);
});

test('what is sent while a call runs is queued, answers nothing, and goes with the next request', async () => {
  await using rig = await startRig([propose(call('a', {})), say('Both done.')]);
  const gate = hold();
  rig.pipeline.body = async () => { await gate.until; return 'ran'; };
  rig.send('First');
  await until(() => rig.pipeline.executed.length === 1);
  rig.send('and this too');
  assert.deepEqual(rig.agent.queued.map(({ text }) => text), ['and this too']);
  assert.equal(rig.story().includes('settled well'), false);
  gate.release();
  await rig.agent.settled();
  assert.deepEqual(rig.messages(1).slice(-2).map(({ role, content }) => [role, content]), [['tool', 'ran'], ['user', 'and this too']]);
  assert.deepEqual(rig.agent.queued, []);
});

test('what is sent during the last answer starts a turn of its own', async () => {
  const gate = hold();
  await using rig = await startRig([{ ...say(['One', '.']), holdAfter: { chunks: 2, until: gate.until } }, say('Two.')]);
  rig.send('First');
  await until(() => rig.events.some(({ type }) => type === 'draft-text'));
  rig.send('Second');
  gate.release();
  await rig.agent.settled();
  assert.deepEqual(rig.story(), ['user First', 'assistant 1 stop One.', 'ended answered', 'user Second', 'assistant 1 stop Two.', 'ended answered']);
});

test('a stop in mid-stream keeps the text that had come, executes nothing and closes the turn', async () => {
  const gate = hold();
  await using rig = await startRig([{ ...propose(call('a', {})), text: 'Let me see', holdAfter: { chunks: 4, until: gate.until } }]);
  rig.send('Go');
  await until(() => rig.events.some(({ type }) => type === 'draft-call'));
  rig.agent.stop();
  await rig.agent.settled();
  gate.release();
  assert.deepEqual(rig.story(), ['user Go', 'assistant 1 stop Let me see', 'ended stopped']);
  assert.deepEqual(rig.pipeline.executed, []);
});

test('a stop while a call runs waits for it; the rest of the step does not start; nothing more is requested', async () => {
  await using rig = await startRig([propose(call('a', { n: 1 }), call('a', { n: 2 }))]);
  rig.pipeline.body = (_call, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
  rig.send('Go');
  await until(() => rig.pipeline.executed.length === 1);
  rig.agent.stop();
  await rig.agent.settled();
  assert.deepEqual(rig.story().slice(2), ['settled well', 'settled ABORTED_BEFORE_DISPATCH', 'ended stopped']);
  assert.deepEqual(rig.pipeline.executed, ['{"n":1}']);
  assert.equal(rig.server.requests.length, 1);
});

test('what was queued at a stop stays queued, and goes out with the next message', async () => {
  await using rig = await startRig([{ kind: 'silence' }, say('Here.')]);
  rig.send('First');
  await until(() => rig.server.requests.length === 1);
  rig.send('Second');
  rig.agent.stop();
  await rig.agent.settled();
  assert.deepEqual(rig.story(), ['user First', 'ended stopped']);
  assert.deepEqual(rig.agent.queued.map(({ text }) => text), ['Second']);
  rig.send('Third');
  await rig.agent.settled();
  assert.deepEqual(rig.story().slice(2), ['user Second', 'user Third', 'assistant 1 stop Here.', 'ended answered']);
});

test('a call that the person asks for again is a new call of theirs, and the model reads of it with the next request', async () => {
  await using rig = await startRig([propose(call('a', { n: 1 })), say('Done.'), say('I see.')]);
  rig.send('Go');
  await rig.agent.settled();
  const first = rig.pipeline.steps[0]?.calls[0];
  assert.ok(first !== undefined);
  await rig.agent.askAgain(first.call);
  const again = rig.pipeline.steps[1];
  assert.equal(again?.origin, 'person');
  assert.equal(again.calls[0]?.arguments, '{"n":1}');
  assert.notEqual(again.calls[0]?.call, first.call);
  assert.equal(rig.server.requests.length, 2);
  rig.send('Now?');
  await rig.agent.settled();
  assert.match(rig.messages(2).at(-2)?.content ?? '', /I had this call run again: a \{"n":1\}/);
});

test('asking again for a call that was cut off does not execute it', async () => {
  await using rig = await startRig([{ ...propose(call('a', '{"n":1}')), finish: 'length' }, say('Oh.')]);
  rig.send('Go');
  await rig.agent.settled();
  await rig.agent.askAgain(rig.pipeline.steps[0]?.calls[0]?.call ?? '');
  assert.deepEqual(rig.pipeline.executed, []);
});

test('asking again for a call that is not there does nothing', async () => {
  await using rig = await startRig([]);
  await rig.agent.askAgain('nowhere');
  assert.deepEqual(rig.story(), []);
});

test('blank text is no message', async () => {
  await using rig = await startRig([]);
  rig.send(' \n ');
  assert.equal(rig.agent.busy, false);
});

test('the request leaves within the tick in which the message was sent', async () => {
  const order: string[] = [];
  await using rig = await startRig([say('ok')], {
    client: () => ({ label: '', capabilities, bodyOf: () => '', async *stream() { order.push('request'); yield { type: 'finished', reason: 'stop', calls: [], usage: null }; } }),
  });
  rig.send('Go');
  order.push('sent');
  assert.deepEqual(order, ['request', 'sent']);
});

test('what an agent before it had queued goes out with the next message, in order', async () => {
  await using rig = await startRig([say('Done.')], { queued: [waiting('first', 'next-step'), waiting('second', 'after-turn')] });
  assert.deepEqual([rig.agent.busy, rig.agent.queued.map(({ text }) => text)], [false, ['first', 'second']]);
  rig.send('third');
  await rig.agent.settled();
  assert.deepEqual(rig.story(), ['user first', 'user second', 'user third', 'assistant 1 stop Done.', 'ended answered']);
});
