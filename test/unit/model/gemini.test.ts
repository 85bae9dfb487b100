import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { ToolSchema } from '../../../extension/boundary/tool-definition.ts';
import type { ModelClient, ModelEvent, ModelMessage } from '../../../extension/model/model-client.ts';
import { startGeminiServer } from '../../model-server/gemini.ts';
import { call, propose, say, type Reply } from '../../model-server/replies.ts';
import { capabilities, eventsOf, failureIn, finishedIn, textOf } from './clients.ts';
import { networkClientOf, type ClientSettings } from './network-clients.ts';

const server = await startGeminiServer(() => say('unset'));
after(() => server.close());

const readFile: ToolSchema = { name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false } };
const hello: ModelMessage = { role: 'user', text: 'hello' };
const gemini3: ClientSettings = { model: 'gemini-3-flash', thinking: 'high', capabilities: { ...capabilities, thinking: true } };

function clientOf(settings: ClientSettings = {}): ModelClient {
  return networkClientOf('gemini', server.baseUrl, settings);
}

async function answered(reply: Reply, messages: readonly ModelMessage[] = [hello], settings: ClientSettings = {}): Promise<readonly ModelEvent[]> {
  server.setScript(() => reply);
  return eventsOf(clientOf(settings), { messages, tools: [readFile] });
}

const raw = (...chunks: readonly object[]): Reply => ({ kind: 'raw', pieces: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`) });
const ended = (finishReason: string, parts: readonly object[] = []): object => ({ candidates: [{ content: { parts, role: 'model' }, finishReason }] });

function asMessage(events: readonly ModelEvent[]): Extract<ModelMessage, { role: 'assistant' }> {
  const { calls, carried = [] } = finishedIn(events);
  return { role: 'assistant', text: textOf(events), calls, carried };
}

test('the whole body of a request is this', () => {
  const messages: readonly ModelMessage[] = [
    { role: 'system', text: 'You are …' }, { role: 'user', text: 'Look' },
    { role: 'assistant', text: 'I look.', calls: [{ id: 'a', name: 'read_file', arguments: '{"path":"a.ts"}' }, { id: 'b', name: 'read_file', arguments: '{"path": "b' }] },
    { role: 'tool', callId: 'a', text: 'const a = 1;' }, { role: 'tool', callId: 'b', text: 'INVALID_ARGS' },
  ];
  const { name, description, parameters } = readFile;
  assert.deepEqual(JSON.parse(clientOf().bodyOf({ messages, tools: [readFile] })), {
    systemInstruction: { parts: [{ text: 'You are …' }] },
    tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] }],
    contents: [
      { role: 'user', parts: [{ text: 'Look' }] },
      { role: 'model', parts: [{ text: 'I look.' }, { functionCall: { name: 'read_file', args: { path: 'a.ts' } } }, { functionCall: { name: 'read_file', args: { not_json: '{"path": "b' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'read_file', response: { output: 'const a = 1;' } } }, { functionResponse: { name: 'read_file', response: { output: 'INVALID_ARGS' } } }] },
    ],
  });
});

test('the model stands in the address, and the key in a header of its own', async () => {
  await answered(say('x'), [hello], { model: 'gemini-2.5-flash', key: () => Promise.resolve('AIza-1') });
  const last = server.requests.at(-1);
  assert.equal(last?.path, '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
  assert.deepEqual([last.headers['x-goog-api-key'], last.headers.authorization], ['AIza-1', undefined]);
});

test('how a model is told to think depends on its generation', () => {
  const configOf = (model: string, thinking: ClientSettings['thinking'] = 'medium'): unknown =>
    JSON.parse(clientOf({ ...gemini3, model, thinking: thinking ?? 'off' }).bodyOf({ messages: [hello], tools: [] })).generationConfig?.thinkingConfig;
  assert.deepEqual(configOf('gemini-3.1-pro'), { includeThoughts: true, thinkingLevel: 'medium' });
  assert.deepEqual(configOf('gemini-3-pro-preview'), { includeThoughts: true, thinkingLevel: 'high' });
  assert.deepEqual(configOf('gemini-2.5-pro'), { includeThoughts: true, thinkingBudget: 8192 });
  assert.deepEqual(configOf('gemini-2.5-flash', 'off'), { thinkingBudget: 0 });
  assert.equal(configOf('gemini-3-flash', 'off'), undefined);
});

test('a request with whole steps more begins with the bytes of the one before', () => {
  const messages: readonly ModelMessage[] = [
    { role: 'system', text: 's' }, hello, { role: 'assistant', text: '', calls: [{ id: 'c', name: 'read_file', arguments: '{}' }] }, { role: 'tool', callId: 'c', text: 'r' },
    { role: 'assistant', text: 'done', calls: [] }, hello,
  ];
  for (let count = 2; count < messages.length; count++) {
    const [shorter, longer] = [count, count + 1].map((end) => clientOf().bodyOf({ messages: messages.slice(0, end), tools: [readFile] }));
    assert.equal(longer?.slice(0, (shorter ?? '').length - 2), shorter?.slice(0, -2));
  }
});

test('text, thoughts and calls come with their usage, and calls without an id get one each', async () => {
  const events = await answered({ kind: 'answer', reasoning: 'Hm.', text: ['Hel', 'lo'], calls: [call('read_file', { path: 'a' }), call('read_file', { path: 'b' })], usage: { input: 7, cachedInput: 3, output: 2 } });
  assert.deepEqual(events[0], { type: 'thinking', text: 'Hm.' });
  assert.equal(textOf(events), 'Hello');
  const { carried, ...finished } = finishedIn(events);
  assert.equal(carried?.[0]?.format, 'gemini:scripted');
  assert.deepEqual(finished, {
    type: 'finished', reason: 'tool-calls', usage: { input: 7, cachedInput: 3, output: 2 },
    calls: [{ id: 'call_1', name: 'read_file', arguments: '{"path":"a"}' }, { id: 'call_2', name: 'read_file', arguments: '{"path":"b"}' }],
  });
});

test('signatures and ids go back in their place, and a strict server takes them', async () => {
  for (const id of [undefined, 'given']) {
    const events = await answered({ ...propose(call('read_file', { path: 'a' }, id)), reasoning: 'Hm.' }, [hello], gemini3);
    // The agent gives calls names of its own.
    const message = asMessage(events);
    const renamed = { ...message, calls: message.calls.map((one) => ({ ...one, id: 'own-1' })) };
    const next: readonly ModelMessage[] = [hello, renamed, { role: 'tool', callId: 'own-1', text: 'const a = 1;' }];
    const last = await answered(say('Seen.'), next, gemini3);
    assert.equal(textOf(last), 'Seen.');
    const { contents } = JSON.parse(server.requests.at(-1)?.raw ?? '');
    assert.equal(contents[2].parts[0].functionResponse.id, id);
    // That of a text is on an empty part of its own.
    const more: readonly ModelMessage[] = [...next, asMessage(last), hello];
    assert.equal(textOf(await answered(say('Again.'), more, gemini3)), 'Again.');
    assert.deepEqual(JSON.parse(server.requests.at(-1)?.raw ?? '').contents[3].parts.map(({ text }: { text: string }) => text), ['Seen.', '']);
  }
});

test('calls of another model go to one that wants signatures with the word that stands for none', async () => {
  const made: ModelMessage = { role: 'assistant', text: '', calls: [{ id: 'a', name: 'read_file', arguments: '{}' }, { id: 'b', name: 'read_file', arguments: '{}' }], carried: [{ format: 'gemini:other', data: { text: '', textStart: 0, calls: [{ signature: 'x', id: 'y' }] } }] };
  const messages: readonly ModelMessage[] = [hello, made, { role: 'tool', callId: 'a', text: '1' }, { role: 'tool', callId: 'b', text: '2' }];
  assert.equal(textOf(await answered(say('Taken.'), messages, gemini3)), 'Taken.');
  assert.doesNotMatch(clientOf({ model: 'gemini-2.5-pro' }).bodyOf({ messages, tools: [] }), /skip_thought_signature_validator/);
});

test('a carried state that was changed on disk is passed over', () => {
  for (const data of [null, 7, [], {}, { text: '', textStart: 0, calls: 7 }, { text: '', textStart: 0, calls: [7, { signature: 1 }] }]) {
    const message: ModelMessage = { role: 'assistant', text: 'T', calls: [{ id: 'a', name: 'n', arguments: '{}' }], carried: [{ format: 'gemini:scripted', data }] };
    const { contents } = JSON.parse(clientOf().bodyOf({ messages: [hello, message], tools: [] }));
    assert.deepEqual(contents[1].parts, [{ text: 'T' }, { functionCall: { name: 'n', args: {} } }]);
  }
});

test('an image is sent where the model takes it, and told where it does not', () => {
  const digest = sha256(Buffer.from('i'));
  const withImage = (mediaType: 'image/png' | 'image/gif'): ModelMessage => ({ role: 'user', text: 'See', images: [{ digest, mediaType }] });
  const partsOf = (message: ModelMessage, settings: ClientSettings = {}, images = new Map([[digest, 'aWk=']])): readonly object[] =>
    JSON.parse(clientOf(settings).bodyOf({ messages: [message], tools: [], images })).contents[0].parts;
  assert.deepEqual(partsOf(withImage('image/png'))[1], { inlineData: { mimeType: 'image/png', data: 'aWk=' } });
  assert.match(JSON.stringify(partsOf(withImage('image/gif'))[1]), /takes no image\/gif/);
  assert.match(JSON.stringify(partsOf(withImage('image/png'), {}, new Map())[1]), /no longer there/);
  assert.match(JSON.stringify(partsOf(withImage('image/png'), { capabilities: { ...capabilities, images: false } })[1]), /takes no images/);
});

test('the ways in which an answer ends are read by what they mean', async () => {
  const reasonOf = async (reply: Reply): Promise<string> => finishedIn(await answered(reply)).reason;
  assert.equal(await reasonOf(say('so')), 'stop');
  assert.equal(await reasonOf({ ...say('so'), finish: 'length' }), 'length');
  for (const reason of ['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'SOMETHING_NEW']) assert.equal(await reasonOf(raw(ended(reason))), 'refusal', reason);
  assert.equal(await reasonOf(raw({ promptFeedback: { blockReason: 'OTHER' }, usageMetadata: { promptTokenCount: 3 } })), 'refusal');
  assert.equal(failureIn(await answered({ ...say('half'), finish: null })).kind, 'broken-stream');
});

test('what was thought is counted as output, and what a tool of the provider’s read as input', async () => {
  const usageMetadata = { promptTokenCount: 10, toolUsePromptTokenCount: 3, cachedContentTokenCount: 4, candidatesTokenCount: 2, thoughtsTokenCount: 30, totalTokenCount: 45 };
  assert.deepEqual(finishedIn(await answered(raw({ ...ended('STOP', [{ text: 'x' }]), usageMetadata }))).usage, { input: 13, cachedInput: 4, output: 32 });
});

test('a call that Gemini could not read is tried again, and said', async () => {
  const failure = failureIn(await answered(propose(call('read_file', '{"path": "a'))));
  assert.deepEqual([failure.kind, failure.retryable], ['server', true]);
  assert.match(failure.message, /a tool call that Gemini could not read \(MALFORMED_FUNCTION_CALL\)\. Try again\./);
});

test('its words for a key, a quota, a conversation too long and an overload are understood', async () => {
  const failureOf = async (code: number, status: string, message: string, details: readonly object[] = []): Promise<readonly unknown[]> => {
    const { kind, retryable, retryAfterMs } = failureIn(await answered({ kind: 'error', status: code, body: [{ error: { code, message, status, details } }] }));
    return [kind, retryable, retryAfterMs];
  };
  assert.deepEqual(await failureOf(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'), ['key', false, undefined]);
  assert.deepEqual(await failureOf(400, 'INVALID_ARGUMENT', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'), ['too-long', false, undefined]);
  assert.deepEqual(await failureOf(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }]), ['busy', true, 34_500]);
  assert.deepEqual(await failureOf(503, 'UNAVAILABLE', 'The model is overloaded.'), ['server', true, undefined]);
  const inStream = failureIn(await answered(raw({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } })));
  assert.deepEqual([inStream.kind, inStream.status], ['server', 503]);
});

test('odd shapes are passed over, and another protocol is said', async () => {
  const odd = [{}, { candidates: [] }, { candidates: [{ content: 7 }] }, { candidates: [{ content: { parts: [7, { executableCode: {} }, { functionCall: 7 }] } }] }, { candidates: [{ index: 1, content: { parts: [{ text: 'other' }] } }] }, { usageMetadata: 7 }];
  const events = await answered(raw(...odd, ended('STOP', [{ text: 'here' }])));
  assert.deepEqual([textOf(events), finishedIn(events).usage], ['here', null]);
  const failure = failureIn(await answered(raw({ object: 'chat.completion.chunk', choices: [] })));
  assert.equal(failure.kind, 'protocol');
  assert.match(failure.message, /did not answer as Gemini does.*such as \/v1beta/);
});

test('arguments that are nested too deeply to be written reach the boundary as none', async () => {
  const deep = `${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}`;
  const events = await answered({ kind: 'raw', pieces: [`data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"x","args":${deep}}}]},"finishReason":"STOP"}]}\n\n`] });
  assert.deepEqual(finishedIn(events).calls, [{ id: 'call_1', name: 'x', arguments: '' }]);
  const message: ModelMessage = { role: 'assistant', text: '', calls: [{ id: 'a', name: 'x', arguments: deep }] };
  assert.match(clientOf().bodyOf({ messages: [hello, message], tools: [] }), /not_json/);
});
