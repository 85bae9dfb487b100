import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { thinkingFieldsOf } from '../../../extension/model/anthropic-thinking.ts';
import type { AnthropicOptions } from '../../../extension/model/anthropic.ts';
import type { Carried, ModelMessage } from '../../../extension/model/model-client.ts';
import { startAnthropicServer } from '../../model-server/anthropic.ts';
import { eventText, signatureOf } from '../../model-server/anthropic-events.ts';
import { call, propose, say, type Answer, type Raw } from '../../model-server/replies.ts';
import { scriptOf, type ReceivedRequest, type Script } from '../../model-server/server.ts';
import { anthropicOf, assistantOf } from './anthropic-clients.ts';
import { eventsOf, failureIn, finishedIn, textOf } from './clients.ts';

const server = await startAnthropicServer(() => say('unset'));
after(() => server.close());

const thoughtful: Partial<AnthropicOptions> = { model: 'claude-opus-4-6', thinking: 'medium' };
const begin: readonly ModelMessage[] = [{ role: 'system', text: 'Be brief.' }, { role: 'user', text: 'Begin.' }];
const think = (reasoning: string, answer: Answer): Answer => ({ ...answer, reasoning });

/** The assistant's blocks in the last request. */
function sentBlocks(): readonly { readonly type: string; readonly thinking?: string }[] {
  const body = server.requests.at(-1)?.body as { messages: { role: string; content: { type: string }[] }[] };
  return body.messages.filter(({ role }) => role === 'assistant').flatMap(({ content }) => content);
}

test('each generation of models is asked for thinking in its own words', () => {
  const asked = (model: string, effort: 'off' | 'low' | 'high', outputTokens = 100_000): string => JSON.stringify(thinkingFieldsOf(model, effort, outputTokens));
  const adaptive = '{"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"low"}}';
  for (const model of ['claude-opus-4-6', 'claude-opus-4-8', 'claude-sonnet-5', 'claude-fable-5-1', 'claude-haiku-5-5', 'anthropic/claude-opus-5.5', 'anthropic.claude-sonnet-4-6-v1', 'someone-elses']) assert.equal(asked(model, 'low'), adaptive, model);
  for (const model of ['claude-3-7-sonnet-latest', 'claude-sonnet-4-20250514', 'claude-opus-4-1-20250805', 'claude-haiku-4-5', 'claude-sonnet-4.5']) assert.equal(asked(model, 'low'), '{"thinking":{"type":"enabled","budget_tokens":4096}}', model);
  assert.equal(asked('claude-haiku-4-5', 'high', 32_000), '{"thinking":{"type":"enabled","budget_tokens":16000}}');
  assert.equal(asked('claude-haiku-4-5', 'high', 2000), '{}');
  assert.equal(asked('claude-3-5-haiku-latest', 'high'), '{}');
});

test('each generation of models is asked not to think in its own words', () => {
  const asked = (model: string): string => JSON.stringify(thinkingFieldsOf(model, 'off', 100_000));
  for (const model of ['claude-haiku-4-5', 'claude-opus-4-8', 'someone-elses']) assert.equal(asked(model), '{}', model);
  for (const model of ['claude-opus-5', 'claude-sonnet-5', 'claude-haiku-5-5']) assert.equal(asked(model), '{"thinking":{"type":"disabled"}}', model);
  assert.equal(asked('claude-sonnet-5-5'), '{"thinking":{"type":"between_tools"}}');
  for (const model of ['claude-opus-5-5', 'claude-fable-5-2', 'claude-opus-6']) assert.equal(asked(model), '{"output_config":{"effort":"low"}}', model);
});

test('a model that cannot think is asked nothing of it', async () => {
  server.setScript(() => say('here'));
  const capabilities = { images: false, parallelCalls: true, thinking: false, contextTokens: 1000, outputTokens: 100 };
  await eventsOf(anthropicOf(server.baseUrl, { ...thoughtful, capabilities }));
  assert.doesNotMatch(server.requests.at(-1)?.raw ?? '', /thinking|effort/);
});

test('thinking streams to the person, and comes back to the model as it was over many steps', async () => {
  server.setScript(scriptOf([
    think('First, 🌍.', { ...propose(call('a', { n: 1 }, 'x')), text: ['I ', 'look.'] }), think('Then.', propose(call('b', {}, 'y'), call('b', {}, 'z'))), think('Last.', say('Done.')), say('Yes.'),
  ]));
  const client = anthropicOf(server.baseUrl, thoughtful);
  const messages = [...begin];
  const thoughts: string[] = [];
  for (let step = 0; step < 4; step++) {
    const events = await eventsOf(client, { messages, tools: [] });
    thoughts.push(events.flatMap((event) => (event.type === 'thinking' ? [event.text] : [])).join(''));
    // Through the log and back.
    messages.push(JSON.parse(JSON.stringify(assistantOf(events))) as ModelMessage);
    const { calls } = finishedIn(events);
    messages.push(...calls.map(({ id }): ModelMessage => ({ role: 'tool', callId: id, text: `of ${id}` })));
    if (calls.length === 0) messages.push({ role: 'user', text: 'Go on.' });
  }
  assert.deepEqual(thoughts, ['First, 🌍.', 'Then.', 'Last.', '']);
  assert.deepEqual(sentBlocks().map((block) => block.thinking ?? block.type), ['First, 🌍.', 'text', 'tool_use', 'Then.', 'tool_use', 'tool_use', 'Last.', 'text']);
});

/** An answer that thinks between its calls: what comes back has to stand where it stood. */
function interleaved(request: ReceivedRequest): Raw {
  const { system, tools, messages } = request.body as { system: unknown; tools: unknown; messages: unknown[] };
  const bound = { system, tools, messages };
  const block = (index: number, start: object, ...deltas: readonly object[]): string =>
    [eventText('content_block_start', { index, content_block: start }), ...deltas.map((delta) => eventText('content_block_delta', { index, delta })), eventText('content_block_stop', { index })].join('');
  const thought = (index: number, text: string): string => block(index, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: text }, { type: 'signature_delta', signature: signatureOf(text, index, bound) });
  return { kind: 'raw', pieces: [
    eventText('message_start', { message: { usage: { input_tokens: 1, output_tokens: 1 } } }),
    thought(0, 'one'), block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'See: ' }), block(2, { type: 'tool_use', id: 'x', name: 'a', input: {} }),
    thought(3, ''), block(4, { type: 'redacted_thinking', data: 'c2VjcmV0' }), block(5, { type: 'text', text: '' }, { type: 'text_delta', text: 'and' }), block(6, { type: 'tool_use', id: 'y', name: 'b', input: {} }),
    eventText('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } }), eventText('message_stop'),
  ] };
}

async function afterInterleaved(change: (messages: readonly ModelMessage[]) => readonly ModelMessage[], options = thoughtful, then: Script = () => say('Done.')): Promise<string> {
  server.setScript((request, n) => (n === 0 ? interleaved(request) : then(request, n)));
  const first = await eventsOf(anthropicOf(server.baseUrl, thoughtful), { messages: begin, tools: [] });
  const messages: readonly ModelMessage[] = [...begin, assistantOf(first), { role: 'tool', callId: 'x', text: 'X' }, { role: 'tool', callId: 'y', text: 'Y' }];
  return textOf(await eventsOf(anthropicOf(server.baseUrl, options), { messages: change(messages), tools: [] }));
}

test('thinking between calls, hidden thinking and text come back in their places', async () => {
  assert.equal(await afterInterleaved((messages) => messages), 'Done.');
  assert.deepEqual(sentBlocks().map(({ type }) => type), ['thinking', 'text', 'tool_use', 'thinking', 'redacted_thinking', 'text', 'tool_use']);
});

test('thinking is left out once anything before it has changed, and by another model', async () => {
  const plain = ['text', 'tool_use', 'tool_use'];
  assert.equal(await afterInterleaved(([, ...rest]) => [{ role: 'system', text: 'Be long.' }, ...rest]), 'Done.');
  assert.deepEqual(sentBlocks().map(({ type }) => type), plain);
  assert.equal(await afterInterleaved(([system, , ...rest]) => [...(system === undefined ? [] : [system]), { role: 'user', text: 'Summary.' }, ...rest]), 'Done.');
  assert.deepEqual(sentBlocks().map(({ type }) => type), plain);
  assert.equal(await afterInterleaved((messages) => messages.flatMap((message): readonly ModelMessage[] => (message.role === 'assistant' ? [{ role: 'assistant', text: 'Cut', calls: [] }, message] : [message]))), 'Done.');
  assert.deepEqual(sentBlocks().map(({ type }) => type), ['text', ...plain]);
  assert.equal(await afterInterleaved((messages) => messages, { ...thoughtful, model: 'claude-opus-4-7' }), 'Done.');
  assert.deepEqual(sentBlocks().map(({ type }) => type), plain);
});

test('what was carried in another form, or for another text, is no reason to fail', async () => {
  type Change = (data: { before: string; blocks: readonly object[] }) => unknown;
  const odd: readonly Change[] = [
    () => null, ({ blocks }) => ({ before: 1, blocks }), ({ before }) => ({ before, blocks: {} }),
    ...[7, { type: 'thinking', thinking: 'x' }, { type: 'redacted_thinking' }, { type: 'text' }, { type: 'of_tomorrow' }].map((block): Change => ({ before, blocks }) => ({ before, blocks: [block, ...blocks] })),
  ];
  for (const change of odd) {
    await afterInterleaved((messages) => messages.map((message) => {
      const carried = message.role === 'assistant' ? message.carried?.map(({ format, data }) => ({ format, data: change(data as never) })) : undefined;
      return carried === undefined ? message : { ...message, carried: carried as readonly Carried[] } as ModelMessage;
    }));
    assert.deepEqual(sentBlocks().map(({ type }) => type), ['text', 'tool_use', 'tool_use'], change.toString());
  }
  await afterInterleaved((messages) => messages.map((message) => (message.role === 'assistant' ? { ...message, text: 'Redacted.' } : message)));
  assert.deepEqual(sentBlocks().map(({ type }) => type), ['text', 'tool_use', 'tool_use']);
});

test('with a fixed budget, a turn that began without thinking goes on without, and the next one thinks again', async () => {
  const early: Partial<AnthropicOptions> = { model: 'claude-haiku-4-5', thinking: 'low' };
  const begun: readonly ModelMessage[] = [...begin, { role: 'assistant', text: '', calls: [{ id: 'x', name: 'a', arguments: '' }] }, { role: 'tool', callId: 'x', text: 'X' }];
  server.setScript(() => think('Hm.', say('Done.')));
  assert.equal(textOf(await eventsOf(anthropicOf(server.baseUrl, early), { messages: begun, tools: [] })), 'Done.');
  assert.doesNotMatch(server.requests.at(-1)?.raw ?? '', /budget_tokens/);
  const next: readonly ModelMessage[] = [...begun, { role: 'assistant', text: 'So.', calls: [] }, { role: 'user', text: 'And?' }];
  assert.equal(textOf(await eventsOf(anthropicOf(server.baseUrl, early), { messages: next, tools: [] })), 'Done.');
  assert.match(server.requests.at(-1)?.raw ?? '', /"budget_tokens":4096/);
});

test('with a fixed budget, a turn of several steps is accepted by the server', async () => {
  server.setScript(scriptOf([think('One.', propose(call('a', {}, 'x'))), say('Done.')]));
  const client = anthropicOf(server.baseUrl, { model: 'claude-haiku-4-5', thinking: 'low' });
  const first = await eventsOf(client, { messages: begin, tools: [] });
  const second = await eventsOf(client, { messages: [...begin, assistantOf(first), { role: 'tool', callId: 'x', text: 'X' }], tools: [] });
  assert.equal(textOf(second), 'Done.');
  assert.match(server.requests.at(-1)?.raw ?? '', /"budget_tokens"/);
});

test('an answer that was cut off in its thinking does not end with it when it is sent back', async () => {
  const cutOff: Script = (request) => {
    const { pieces } = interleaved(request);
    return { kind: 'raw', pieces: [...pieces.slice(0, 3), pieces[4] ?? '', eventText('message_delta', { delta: { stop_reason: 'max_tokens' } }), eventText('message_stop')] };
  };
  server.setScript((request, n) => (n === 0 ? cutOff(request, n) : say('Done.')));
  const client = anthropicOf(server.baseUrl, thoughtful);
  const first = await eventsOf(client, { messages: begin, tools: [] });
  assert.equal(finishedIn(first).reason, 'length');
  assert.equal(textOf(await eventsOf(client, { messages: [...begin, assistantOf(first), { role: 'user', text: 'Go on.' }], tools: [] })), 'Done.');
  assert.deepEqual(sentBlocks().map(({ type }) => type), ['thinking', 'text']);
});

test('the scripted server refuses thinking that was changed', async () => {
  server.setScript(scriptOf([think('Hm.', say('So.')), say('never')]));
  const first = assistantOf(await eventsOf(anthropicOf(server.baseUrl, thoughtful), { messages: begin, tools: [] }));
  const changed = JSON.parse(JSON.stringify(first).replace('Hm.', 'Ha.')) as ModelMessage;
  const failure = failureIn(await eventsOf(anthropicOf(server.baseUrl, thoughtful), { messages: [...begin, changed, { role: 'user', text: 'And?' }], tools: [] }));
  assert.match(failure.message, /Invalid `signature` in `thinking` block/);
});
