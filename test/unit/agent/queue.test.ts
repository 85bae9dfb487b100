import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import { QueueFile } from '../../../extension/session/queue-file.ts';
import { call, hold, httpError, propose, say } from '../../model-server/replies.ts';
import { scriptOf } from '../../model-server/server.ts';
import { temporaryFolder } from '../session/session-logs.ts';
import { type Rig, startRig, until, waiting } from './agents.ts';

const texts = (rig: Rig): readonly string[] => rig.agent.queued.map(({ text }) => text);
const idOf = (rig: Rig, text: string): string => rig.agent.queued.find((message) => message.text === text)?.id ?? 'nothing';
const image = { digest: sha256('picture'), mediaType: 'image/png', bytes: 7, thumbnail: 'data:image/png;base64,AA==' } as const;

/** An agent in the middle of its first call, which ends when the gate is released. */
async function inACall(replies: Parameters<typeof startRig>[0]): Promise<{ readonly rig: Rig; readonly release: () => void }> {
  const rig = await startRig(replies);
  const gate = hold();
  rig.pipeline.body = async () => { await gate.until; return 'ran'; };
  rig.send('First');
  await until(() => rig.pipeline.executed.length === 1);
  return { rig, release: gate.release };
}

test('what steers is read with the next step; what comes after the turn starts one of its own, each its own', async () => {
  const { rig, release } = await inACall([propose(call('a', {})), say('One.'), say('Two.'), say('Three.')]);
  await using _ = rig;
  rig.send('afterwards', 'after-turn');
  rig.send('steer', 'next-step');
  rig.send('and then', 'after-turn');
  assert.deepEqual(texts(rig), ['afterwards', 'steer', 'and then']);
  release();
  await rig.agent.settled();
  assert.deepEqual(rig.story().filter((line) => !line.startsWith('settled')), [
    'user First', 'assistant 1 tool-calls  [call_1]', 'user steer', 'assistant 2 stop One.', 'ended answered',
    'user afterwards', 'assistant 1 stop Two.', 'ended answered', 'user and then', 'assistant 1 stop Three.', 'ended answered',
  ]);
});

test('what steers but comes too late for its turn begins the next one, before what was to come after', async () => {
  const gate = hold();
  await using rig = await startRig([{ ...say(['One', '.']), holdAfter: { chunks: 2, until: gate.until } }, say('Two.'), say('Three.')]);
  rig.send('First');
  await until(() => rig.events.some(({ type }) => type === 'draft-text'));
  rig.send('afterwards', 'after-turn');
  rig.send('steer', 'next-step');
  gate.release();
  await rig.agent.settled();
  assert.deepEqual(rig.story().filter((line) => line.startsWith('user')), ['user First', 'user steer', 'user afterwards']);
  assert.equal(rig.server.requests.length, 3);
});

test('a message that is taken out of the queue is given back and never sent', async () => {
  const { rig, release } = await inACall([propose(call('a', {})), say('Done.')]);
  await using _ = rig;
  rig.send('keep');
  rig.send('drop');
  const id = idOf(rig, 'drop');
  assert.equal(rig.agent.unqueue(id)?.text, 'drop');
  assert.equal(rig.agent.unqueue(id), null);
  assert.deepEqual(rig.events.findLast(({ type }) => type === 'queue'), { type: 'queue', queued: rig.agent.queued });
  release();
  await rig.agent.settled();
  assert.deepEqual(rig.story().filter((line) => line.startsWith('user')), ['user First', 'user keep']);
});

test('a waiting message that is sent now goes with the next step', async () => {
  const { rig, release } = await inACall([propose(call('a', {})), say('Done.')]);
  await using _ = rig;
  rig.send('later', 'after-turn');
  rig.agent.sendNow(idOf(rig, 'later'));
  rig.agent.sendNow('not there');
  release();
  await rig.agent.settled();
  assert.equal(rig.server.requests.length, 2);
  assert.deepEqual(rig.messages(1).at(-1)?.content, 'later');
});

test('a message left by a stop that is sent now starts a turn', async () => {
  await using rig = await startRig([say('Here.')], { queued: [waiting('left', 'after-turn')] });
  rig.agent.sendNow('waiting-left');
  await rig.agent.settled();
  assert.deepEqual(rig.story(), ['user left', 'assistant 1 stop Here.', 'ended answered']);
});

test('what is sent while a stop is under way goes out once it is done, with what waited', async () => {
  const { rig, release } = await inACall([propose(call('a', {})), say('Here.')]);
  await using _ = rig;
  rig.send('before', 'after-turn');
  rig.agent.stop();
  rig.send('after the stop');
  release();
  await rig.agent.settled();
  assert.deepEqual(rig.story().slice(3), ['ended stopped', 'user before', 'user after the stop', 'assistant 1 stop Here.', 'ended answered']);
});

test('after a stop and after a failure what waits stays until the person sends or goes on', async () => {
  await using rig = await startRig([{ kind: 'silence' }]);
  rig.send('First');
  await until(() => rig.server.requests.length === 1);
  rig.send('waits', 'after-turn');
  rig.agent.stop();
  await rig.agent.settled();
  assert.deepEqual(texts(rig), ['waits']);
  rig.server.setScript(scriptOf([httpError(401), say('Again.')]));
  rig.send('Second');
  rig.send('too', 'after-turn');
  await rig.agent.settled();
  assert.deepEqual(texts(rig), ['too']);
  rig.agent.retry();
  await rig.agent.settled();
  assert.deepEqual(rig.story().filter((line) => line.startsWith('user')), ['user First', 'user waits', 'user Second', 'user too']);
});

test('what waits is not sent by a call of the person\'s, but what is sent during it is', async () => {
  await using rig = await startRig([propose(call('a', {})), say('Done.'), say('More.')], { queued: [waiting('old', 'next-step')] });
  rig.send('Go');
  await rig.agent.settled();
  const first = rig.pipeline.steps[0]?.calls[0]?.call ?? '';
  await rig.agent.askAgain(first);
  assert.equal(rig.server.requests.length, 2);
  const again = rig.agent.askAgain(first);
  rig.send('meanwhile', 'after-turn');
  await again;
  await rig.agent.settled();
  assert.deepEqual(rig.story().slice(-3), ['user meanwhile', 'assistant 1 stop More.', 'ended answered']);
});

test('images travel with a message, through the queue, into the log; a message of images alone is one', async () => {
  const { rig, release } = await inACall([propose(call('a', {})), say('I see.')]);
  await using _ = rig;
  rig.agent.send({ text: '', images: [image] }, 'next-step');
  rig.agent.send({ text: '  ', images: [] }, 'next-step');
  assert.deepEqual(rig.agent.queued.map(({ images }) => images), [[image]]);
  const id = rig.agent.queued[0]?.id;
  release();
  await rig.agent.settled();
  const logged = rig.log.events.findLast((event) => event.type === 'user');
  assert.deepEqual(logged, { type: 'user', turn: 'id2', text: '', images: [image], id });
});

test('a message that cannot be logged stays in the queue', async () => {
  const { rig, release } = await inACall([propose(call('a', {})), say('Done.')]);
  await using _ = rig;
  rig.send('one');
  rig.send('two');
  // The call's result and the first message still fit.
  rig.log.left = 2;
  release();
  await rig.agent.settled();
  assert.deepEqual(texts(rig), ['two']);
  assert.deepEqual(rig.story().slice(2), ['settled well', 'user one']);
});

test('an undo is a call of the person\'s; busy, or with nothing to undo, it says why not', async () => {
  const { rig, release } = await inACall([propose(call('a', {})), say('Done.')]);
  await using _ = rig;
  const written = rig.pipeline.steps[0]?.calls[0]?.call ?? '';
  assert.match(await rig.agent.undo([written]) ?? '', /once this turn has ended/);
  release();
  await rig.agent.settled();
  assert.match(await rig.agent.undo([]) ?? '', /nothing to undo/);
  assert.equal(await rig.agent.undo([written]), null);
  const step = rig.pipeline.steps.at(-1);
  assert.deepEqual([step?.origin, step?.calls[0]?.name, step?.calls[0]?.arguments], ['person', 'undo_changes', JSON.stringify({ calls: [written] })]);
  const logged = rig.log.events.findLast((event) => event.type === 'person-call');
  assert.deepEqual([logged?.of, logged?.proposal.call, logged?.proposal.id], [null, step?.calls[0]?.call, 'undo']);
});

test('an undo that cannot be logged does not run, and says so', async () => {
  await using rig = await startRig([]);
  rig.log.left = 0;
  assert.match(await rig.agent.undo(['c']) ?? '', /log cannot be written/);
  assert.deepEqual(rig.pipeline.steps, []);
});

test('the end of a failed turn says in the log of which kind the failure was', async () => {
  await using rig = await startRig(() => httpError(401));
  rig.send('Go');
  await rig.agent.settled();
  const last = rig.log.events.at(-1);
  assert.ok(last?.type === 'turn-ended');
  assert.equal(last.kind, 'key');
});

test('what waits survives a crash: the next agent of the session has it, less what the model has read', async (t) => {
  const file = new QueueFile(join(temporaryFolder(t), 's.queue.json'));
  const gate = hold();
  await using rig = await startRig([propose(call('a', {})), { kind: 'silence' }], { onEvent: (event) => { if (event.type === 'queue') file.write(event.queued); } });
  rig.pipeline.body = async () => { await gate.until; return 'ran'; };
  rig.send('First');
  await until(() => rig.pipeline.executed.length === 1);
  rig.send('steer', 'next-step');
  rig.send('afterwards', 'after-turn');
  assert.deepEqual(file.read(rig.log.events).queued, rig.agent.queued);
  gate.release();
  await until(() => rig.server.requests.length === 2);
  const { queued } = file.read(rig.log.events);
  assert.deepEqual(queued.map(({ text }) => text), ['afterwards']);
  await using next = await startRig([say('Here.')], { queued });
  next.send('Again');
  await next.agent.settled();
  assert.deepEqual(next.story().filter((line) => line.startsWith('user')), ['user afterwards', 'user Again']);
});

test('half of a character, of the person or of the model, does not stand in the way of what follows', async () => {
  await using rig = await startRig([say('One \ud83d.'), propose(call('a\ud83d', { b: 1 })), say('Three.')]);
  rig.send('half \ud83d');
  await rig.agent.settled();
  rig.send('whole');
  await rig.agent.settled();
  assert.deepEqual(rig.story().filter((line) => !line.startsWith('settled')), [
    'user half \ufffd', 'assistant 1 stop One \ufffd.', 'ended answered', 'user whole', 'assistant 1 tool-calls  [call_1]', 'assistant 2 stop Three.', 'ended answered',
  ]);
});
