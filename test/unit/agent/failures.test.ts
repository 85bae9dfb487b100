import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, httpError, propose, say, type Reply } from '../../model-server/replies.ts';
import { scriptOf } from '../../model-server/server.ts';
import { startRig, type Rig } from './agents.ts';

function failures(rig: Rig): readonly string[] {
  return rig.events.flatMap((event) => (event.type === 'failed' ? [`${event.failure.kind}: ${event.failure.message}`] : []));
}

function waits(rig: Rig): readonly string[] {
  return rig.events.flatMap((event) => (event.type === 'activity' && event.activity === 'waiting' ? [event.text] : []));
}

test('a busy server is asked again after the time that it said, and the wait is shown second by second', async () => {
  await using rig = await startRig([httpError(429, { 'retry-after': '3' }), say('Here.')]);
  rig.send('Go');
  await rig.agent.settled();
  assert.deepEqual(waits(rig), [3, 2, 1].map((left) => `The server is busy (429). Trying again in ${left} s (2 of 5)`));
  assert.deepEqual(rig.slept, [1000, 1000, 1000]);
  assert.deepEqual(rig.story(), ['user Go', 'assistant 1 stop Here.', 'ended answered']);
});

test('a server with errors is asked five times; then the turn fails, and a retry goes on with it', async () => {
  await using rig = await startRig(() => httpError(503));
  rig.send('Go');
  await rig.agent.settled();
  assert.equal(rig.server.requests.length, 5);
  assert.deepEqual(rig.story(), ['user Go', 'ended failed']);
  assert.match(failures(rig)[0] ?? '', /^server: .*\(503\)/);
  rig.server.setScript(scriptOf([say('Back again.')]));
  rig.agent.retry();
  await rig.agent.settled();
  assert.deepEqual(rig.story().slice(2), ['assistant 1 stop Back again.', 'ended answered']);
  assert.deepEqual(rig.messages(5).map(({ role }) => role), ['system', 'user']);
});

test('a refused key fails at once', async () => {
  await using rig = await startRig(() => httpError(401));
  rig.send('Go');
  await rig.agent.settled();
  assert.equal(rig.server.requests.length, 1);
  assert.equal(rig.slept.length, 0);
  assert.match(failures(rig)[0] ?? '', /^key: /);
});

test('an answer that breaks off in mid-call is dropped and requested again; what had come of the call is never executed', async () => {
  for (const breakage of [{ cutAfter: 4 }, { finish: null, done: false }] satisfies Partial<Reply>[]) {
    await using rig = await startRig([{ ...propose(call('write_file', { path: 'half' })), text: 'Now', ...breakage }, propose(call('write_file', { path: 'whole' })), say('Done.')]);
    rig.send('Go');
    await rig.agent.settled();
    assert.deepEqual(rig.pipeline.executed, ['{"path":"whole"}']);
    assert.equal(rig.events.filter(({ type }) => type === 'draft-dropped').length, 1);
    assert.equal(waits(rig)[0], 'The answer broke off. Trying again in 1 s (2 of 5)');
    assert.equal(rig.story().some((line) => line.includes('Now')), false);
  }
});

test('a page or garbage in place of an answer fails with what came', async () => {
  for (const pieces of [['<html>Sign in</html>'], ['data: {nonsense}\n\n']]) {
    await using rig = await startRig([{ kind: 'raw', pieces }]);
    rig.send('Go');
    await rig.agent.settled();
    assert.equal(rig.server.requests.length, 1);
    assert.match(failures(rig)[0] ?? '', /^protocol: .*(Sign in|nonsense)/);
    assert.equal(rig.story().at(-1), 'ended failed');
  }
});

test('a stop ends a wait', async () => {
  const stopping: { now?: () => void } = {};
  await using rig = await startRig(() => httpError(429, { 'retry-after': '60' }), { sleep: () => { stopping.now?.(); return Promise.resolve(); } });
  stopping.now = () => rig.agent.stop();
  rig.send('Go');
  await rig.agent.settled();
  assert.equal(rig.server.requests.length, 1);
  assert.deepEqual(waits(rig).length, 1);
  assert.deepEqual(rig.story(), ['user Go', 'ended stopped']);
});

test('without a model the message is kept and the turn says what to do', async () => {
  await using rig = await startRig([], { client: () => null });
  rig.send('Go');
  await rig.agent.settled();
  assert.deepEqual(rig.story(), ['user Go', 'ended failed']);
  assert.match(failures(rig)[0] ?? '', /^no-model: No model is set up/);
});

test('I0 where not even the message can be logged, nothing is requested and the message stays', async () => {
  await using rig = await startRig([say('never')]);
  rig.log.left = 0;
  rig.send('Go');
  await rig.agent.settled();
  assert.equal(rig.server.requests.length, 0);
  assert.deepEqual(rig.agent.queued.map(({ text }) => text), ['Go']);
  assert.match(failures(rig)[0] ?? '', /^log: .*no space left/);
});

test('I0 where the proposals cannot be logged, none of them runs', async () => {
  await using rig = await startRig([propose(call('a', {}))]);
  rig.log.left = 1;
  rig.send('Go');
  await rig.agent.settled();
  assert.deepEqual(rig.pipeline.steps, []);
  assert.equal(failures(rig).length, 1);
  assert.equal(rig.agent.busy, false);
});

test('F7 a pipeline that throws or loses a call still leaves one result for each, and the turn goes on', async () => {
  const broken = [() => Promise.reject(new Error('scheduler fault')), () => Promise.resolve([])];
  for (const runStep of broken) {
    await using rig = await startRig([propose(call('a', {}), call('b', {})), say('I see.')], { pipeline: { runStep } });
    rig.send('Go');
    await rig.agent.settled();
    assert.deepEqual(rig.story().slice(2), ['settled TOOL_OUTCOME_UNKNOWN', 'settled TOOL_OUTCOME_UNKNOWN', 'assistant 2 stop I see.', 'ended answered']);
    assert.equal(rig.messages(1).filter(({ role }) => role === 'tool').length, 2);
  }
});

test('a fault inside, or in whoever listens, ends or disturbs no more than the turn', async () => {
  let faulty = true;
  await using rig = await startRig([say('Well.')], {
    systemPrompt: () => { if (faulty) throw new Error('no prompt'); return 'system'; },
    onEvent: () => { throw new Error('no view'); },
  });
  rig.send('Go');
  await rig.agent.settled();
  assert.deepEqual(rig.story(), ['user Go', 'ended failed']);
  faulty = false;
  rig.agent.retry();
  await rig.agent.settled();
  assert.deepEqual(rig.story().slice(2), ['assistant 1 stop Well.', 'ended answered']);
});

test('a turn that was answered or stopped is not taken up by a retry', async () => {
  await using rig = await startRig([say('Done.')]);
  rig.agent.retry();
  rig.send('Go');
  await rig.agent.settled();
  rig.agent.retry();
  await rig.agent.settled();
  assert.equal(rig.server.requests.length, 1);
});

test('after a failed turn what was queued waits for the person', async () => {
  await using rig = await startRig((_request, n) => (n === 0 ? { kind: 'silence' } : httpError(400)), {});
  rig.server.setScript(() => { rig.send('Second'); return httpError(400); });
  rig.send('First');
  await rig.agent.settled();
  assert.deepEqual(rig.agent.queued.map(({ text }) => text), ['Second']);
  assert.equal(rig.server.requests.length, 1);
});
