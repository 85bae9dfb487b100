import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ToolSchema } from '../../../extension/boundary/tool-definition.ts';
import type { ModelClient, ModelEvent, ModelMessage } from '../../../extension/model/model-client.ts';
import { call, propose, say, type Reply } from '../../model-server/replies.ts';
import { startResponsesServer } from '../../model-server/responses.ts';
import { capabilities, eventsOf, failureIn, finishedIn, textOf } from './clients.ts';
import { networkClientOf, type ClientSettings } from './network-clients.ts';

const server = await startResponsesServer(() => say('unset'));
after(() => server.close());

const thinking: ClientSettings = { thinking: 'high', capabilities: { ...capabilities, thinking: true } };
const readFile: ToolSchema = { name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } };
const hello: ModelMessage = { role: 'user', text: 'hello' };

function clientOf(settings: ClientSettings = {}): ModelClient {
  return networkClientOf('openai-responses', server.baseUrl, settings);
}

async function answered(reply: Reply, messages: readonly ModelMessage[] = [hello], settings: ClientSettings = {}): Promise<readonly ModelEvent[]> {
  server.setScript(() => reply);
  return eventsOf(clientOf(settings), { messages, tools: [readFile] });
}

const raw = (...events: readonly object[]): Reply => ({ kind: 'raw', pieces: events.map((event) => `data: ${JSON.stringify(event)}\n\n`) });
const completed = { type: 'response.completed', response: { status: 'completed' } };

/** The message that an answer becomes in the history. */
function asMessage(events: readonly ModelEvent[]): Extract<ModelMessage, { role: 'assistant' }> {
  const { calls, carried = [] } = finishedIn(events);
  return { role: 'assistant', text: textOf(events), calls, carried };
}

test('the whole body of a request is this', () => {
  const messages: readonly ModelMessage[] = [
    { role: 'system', text: 'You are …' }, { role: 'user', text: 'Look at a.ts' },
    { role: 'assistant', text: 'I look.', calls: [{ id: 'call_1', name: 'read_file', arguments: '{"path":"a.ts"}' }] },
    { role: 'tool', callId: 'call_1', text: 'const a = 1;' },
  ];
  assert.deepEqual(JSON.parse(clientOf().bodyOf({ messages, tools: [readFile] })), {
    model: 'scripted', stream: true, store: false, instructions: 'You are …',
    tools: [{ type: 'function', ...readFile, strict: false }],
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look at a.ts' }] },
      { type: 'message', role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: '{"path":"a.ts"}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'const a = 1;' },
    ],
  });
});

test('thinking and calls one at a time are asked for where the model can do them so', () => {
  const body = JSON.parse(clientOf({ thinking: 'low', capabilities: { ...capabilities, thinking: true, parallelCalls: false } }).bodyOf({ messages: [hello], tools: [readFile] }));
  assert.deepEqual([body.include, body.reasoning, body.parallel_tool_calls], [['reasoning.encrypted_content'], { effort: 'low', summary: 'auto' }, false]);
  const plain = JSON.parse(clientOf({ thinking: 'low' }).bodyOf({ messages: [hello], tools: [] }));
  assert.deepEqual(Object.keys(plain), ['model', 'stream', 'store', 'input']);
});

test('a request with more messages begins with the bytes of the one before', () => {
  const call1 = { id: 'c', name: 'read_file', arguments: '{}' };
  const messages: readonly ModelMessage[] = [
    { role: 'system', text: 's' }, hello, { role: 'assistant', text: '', calls: [call1] }, { role: 'tool', callId: 'c', text: 'r' }, { role: 'assistant', text: 'done', calls: [] }, hello,
  ];
  for (let count = 2; count < messages.length; count++) {
    const [shorter, longer] = [count, count + 1].map((end) => clientOf().bodyOf({ messages: messages.slice(0, end), tools: [readFile] }));
    assert.equal(longer?.slice(0, (shorter ?? '').length - 2), shorter?.slice(0, -2));
  }
});

test('nothing of a tool but its four fields is sent, whatever else the object carries', () => {
  const throwing = { ...readFile, effects: 'secret', get execute(): never { throw new Error('read'); } };
  const body = clientOf().bodyOf({ messages: [hello], tools: [throwing] });
  assert.doesNotMatch(body, /secret|execute/);
});

test('text and calls stream piece by piece and end with their usage', async () => {
  const events = await answered({ kind: 'answer', text: ['Hel', 'lo'], calls: [call('read_file', '{"path": "a b" }')], usage: { input: 7, cachedInput: 3, output: 2 } });
  assert.equal(textOf(events), 'Hello');
  assert.deepEqual(events[2], { type: 'call-started', index: 0, id: 'call_1', name: 'read_file' });
  assert.equal(events.filter((event) => event.type === 'call-arguments').length, 3);
  assert.deepEqual(events.at(-1), {
    type: 'finished', reason: 'tool-calls', calls: [{ id: 'call_1', name: 'read_file', arguments: '{"path": "a b" }' }], usage: { input: 7, cachedInput: 3, output: 2 },
  });
});

test('arguments that come whole alone are taken, and once', async () => {
  const item = { type: 'function_call', call_id: 'x', name: 'read_file', arguments: '{"n":1}' };
  for (const events of [
    [{ type: 'response.output_item.done', output_index: 0, item }],
    [{ type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } }, { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"n":1}' }, { type: 'response.output_item.done', output_index: 0, item }],
  ]) {
    assert.deepEqual(finishedIn(await answered(raw(...events, completed))).calls, [{ id: 'x', name: 'read_file', arguments: '{"n":1}' }]);
  }
});

test('two calls with one id stay two', async () => {
  const events = await answered(propose(call('a', { n: 1 }, 'same'), call('b', { n: 2 }, 'same')));
  assert.deepEqual(finishedIn(events).calls.map(({ id, name }) => [id, name]), [['same', 'a'], ['same', 'b']]);
});

test('encrypted reasoning goes back in its place, and a strict server takes it', async () => {
  const events = await answered({ ...propose(call('read_file', { path: 'a' })), text: 'I look.', reasoning: 'Hm, well.' }, [hello], thinking);
  assert.deepEqual(events[0], { type: 'thinking', text: 'Hm, well.' });
  assert.equal(finishedIn(events).carried?.[0]?.format, 'openai-responses:scripted');
  const next: readonly ModelMessage[] = [hello, asMessage(events), { role: 'tool', callId: 'call_1', text: 'const a = 1;' }];
  assert.equal(textOf(await answered(say('Seen.'), next, thinking)), 'Seen.');
  const { input } = JSON.parse(server.requests.at(-1)?.raw ?? '');
  assert.deepEqual(input.map(({ type }: { type: string }) => type), ['message', 'reasoning', 'message', 'function_call', 'function_call_output']);
});

test('what another model carried is not sent', async () => {
  const other = asMessage(await answered({ ...say('Yes.'), reasoning: 'Hm.' }, [hello], thinking));
  assert.doesNotMatch(clientOf({ ...thinking, model: 'another' }).bodyOf({ messages: [hello, other, hello], tools: [] }), /"type":"reasoning"/);
});

test('reasoning that led to nothing, because the answer was cut, is not sent', async () => {
  const cut = asMessage(await answered({ kind: 'answer', reasoning: 'Hm.', finish: 'length' }, [hello], thinking));
  assert.equal(cut.carried?.length, 1);
  assert.equal(textOf(await answered(say('On.'), [hello, cut, hello], thinking)), 'On.');
});

test('a carried state that was changed on disk is passed over', () => {
  for (const data of [null, 7, 'x', {}, [7], [{ type: 'reasoning' }], [{ type: 'call' }, { type: 'call' }], [{ type: 'message', phase: '', start: 0, end: 0 }]]) {
    const message: ModelMessage = { role: 'assistant', text: 'Text.', calls: [], carried: [{ format: 'openai-responses:scripted', data }] };
    const { input } = JSON.parse(clientOf().bodyOf({ messages: [hello, message], tools: [] }));
    assert.deepEqual(input[1], { type: 'message', role: 'assistant', content: 'Text.' });
  }
});

test('several messages of one answer are its paragraphs, and go back apart with their phase', async () => {
  const message = (index: number, phase: string, text: string): readonly object[] => [
    { type: 'response.output_item.added', output_index: index, item: { type: 'message', phase, content: [] } },
    { type: 'response.output_text.delta', output_index: index, delta: text }, { type: 'response.output_item.done', output_index: index, item: { type: 'message', phase } },
  ];
  const events = await answered(raw(...message(0, 'commentary', 'First.'), ...message(1, 'final_answer', 'Then.'), completed));
  assert.equal(textOf(events), 'First.\n\nThen.');
  const { input } = JSON.parse(clientOf().bodyOf({ messages: [hello, asMessage(events)], tools: [] }));
  assert.deepEqual(input.slice(1), [
    { type: 'message', role: 'assistant', content: 'First.', phase: 'commentary' }, { type: 'message', role: 'assistant', content: 'Then.', phase: 'final_answer' },
  ]);
});

test('the ways in which a response ends are read by what they mean', async () => {
  const reasonOf = async (reply: Reply): Promise<string> => finishedIn(await answered(reply)).reason;
  assert.equal(await reasonOf(say('so')), 'stop');
  assert.equal(await reasonOf({ ...say('so'), finish: 'length' }), 'length');
  assert.equal(await reasonOf({ ...say('so'), finish: 'content_filter' }), 'refusal');
  assert.equal(await reasonOf(raw({ type: 'response.refusal.delta', output_index: 0, delta: 'I cannot.' }, completed)), 'refusal');
  const failedWith = async (error: object): Promise<string> => failureIn(await answered(raw({ type: 'response.failed', response: { error } }))).kind;
  assert.equal(await failedWith({ code: 'server_error', message: 'Down' }), 'server');
  assert.equal(await failedWith({ code: 'rate_limit_exceeded', message: 'Slow down' }), 'busy');
  assert.equal(failureIn(await answered(raw({ type: 'error', code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' }))).kind, 'too-long');
  assert.equal(failureIn(await answered({ ...say('half'), finish: null })).kind, 'broken-stream');
});

test('unknown events and odd shapes are passed over, and another protocol is said', async () => {
  const odd = [{ type: 'response.new_thing', output_index: 'x' }, { type: 'response.output_text.delta' }, { type: 'response.output_item.added', item: 7 }, { type: 'response.output_item.done', item: { type: 'web_search_call' } }];
  assert.equal(finishedIn(await answered(raw(...odd, completed))).usage, null);
  const failure = failureIn(await answered(raw({ choices: [{ delta: { content: 'hi' } }] })));
  assert.equal(failure.kind, 'protocol');
  assert.match(failure.message, /did not answer as a server of OpenAI’s Responses does/);
});

test('an answer that breaks off is not taken for whole because of a “[DONE]”', async () => {
  const events = await answered({ kind: 'raw', pieces: ['data: {"type":"response.output_text.delta","output_index":0,"delta":"half"}\n\n', 'data: [DONE]\n\n'] });
  assert.equal(failureIn(events).kind, 'broken-stream');
});

test('limits of an answer hold here too', async () => {
  const many = Array.from({ length: 1002 }, (_, index) => ({ type: 'response.output_item.added', output_index: index, item: { type: 'message' } }));
  assert.match(failureIn(await answered(raw(...many, completed))).message, /more than 1000 items/);
  const events = await answered(propose({ name: 'write_file', arguments: JSON.stringify({ content: 'x'.repeat(3 * 1024 * 1024) }), fragments: 10_000 }));
  assert.equal(finishedIn(events).calls[0]?.arguments.length, 1024 * 1024 + 4096);
});
