import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openAIHeaders } from '../../../extension/model/openai-headers.ts';
import { watchLimits, type Timer } from '../../../extension/model/response-watch.ts';
import { readServerAddress } from '../../../extension/model/server-address.ts';
import { sha256 } from '../../../extension/boundary/digest.ts';
import { say, type Reply } from '../../model-server/replies.ts';
import { startModelServer } from '../../model-server/server.ts';
import { capabilities, clientOf, eventsOf, failureIn, finishedIn, textOf } from './clients.ts';

const server = await startModelServer(() => say('unset'));
after(() => server.close());

const chunk = (delta: object, more: object = {}): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta, ...more }] })}\n\n`;

async function answered(reply: Reply): ReturnType<typeof eventsOf> {
  server.setScript(() => reply);
  return eventsOf(clientOf(server.baseUrl));
}

test('an API version of Azure stays on each request; no other query is taken', async () => {
  const address = readServerAddress('https://mine.openai.azure.com/openai/deployments/x/?api-version=2024-10-21');
  assert.deepEqual(address, { url: 'https://mine.openai.azure.com/openai/deployments/x', host: 'mine.openai.azure.com', query: 'api-version=2024-10-21' });
  for (const wrong of ['https://h/v1?key=abc', 'https://h/v1?api-version=1&key=abc', 'https://h/v1?', 'https://h/v1#', 'https://h/v1?api-version=']) {
    const refused = readServerAddress(wrong);
    assert.ok('failure' in refused, wrong);
    assert.doesNotMatch(refused.failure.message, /abc/);
  }
  await eventsOf(clientOf(`${server.baseUrl}?api-version=preview`));
  assert.equal(server.requests.at(-1)?.path, '/v1/chat/completions?api-version=preview');
});

test('a key goes to Azure under both of its names, a token of Entra’s and all else under one', () => {
  assert.deepEqual(openAIHeaders('k', 'mine.openai.azure.com'), { authorization: 'Bearer k', 'api-key': 'k' });
  assert.deepEqual(openAIHeaders('k', 'mine.azure-api.net'), { authorization: 'Bearer k', 'api-key': 'k' });
  assert.deepEqual(openAIHeaders('eyJhbGci.eyJhdWQi.c2ln', 'mine.openai.azure.com'), { authorization: 'Bearer eyJhbGci.eyJhdWQi.c2ln' });
  for (const host of ['api.openai.com', 'azure.com.evil.net', 'notazure.com']) assert.deepEqual(openAIHeaders('k', host), { authorization: 'Bearer k' });
  assert.deepEqual(openAIHeaders(undefined, 'mine.openai.azure.com'), {});
});

test('a conversation that is too long is known by what servers call it', async () => {
  const words: readonly (readonly [number, object])[] = [
    [400, { message: 'This model’s maximum context length is 128000 tokens.', code: 'context_length_exceeded' }],
    [400, { code: 400, message: 'the request exceeds the available context size, try increasing it', type: 'exceed_context_size_error' }],
    [400, { message: 'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens' }],
    [400, { message: 'prompt is too long: 210000 tokens > 200000 maximum', type: 'invalid_request_error' }],
    [500, { message: 'input length exceeds the context length', type: 'api_error' }],
    [429, { message: 'Request too large for gpt-x on tokens per min (TPM): Limit 10000, Requested 12000.', code: 'rate_limit_exceeded' }],
    [413, { message: 'Payload Too Large' }],
  ];
  for (const [status, error] of words) {
    const failure = failureIn(await answered({ kind: 'error', status, body: { error } }));
    assert.deepEqual([failure.kind, failure.retryable], ['too-long', false], JSON.stringify(error));
    assert.match(failure.message, /Start a new session/);
    assert.equal(failureIn(await answered({ kind: 'raw', pieces: [chunk({ content: 'a' }), `data: ${JSON.stringify({ error: { ...error, code: 'context_length_exceeded' } })}\n\n`] })).kind, 'too-long');
  }
});

test('a server that is overloaded is busy, also where it says so inside the stream', async () => {
  assert.deepEqual(failureIn(await answered({ kind: 'error', status: 529 })).kind, 'busy');
  const inStream = failureIn(await answered({ kind: 'raw', pieces: [chunk({ content: 'a' }), 'data: {"error":{"message":"Overloaded","type":"overloaded_error"}}\n\n'] }));
  assert.deepEqual([inStream.kind, inStream.retryable], ['busy', true]);
});

test('OpenRouter: its comments are passed over, and its error in a last chunk is told', async () => {
  const events = await answered({ kind: 'raw', pieces: [': OPENROUTER PROCESSING\n\n', chunk({ content: 'hi' }), ': OPENROUTER PROCESSING\n\n', chunk({}, { finish_reason: 'stop' }), 'data: [DONE]\n\n'] });
  assert.equal(textOf(events), 'hi');
  const failure = failureIn(await answered({ kind: 'raw', pieces: [chunk({ content: 'hi' }), `data: ${JSON.stringify({ error: { code: 502, message: 'Provider disconnected' }, choices: [{ index: 0, delta: {}, finish_reason: 'error' }] })}\n\n`] }));
  assert.deepEqual([failure.kind, failure.status], ['server', 502]);
  assert.match(failure.message, /Provider disconnected/);
});

test('an event of its name alone, as proxies keep a connection open, is passed over', async () => {
  const events = await answered({ kind: 'raw', pieces: ['event: keepalive\n\n', chunk({ content: 'hi' }, { finish_reason: 'stop' }), 'event: ping\ndata:\n\n', 'data: [DONE]\n\n'] });
  assert.equal(textOf(events), 'hi');
  assert.equal(events.at(-1)?.type, 'finished');
});

test('once the server has said why it finished, its end is waited for only a little', async () => {
  server.setScript(() => ({ kind: 'raw', pieces: [chunk({ content: 'hi' }, { finish_reason: 'stop' })], then: 'silence' }));
  const waits: number[] = [];
  const timer: Timer = (ms, fire) => {
    waits.push(ms);
    const handle = ms === watchLimits.firstByteMs ? undefined : setTimeout(fire, ms === watchLimits.tailMs ? 1 : 1000);
    return () => clearTimeout(handle);
  };
  const events = await eventsOf(clientOf(server.baseUrl, { timer }));
  assert.equal(events.at(-1)?.type, 'finished');
  assert.equal(waits.at(-1), watchLimits.tailMs);
});

test('what a model thinks is told apart, under either name', async () => {
  const events = await answered({ kind: 'raw', pieces: [chunk({ reasoning_content: 'Hm', reasoning: 'Hm' }), chunk({ reasoning: ', well' }), chunk({ content: 'Yes.' }, { finish_reason: 'stop' }), 'data: [DONE]\n\n'] });
  assert.deepEqual(events.slice(0, 3), [{ type: 'thinking', text: 'Hm' }, { type: 'thinking', text: ', well' }, { type: 'text', text: 'Yes.' }]);
});

test('reasoning that a server gave goes back to it under the same name, and to no other model', async () => {
  const details = [
    { reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0, format: 'f', signature: null }] }, { reasoning_details: [{ type: 'reasoning.text', text: ', well', index: 0 }, { type: 'reasoning.encrypted', data: 'abc', index: 1 }] },
    { reasoning_details: [{ type: 'reasoning.text', signature: 's', index: 2 }, 7] },
  ];
  const cases: readonly (readonly [readonly object[], object])[] = [
    [[{ reasoning_content: 'Hm' }, { reasoning_content: ', well' }], { reasoning_content: 'Hm, well' }],
    // A server that wants it wants it of each answer.
    [[{ reasoning_content: '' }], { reasoning_content: '' }],
    [details, { reasoning_details: [{ type: 'reasoning.text', text: 'Hm, well', index: 0, format: 'f', signature: null }, { type: 'reasoning.encrypted', data: 'abc', index: 1 }, { type: 'reasoning.text', signature: 's', index: 2 }] }],
    [[{ reasoning_details: [{ type: 'reasoning.text', text: 'a', index: 0 }, { type: 'reasoning.text', text: 'b', index: 1 }] }], { reasoning_details: [{ type: 'reasoning.text', text: 'a', index: 0 }, { type: 'reasoning.text', text: 'b', index: 1 }] }],
    [[{ reasoning: 'Hm' }], {}],
  ];
  for (const [deltas, back] of cases) {
    const events = await answered({ kind: 'raw', pieces: [...deltas.map((delta) => chunk(delta)), chunk({ content: 'Yes.' }, { finish_reason: 'stop' }), 'data: [DONE]\n\n'] });
    const { carried = [] } = finishedIn(events);
    const bodyOf = (model: string): { readonly messages: readonly object[] } => JSON.parse(clientOf(server.baseUrl, { model }).bodyOf({ messages: [{ role: 'assistant', text: 'Yes.', calls: [], carried }], tools: [] }));
    assert.deepEqual(bodyOf('scripted').messages[0], { role: 'assistant', content: 'Yes.', ...back });
    assert.deepEqual(bodyOf('other').messages[0], { role: 'assistant', content: 'Yes.' });
  }
});

test('reasoning in pieces without end is given up', async () => {
  const reasoning_details = Array.from({ length: 1002 }, (_, index) => ({ type: 't', index }));
  assert.match(failureIn(await answered({ kind: 'raw', pieces: [chunk({ reasoning_details })] })).message, /more than 1000 pieces of reasoning/);
});

test('what came from a cache is read under the names that servers use', async () => {
  const cachedOf = async (usage: object): Promise<number | undefined> =>
    finishedIn(await answered({ kind: 'raw', pieces: [chunk({}, { finish_reason: 'stop' }), `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 1, ...usage } })}\n\n`, 'data: [DONE]\n\n'] })).usage?.cachedInput;
  assert.equal(await cachedOf({ prompt_tokens_details: { cached_tokens: 4 } }), 4);
  assert.equal(await cachedOf({ prompt_cache_hit_tokens: 5, prompt_cache_miss_tokens: 4 }), 5);
  assert.equal(await cachedOf({ cached_tokens: 6 }), 6);
  assert.equal(await cachedOf({ prompt_tokens_details: null }), 0);
});

test('images go as data addresses where the model takes them; else the content stays one text', async () => {
  const digest = sha256(Buffer.from('i'));
  const request = { messages: [{ role: 'user' as const, text: 'See', images: [{ digest, mediaType: 'image/png' as const }] }], tools: [], images: new Map([[digest, 'aWk=']]) };
  const contentOf = (options: Parameters<typeof clientOf>[1], images: typeof request.images = request.images): unknown => JSON.parse(clientOf(server.baseUrl, options).bodyOf({ ...request, images })).messages[0].content;
  assert.deepEqual(contentOf({}), [{ type: 'text', text: 'See' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,aWk=' } }]);
  assert.equal(contentOf({ capabilities: { ...capabilities, images: false } }), 'See\n\n[The person sent an image here. This model takes no images, so it is left out.]');
  assert.match(String(contentOf({}, new Map())), /no longer there/);
});

test('what only some servers know is sent only where the model is known for it', () => {
  const tools = [{ name: 'a', description: 'A', parameters: { type: 'object' } }];
  const keysOf = (options: Parameters<typeof clientOf>[1], own = tools): readonly string[] => Object.keys(JSON.parse(clientOf(server.baseUrl, options).bodyOf({ messages: [{ role: 'user', text: 'x' }], tools: own })));
  const plain = ['model', 'stream', 'stream_options', 'tools', 'messages'];
  assert.deepEqual(keysOf({}), plain);
  assert.deepEqual(keysOf({ capabilities: { ...capabilities, parallelCalls: false } }), [...plain.slice(0, 4), 'parallel_tool_calls', 'messages']);
  assert.ok(!keysOf({ capabilities: { ...capabilities, parallelCalls: false } }, []).includes('parallel_tool_calls'));
  assert.ok(!keysOf({ thinking: 'high' }).includes('reasoning_effort'));
  assert.ok(keysOf({ thinking: 'high', capabilities: { ...capabilities, thinking: true } }).includes('reasoning_effort'));
});

test('a name that a model made up goes back in letters that every server takes', () => {
  const named = (name: string): unknown => JSON.parse(clientOf(server.baseUrl).bodyOf({ messages: [{ role: 'assistant', text: '', calls: [{ id: 'a', name, arguments: '{}' }] }], tools: [] })).messages[0].tool_calls[0].function.name;
  assert.equal(named('read_file'), 'read_file');
  assert.equal(named('functions.read file'), 'functions_read_file');
  assert.equal(named(''), 'unnamed');
  assert.equal(named('x'.repeat(100)), 'x'.repeat(64));
});
