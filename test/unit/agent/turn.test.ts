import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Digest } from '../../../extension/boundary/effect.ts';
import type { ModelClient, ModelEvent, ModelRequest } from '../../../extension/model/model-client.ts';
import type { LoggedImage } from '../../../extension/session/records.ts';
import { call, propose, say } from '../../model-server/replies.ts';
import { capabilities } from '../model/clients.ts';
import { startRig, until } from './agents.ts';
import { logged } from './context/long-sessions.ts';

const usage = { input: 100, cachedInput: 60, output: 5 };

/** A client that answers with these events, and notes what it was asked. */
function scripted(events: readonly ModelEvent[], requests: ModelRequest[] = [], images = true): ModelClient {
  return {
    label: 'scripted', capabilities: { ...capabilities, images }, bodyOf: () => '',
    async *stream(request) {
      requests.push(request);
      yield* events;
    },
  };
}

test('what the model thought, what it cost and what its provider wants back stand in the log; thinking is shown as it comes', async () => {
  const client = scripted([
    { type: 'thinking', text: 'Let me ' }, { type: 'thinking', text: 'see.' }, { type: 'text', text: 'Yes.' },
    { type: 'finished', reason: 'stop', calls: [], usage, carried: [{ format: 'x', data: 1 }] },
  ]);
  await using rig = await startRig([], { client: () => client });
  rig.send('Is it?');
  await rig.agent.settled();
  const [answer] = logged(rig, 'assistant');
  assert.deepEqual([answer?.thinking, answer?.usage, answer?.carried], ['Let me see.', usage, [{ format: 'x', data: 1 }]]);
  assert.deepEqual(rig.events.flatMap((event) => (event.type === 'draft-thinking' ? [event.text] : [])), ['Let me ', 'see.']);
});

test('an answer without any of them has none in the log, and long thinking is cut', async () => {
  const clients = [scripted([{ type: 'finished', reason: 'stop', calls: [], usage: null }]), scripted([{ type: 'thinking', text: '😀'.repeat(60_000) }, { type: 'finished', reason: 'stop', calls: [], usage: null }])];
  let n = 0;
  await using rig = await startRig([], { client: () => clients[n] ?? null });
  rig.send('One');
  await rig.agent.settled();
  n = 1;
  rig.send('Two');
  await rig.agent.settled();
  const [one, two] = logged(rig, 'assistant');
  assert.deepEqual(Object.keys(one ?? {}).toSorted(), ['calls', 'finish', 'step', 'text', 'turn', 'type']);
  assert.ok(two?.thinking?.length === 100_000 && two.thinking.isWellFormed());
});

const digest = sha256('image');
const image: LoggedImage = { digest, mediaType: 'image/png', bytes: 5, thumbnail: 'data:image/png;base64,AA==' };

test('images go beside the messages, fetched once; one that is gone is left to the client to tell, and a model that shows none gets none', async () => {
  const requests: ModelRequest[] = [];
  const fetched: Digest[] = [];
  let shows = true;
  await using rig = await startRig([], {
    client: () => scripted([{ type: 'text', text: 'A cat.' }, { type: 'finished', reason: 'stop', calls: [], usage: null }], requests, shows),
    image: (wanted) => { fetched.push(wanted); return Promise.resolve(wanted === digest ? 'aW1hZ2U=' : null); },
  });
  rig.agent.send({ text: 'What is this?', images: [image, { ...image, digest: sha256('gone') }] }, 'next-step');
  await rig.agent.settled();
  shows = false;
  rig.send('And now?');
  await rig.agent.settled();
  assert.deepEqual(requests.map((request) => request.images && [...request.images]), [[[digest, 'aW1hZ2U=']], undefined]);
  assert.deepEqual(fetched, [digest, sha256('gone')]);
});

test('the step limit is read for each turn, and asks whether to go on', async () => {
  let limit = 2;
  await using rig = await startRig((_request, n) => (n < 5 ? propose(call('a', { n })) : say('Done.')), { stepLimit: () => limit });
  rig.send('Go');
  await rig.agent.settled();
  assert.deepEqual([rig.server.requests.length, logged(rig, 'turn-ended').at(-1)?.end, logged(rig, 'turn-ended').at(-1)?.message], [
    2, 'step-limit', 'Paused after 2 steps without a final answer. Shall it go on? Choose “Go on”, or send a message.',
  ]);
  limit = 10;
  rig.agent.retry();
  await until(() => !rig.agent.busy);
  assert.equal(rig.story().at(-1), 'ended answered');
});
