import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadAnthropicParser } from '../../../extension/model/anthropic-parser.ts';
import type { AnthropicOptions } from '../../../extension/model/anthropic.ts';
import type { ModelEvent } from '../../../extension/model/model-client.ts';
import { startAnthropicServer } from '../../model-server/anthropic.ts';
import { eventText } from '../../model-server/anthropic-events.ts';
import { call, propose, say, type Answer } from '../../model-server/replies.ts';
import { anthropicOf } from './anthropic-clients.ts';
import { eventsOf, failureIn, finishedIn, hello, textOf } from './clients.ts';

const server = await startAnthropicServer(() => say('unset'));
after(() => server.close());

async function answered(reply: Answer, options: Partial<AnthropicOptions> = {}): Promise<readonly ModelEvent[]> {
  server.setScript(() => reply);
  return eventsOf(anthropicOf(server.baseUrl, options));
}

async function readRaw(...events: readonly string[]): Promise<readonly ModelEvent[]> {
  server.setScript(() => ({ kind: 'raw', pieces: events }));
  return eventsOf(anthropicOf(server.baseUrl));
}

const begin = eventText('message_start', { message: { usage: { input_tokens: 3, output_tokens: 1 } } });
const start = (index: number, block: object): string => eventText('content_block_start', { index, content_block: block });
const delta = (index: number, fields: object): string => eventText('content_block_delta', { index, delta: fields });
const stop = (index: number): string => eventText('content_block_stop', { index });
const text = (index: number, words: string): string => start(index, { type: 'text', text: '' }) + delta(index, { type: 'text_delta', text: words }) + stop(index);
const finish = (reason: string): string => eventText('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 7 } });
const end = eventText('message_stop');

test('text streams piece by piece and ends with why and how many tokens', async () => {
  const events = await answered({ ...say(['Hello', ' there']), usage: { input: 1000, cachedInput: 900, output: 12 }, pings: true });
  assert.deepEqual(events, [
    { type: 'text', text: 'Hello' }, { type: 'text', text: ' there' },
    { type: 'finished', reason: 'stop', calls: [], usage: { input: 1000, cachedInput: 900, output: 12 } },
  ]);
});

test('the request has the headers of the API, and what the client says that it sends', async () => {
  server.setScript(() => say('here'));
  const client = anthropicOf(server.baseUrl);
  await eventsOf(client);
  const { headers, raw, path } = server.requests.at(-1) ?? assert.fail();
  assert.deepEqual([path, headers['x-api-key'], headers['anthropic-version'], headers['authorization']], ['/v1/messages', 'sk-ant-1', '2023-06-01', undefined]);
  assert.deepEqual(Object.keys(headers).filter((name) => name.startsWith('x-stainless') || name === 'anthropic-beta'), []);
  assert.equal(raw, client.bodyOf(hello));
  await eventsOf(anthropicOf(server.baseUrl, { key: () => Promise.resolve(undefined) }));
  assert.equal(server.requests.at(-1)?.headers['x-api-key'], undefined);
});

test('a call arrives in fragments of text, as the model wrote it', async () => {
  const events = await answered(propose(call('read_file', '{"path": "a b.ts", "path": "c", "n": 1.0 }')));
  assert.deepEqual(finishedIn(events).calls, [{ id: 'call_1', name: 'read_file', arguments: '{"path": "a b.ts", "path": "c", "n": 1.0 }' }]);
  assert.equal(finishedIn(events).reason, 'tool-calls');
  assert.deepEqual(events[0], { type: 'call-started', index: 0, id: 'call_1', name: 'read_file' });
  assert.equal(events.flatMap((event) => (event.type === 'call-arguments' ? [event.text] : [])).join(''), '{"path": "a b.ts", "path": "c", "n": 1.0 }');
});

test('several calls keep their order, ids and arguments; one without arguments has an empty text, one without an id gets one', async () => {
  const events = await answered({ ...propose(call('a', { n: 1 }, 'x'), call('b', '', 'x'), { name: 'c', arguments: '{}', id: null }), text: 'All three.' });
  assert.deepEqual(finishedIn(events).calls.map(({ id, name, arguments: args }) => [id, name, args]), [['x', 'a', '{"n":1}'], ['x', 'b', ''], ['call_3', 'c', '{}']]);
});

test('input that a server sends whole is taken, unless it sends fragments too', async () => {
  const events = await readRaw(begin, start(0, { type: 'tool_use', id: 'x', name: 'a', input: { n: 1 } }), stop(0),
    start(1, { type: 'tool_use', id: 'y', name: 'b', input: { n: 1 } }), delta(1, { type: 'input_json_delta', partial_json: '{"n":2}' }), stop(1), finish('tool_use'), end);
  assert.deepEqual(finishedIn(events).calls.map(({ arguments: args }) => args), ['{"n":1}', '{"n":2}']);
  const deep = `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"x","name":"a","input":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`;
  assert.match(failureIn(await readRaw(begin, `data: ${deep}\n\n`, stop(0))).message, /nested too deep/);
});

test('ten thousand fragments make one call', async () => {
  const args = JSON.stringify({ content: 'x'.repeat(20_000) });
  const events = await answered(propose({ name: 'write_file', arguments: args, fragments: 10_000 }));
  assert.equal(finishedIn(events).calls[0]?.arguments, args);
  assert.equal(events.filter((event) => event.type === 'call-arguments').length, 10_000);
});

test('a character that is split between two packets arrives whole', async () => {
  const events = await answered({ ...say(['grün 🌍', ' 漢字']), calls: [call('a', { text: 'é🌍' })], reasoning: 'ü', splitBytes: 1 });
  assert.equal(textOf(events), 'grün 🌍 漢字');
  assert.equal(finishedIn(events).calls[0]?.arguments, '{"text":"é🌍"}');
});

test('why an answer ended is read by what it means', async () => {
  const calls = [call('a', {})];
  const reasonOf = async (reply: Partial<Answer>): Promise<string> => finishedIn(await answered({ kind: 'answer', text: 'so', ...reply })).reason;
  for (const [reason, alone, withCalls] of [
    ['end_turn', 'stop', 'tool-calls'], ['stop_sequence', 'stop', 'tool-calls'], ['tool_use', 'stop', 'tool-calls'], ['pause_turn', 'stop', 'tool-calls'], ['of_tomorrow', 'stop', 'tool-calls'],
    ['max_tokens', 'length', 'length'], ['model_context_window_exceeded', 'length', 'length'], ['refusal', 'refusal', 'refusal'],
  ] as const) {
    assert.deepEqual([await reasonOf({ finish: reason }), await reasonOf({ finish: reason, calls })], [alone, withCalls], reason);
    assert.equal(await reasonOf({ finish: reason, done: false }), alone);
  }
  assert.equal(await reasonOf({ finish: null }), 'stop');
});

test('unknown events, blocks, deltas and fields are passed over, and so are events without a name', async () => {
  const events = await readRaw(
    ': hello\n\n', 'event: ping\n\n', eventText('ping'), begin, eventText('of_tomorrow', { index: 0 }),
    start(0, { type: 'server_tool_use', id: 's', name: 'web_search' }), delta(0, { type: 'input_json_delta', partial_json: '{}' }), delta(0, { type: 'text_delta', text: 'x' }), stop(0),
    start(1, { type: 'text', text: 'He' }), delta(1, { type: 'citations_delta', citation: {} }), `data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"re"}}\n\n`, stop(1),
    finish('end_turn'), end,
  );
  assert.equal(textOf(events), 'Here');
  assert.deepEqual(finishedIn(events).usage, { input: 3, cachedInput: 0, output: 7 });
});

test('tokens that a server does not count are null, and those that it says again are not added', async () => {
  const none = await readRaw(eventText('message_start', { message: {} }), text(0, 'a'), eventText('message_delta', { delta: { stop_reason: 'end_turn' } }), end);
  assert.equal(finishedIn(none).usage, null);
  const again = await readRaw(begin, eventText('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 5, cache_creation_input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 7 } }), end);
  assert.deepEqual(finishedIn(again).usage, { input: 115, cachedInput: 100, output: 7 });
  const odd = await readRaw(eventText('message_start', { message: { usage: { input_tokens: 'x', output_tokens: -1 } } }), finish('end_turn'), end);
  assert.deepEqual(finishedIn(odd).usage, { input: 0, cachedInput: 0, output: 7 });
});

test('events in an order that is not the protocol\'s are no answer', async () => {
  const tool = start(0, { type: 'tool_use', id: 'x', name: 'a', input: {} });
  const wrong: readonly (readonly [RegExp, readonly string[]])[] = [
    [/no beginning/, [text(0, 'a')]],
    [/begins twice/, [begin, begin]],
    [/block 0 begins twice/, [begin, text(0, 'a'), text(0, 'b')]],
    [/block 1, which is not open/, [begin, text(0, 'a'), delta(1, { type: 'text_delta', text: 'b' })]],
    [/block 0, which is not open/, [begin, text(0, 'a'), delta(0, { type: 'text_delta', text: 'b' })]],
    [/block 0 ends, and is not open/, [begin, stop(0)]],
    [/text is added to block 0, which is of another kind/, [begin, tool, delta(0, { type: 'text_delta', text: 'b' })]],
    [/in the middle of a block/, [begin, tool, finish('tool_use')]],
    [/in the middle of a block/, [begin, tool, end]],
    [/goes on after its end/, [begin, finish('end_turn'), text(0, 'a')]],
    [/no event of a message/, [begin, 'data: {"hello":1}\n\n']],
    [/no event of a message/, [begin, 'data: [1]\n\n']],
    [/no event of a message/, [begin, eventText('content_block_start', { content_block: { type: 'text' } })]],
    [/no event of a message/, [begin, eventText('content_block_delta', { index: 0, delta: 'x' })]],
    [/no JSON/, [begin, 'data: {"type":\n\n', end]],
  ];
  for (const [why, events] of wrong) {
    const failure = failureIn(await readRaw(...events));
    assert.deepEqual([failure.kind, failure.retryable], ['protocol', false], why.source);
    assert.match(failure.message, why);
    assert.match(failure.message, /did not answer as a server of Anthropic's Messages API does/);
  }
});

test('ten megabytes of arguments are kept up to just above what the boundary accepts', async () => {
  const events = await answered(propose({ name: 'write_file', arguments: JSON.stringify({ content: 'x'.repeat(10 * 1024 * 1024) }), fragments: 200 }, call('b', { n: 1 })));
  const [large, small] = finishedIn(events).calls;
  assert.equal(large?.arguments.length, 1024 * 1024 + 4096);
  assert.equal(small?.arguments, '{"n":1}');
});

test('an answer with more text, thinking, blocks, calls or arguments than its limits is given up', async () => {
  const answerLimits = { text: 10, callArguments: 50, allArguments: 60, calls: 2 };
  const failureOf = async (reply: Answer): Promise<string> => failureIn(await answered(reply, { answerLimits })).message;
  assert.match(await failureOf(say(['123456', '123456'])), /more than 10 characters of text/);
  assert.match(await failureOf({ ...say('a'), reasoning: '12345678901' }), /more than 10 characters of thinking/);
  assert.match(await failureOf({ ...say('a'), reasoning: '1' }), /more than 10 characters of thinking/, 'its signature counts');
  assert.match(await failureOf(propose(call('a', {}), call('b', {}), call('c', {}))), /more than 2 tool calls/);
  const forty = 'x'.repeat(40);
  assert.match(await failureOf(propose(call('a', forty), call('b', forty))), /more than 60 characters of arguments/);
  const blocks = Array.from({ length: 5000 }, (_, index) => text(index, ''));
  assert.match(failureIn(await readRaw(begin, ...blocks)).message, /more than 4096 blocks/);
});

test('the parser ends quietly where the request was given up, and not where the connection broke', async () => {
  const parser = await loadAnthropicParser();
  const readWhile = async (controller: AbortController, isGivenUp: boolean): Promise<number> => {
    const body = new ReadableStream({
      pull(stream) {
        if (isGivenUp) controller.abort();
        stream.error(new Error('reset'));
      },
    });
    let count = 0;
    for await (const _ of parser.read(new Response(body), controller)) count++;
    return count;
  };
  assert.equal(await readWhile(new AbortController(), true), 0);
  await assert.rejects(readWhile(new AbortController(), false), /reset/);
});
