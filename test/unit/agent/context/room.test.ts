import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Context } from '../../../../extension/agent/context/context.ts';
import { historyOf } from '../../../../extension/session/history.ts';
import { call, hold, propose, say } from '../../../model-server/replies.ts';
import { clientOf } from '../../model/clients.ts';
import { until } from '../agents.ts';
import { asksForSummary, counted, failures, logged, small, startSmallRig, tooLong } from './long-sessions.ts';

const result = 'one line of a result\n'.repeat(200);
/** Arguments cannot be folded: they make a summary necessary. */
const large = { content: 'a line of a file\\n'.repeat(300) };
const bytes = (raw: string): number => Buffer.byteLength(raw);

test('old results are folded before the limit is reached: the oldest, many at once, never those of the last three steps', async () => {
  await using rig = await startSmallRig((request, n) => counted(n < 30 ? propose(call('read_file', { n })) : say('Done.'), request));
  rig.pipeline.body = () => Promise.resolve(result);
  rig.send('Read it all');
  await rig.agent.settled();
  assert.equal(rig.story().at(-1), 'ended answered');
  assert.ok(rig.server.requests.every(({ raw }) => bytes(raw) / 4 <= 15_000));
  const folds = logged(rig, 'folded');
  const calls = logged(rig, 'assistant').flatMap((event) => event.calls.map((proposal) => proposal.call));
  assert.ok(folds.length >= 2 && folds.length <= 5, `${folds.length} folds`);
  assert.deepEqual(folds.flatMap((fold) => fold.calls), calls.slice(0, folds.reduce((sum, fold) => sum + fold.calls.length, 0)));
  for (const fold of folds) {
    const before = rig.log.events.slice(0, rig.log.events.indexOf(fold)).flatMap((event) => (event.type === 'assistant' ? event.calls.map((proposal) => proposal.call) : []));
    assert.ok(before.slice(-3).every((recent) => !fold.calls.includes(recent)));
  }
  assert.deepEqual(logged(rig, 'summarised'), []);
});

test('results of the last three steps are left whole as long as all fits', async () => {
  await using rig = await startSmallRig((_request, n) => (n < 3 ? propose(call('read_file', { n })) : say('Done.')));
  rig.pipeline.body = () => Promise.resolve(result.repeat(4));
  rig.send('Read it all');
  await rig.agent.settled();
  const last = rig.server.requests.at(-1);
  assert.ok(last !== undefined && bytes(last.raw) / 4 > 12_000, 'more than four fifths of what fits');
  assert.deepEqual(logged(rig, 'folded'), []);
});

test('the plan that holds is not folded, however old its result is', async () => {
  await using rig = await startSmallRig((_request, n) => (n === 0 ? propose(call('update_plan', {})) : n < 30 ? propose(call('read_file', { n })) : say('Done.')));
  rig.pipeline.body = () => Promise.resolve(result);
  rig.send('Read it all');
  await rig.agent.settled();
  const [plan] = logged(rig, 'assistant').flatMap((event) => event.calls.map((proposal) => proposal.call));
  const folded = logged(rig, 'folded').flatMap((fold) => fold.calls);
  assert.ok(plan !== undefined && folded.length > 5 && !folded.includes(plan));
});

test('where folding is not enough the model sums up the older part; it is shown as nothing but that, and no call in the summary is carried out', async () => {
  await using rig = await startSmallRig((request, n) => {
    if (asksForSummary(request)) return { ...say('We wrote files.'), calls: [call('write_file', { evil: true })] };
    return counted(n < 24 ? propose(call('write_file', large)) : say('Done.'), request);
  });
  rig.send('Write them all. My cat is called Molly.');
  await rig.agent.settled();
  assert.equal(rig.story().at(-1), 'ended answered');
  const [summary] = logged(rig, 'summarised');
  assert.ok(summary !== undefined);
  assert.match(summary.text, /My cat is called Molly\.[\s\S]*We wrote files\./);
  assert.ok(rig.pipeline.executed.every((args) => !args.includes('evil')));
  assert.ok(rig.server.requests.every(({ raw }) => bytes(raw) / 4 <= 15_000));
  assert.ok(rig.events.every((event) => event.type !== 'draft-text' || !event.text.includes('We wrote')));
  assert.ok(rig.events.some((event) => event.type === 'activity' && event.text === 'Summarising the conversation so far'));
  // The same beginning as the request before it: what the provider has cached of it holds.
  const at = rig.server.requests.findIndex(asksForSummary);
  const [before, asked] = [rig.server.requests[at - 1]?.raw ?? '', rig.server.requests[at]?.raw ?? ''];
  assert.ok(asked.startsWith(before.slice(0, 20_000)));
});

test("the summary keeps the first and the newest of the person's messages, and the plan", async () => {
  await using rig = await startSmallRig((request, n) => {
    if (asksForSummary(request)) return say('Summed up.');
    return n % 4 === 3 ? say('Next?') : propose(n === 0 ? call('update_plan', { items: ['the plan'] }) : call('write_file', large));
  });
  for (let n = 0; n < 10 && logged(rig, 'summarised').length === 0; n++) {
    rig.send(`message ${n}`);
    await rig.agent.settled();
  }
  const [summary] = logged(rig, 'summarised');
  assert.match(summary?.text ?? '', /^What I have said so far, in my words:\n- message 0\n- message 1[\s\S]*Summed up\.[\s\S]*Your plan, as you last set it:\n\{"items":\["the plan"\]\}$/);
});

test('the log tells the same bytes to the next agent as to the one that wrote it', async () => {
  await using rig = await startSmallRig((request, n) => (asksForSummary(request) ? say('Summed up.') : n < 40 ? propose(call('write_file', large), call('read_file', { n })) : say('Done.')));
  rig.pipeline.body = () => Promise.resolve(result);
  rig.send('Go');
  await rig.agent.settled();
  assert.ok(logged(rig, 'summarised').length > 0 && logged(rig, 'folded').length > 0);
  rig.server.setScript(() => say('Yes.'));
  rig.send('Still there?');
  await rig.agent.settled();
  const client = clientOf(rig.server.baseUrl, { capabilities: small });
  // Without the answer to it.
  const events = rig.log.events.slice(0, rig.log.events.findLastIndex(({ type }) => type === 'assistant'));
  const again = { messages: [{ role: 'system', text: 'system' } as const, ...historyOf(events)], tools: [] };
  assert.equal(client.bodyOf(again), rig.server.requests.at(-1)?.raw);
});

test('a request that is refused as too long is made shorter once and made again; the next ones are kept below that', async () => {
  let refusals = 0;
  const limit = 6000;
  await using rig = await startSmallRig((request, n) => {
    if (bytes(request.raw) / 4 > limit) {
      refusals += 1;
      return tooLong();
    }
    return asksForSummary(request) ? say('Summed up.') : n < 40 ? propose(call('read_file', { n })) : say('Done.');
  });
  rig.pipeline.body = () => Promise.resolve(result);
  rig.send('Read it all');
  await rig.agent.settled();
  assert.deepEqual([rig.story().at(-1), refusals, failures(rig)], ['ended answered', 1, []]);
});

test('a second refusal is explained, with what to do', async () => {
  await using rig = await startSmallRig((_request, n) => (n < 4 ? propose(call('read_file', { n })) : tooLong()));
  rig.pipeline.body = () => Promise.resolve(result);
  rig.send('Read it all');
  await rig.agent.settled();
  assert.equal(rig.server.requests.length, 6);
  assert.match(failures(rig)[0] ?? '', /^too-long: .*It still is with its older part left out\. To send less at once helps too\.$/);
  assert.equal(logged(rig, 'turn-ended').at(-1)?.kind, 'too-long');
});

test('a refusal of what cannot be shortened is explained at once', async () => {
  await using rig = await startSmallRig(() => tooLong());
  rig.send('x'.repeat(1000));
  await rig.agent.settled();
  assert.equal(rig.server.requests.length, 1);
  assert.match(failures(rig)[0] ?? '', /^too-long: .*Nothing of it can be left out\. To send less at once helps too\.$/);
});

test('results of the last steps that do not fit by themselves are left out too: the model reads them in parts', async () => {
  await using rig = await startSmallRig((request, n) => {
    if (bytes(request.raw) / 4 > 16_000) return tooLong();
    return n < 3 ? propose(call('read_file', { n }), call('search_text', { n }), call('read_file', { n: -n })) : say('Done.');
  });
  rig.pipeline.body = ({ name }) => Promise.resolve(name === 'search_text' ? result : result.repeat(6));
  rig.send('Read it all');
  await rig.agent.settled();
  assert.deepEqual([rig.story().at(-1), failures(rig)], ['ended answered', []]);
});

test('a summary that fails ends the turn with what to do, and a retry makes it again', async () => {
  let failing = true;
  await using rig = await startSmallRig((request, n) => {
    if (asksForSummary(request)) return failing ? { kind: 'error', status: 400, body: { error: { message: 'No.' } } } : say('Summed up.');
    return n < 20 ? propose(call('write_file', large)) : say('Done.');
  });
  rig.send('Write');
  await rig.agent.settled();
  assert.match(failures(rig)[0] ?? '', /^too-long: The conversation has grown too long for the model, and its older part could not be summed up\. .*Try again, start a new session, or choose a model with a larger context\.$/);
  assert.deepEqual(logged(rig, 'summarised'), []);
  failing = false;
  rig.agent.retry();
  await rig.agent.settled();
  assert.deepEqual([rig.story().at(-1), logged(rig, 'summarised').length > 0], ['ended answered', true]);
});

test('a summary without a word is none', async () => {
  await using rig = await startSmallRig((request) => (asksForSummary(request) ? propose(call('write_file', {})) : propose(call('write_file', large))));
  rig.send('Write');
  await rig.agent.settled();
  assert.match(failures(rig)[0] ?? '', /^too-long: .*The model gave no summary\./);
});

test('stop works in the middle of the summary, and leaves the conversation as it was', async () => {
  const held = hold();
  await using rig = await startSmallRig((request, n) => {
    if (asksForSummary(request)) return { ...say(['Summed ', 'up.']), holdAfter: { chunks: 2, until: held.until } };
    return n < 20 ? propose(call('write_file', large)) : say('Done.');
  });
  rig.send('Write');
  await until(() => rig.server.requests.some(asksForSummary));
  rig.agent.stop();
  await rig.agent.settled();
  held.release();
  assert.deepEqual([rig.story().at(-1), logged(rig, 'summarised'), failures(rig)], ['ended stopped', [], []]);
});

test('a conversation that is longer than a smaller model takes is summed up as far as that fits', async () => {
  let capabilities = { ...small, contextTokens: 200_000 };
  await using rig = await startSmallRig((request, n) => {
    if (bytes(request.raw) / 4 > capabilities.contextTokens) return tooLong();
    return asksForSummary(request) ? say('Summed up.') : n < 30 ? propose(call('write_file', large)) : say('Done.');
  }, {
    client: () => (rig === undefined ? null : clientOf(rig.server.baseUrl, { capabilities, label: String(capabilities.contextTokens) })),
  });
  rig.send('Write');
  await rig.agent.settled();
  capabilities = small;
  rig.send('Go on');
  await rig.agent.settled();
  assert.deepEqual([rig.story().at(-1), failures(rig), logged(rig, 'summarised').length], ['ended answered', [], 1]);
  assert.match(rig.server.requests.find(asksForSummary)?.raw ?? '', /Older messages are left out here/);
});

test('what fills the context is told after each request, corrected by what the provider counted', async () => {
  await using rig = await startSmallRig((_request, n) => ({ ...(n < 3 ? propose(call('read_file', { n })) : say('Done.')), usage: { input: 4000 * (n + 1), cachedInput: 1000 * (n + 1), output: 1 } }));
  rig.pipeline.body = () => Promise.resolve(result);
  rig.send('Read');
  await rig.agent.settled();
  const uses = rig.events.flatMap((event) => (event.type === 'context' ? [event.context] : []));
  assert.equal(uses.length, 4);
  const last = uses.at(-1);
  assert.ok(last !== undefined);
  assert.deepEqual([last.limit, last.cachedShare], [15_000, 0.25]);
  assert.equal(Object.values(last.parts).reduce((sum, tokens) => sum + tokens, 0), last.used);
  assert.ok(last.parts.results > last.parts.assistant && last.parts.user > 0 && last.parts.summary === 0 && last.parts.images === 0);
  // Another agent of the same log knows it from the log.
  const client = clientOf(rig.server.baseUrl, { capabilities: small });
  const use = new Context({ log: rig.log, client: () => client, schemas: () => [], systemPrompt: () => 'system' }).use();
  assert.deepEqual(use?.parts, last.parts);
});

test('an answer of which the provider counted nothing says nothing of the next session on the same log', async () => {
  await using rig = await startSmallRig((_request, n) => ({ ...say('Read.'), usage: { input: n === 0 ? 2000 : 0, output: 1 } }));
  rig.send('Read');
  await rig.agent.settled();
  const contextOf = (): Context => {
    const client = clientOf(rig.server.baseUrl, { capabilities: small });
    return new Context({ log: rig.log, client: () => client, schemas: () => [], systemPrompt: () => 'system' });
  };
  const client = clientOf(rig.server.baseUrl, { capabilities: small });
  const before = contextOf().ratio(client);
  assert.equal(before, 3);
  rig.send('And now?');
  await rig.agent.settled();
  assert.equal(logged(rig, 'assistant').at(-1)?.usage?.input, 0);
  assert.equal(contextOf().ratio(client), before);
});
