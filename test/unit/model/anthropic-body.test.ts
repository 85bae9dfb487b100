import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import { schemaOf } from '../../../extension/boundary/schema-of.ts';
import type { ToolSchema } from '../../../extension/boundary/tool-definition.ts';
import { messagesBodyOf, type BodyOptions, type MessagesBody } from '../../../extension/model/anthropic-body.ts';
import type { ModelMessage, ModelRequest } from '../../../extension/model/model-client.ts';
import { checkMessagesRequest } from '../../model-server/anthropic-request.ts';
import { claude } from './anthropic-clients.ts';

const options: BodyOptions = { model: 'claude-opus-4-6', capabilities: claude, thinking: 'off' };
const readFile: ToolSchema = { name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: { path: { type: 'string' } } } };
const marked = { cache_control: { type: 'ephemeral' } };

function bodyOf(request: ModelRequest, other: Partial<BodyOptions> = {}): MessagesBody {
  const { body } = messagesBodyOf({ ...options, ...other }, request);
  const sent: unknown = JSON.parse(JSON.stringify(body));
  checkMessagesRequest({ 'anthropic-version': '2023-06-01', 'content-type': 'application/json' }, sent);
  return body;
}

const bodyOfMessages = (...messages: readonly ModelMessage[]): MessagesBody => bodyOf({ messages, tools: [] });

test('a whole conversation becomes exactly this body', () => {
  const body = bodyOf({
    tools: [readFile],
    messages: [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Read both.' },
      { role: 'assistant', text: 'So I do.', calls: [{ id: 'c1', name: 'read_file', arguments: '{"path": "a"}' }, { id: 'c2', name: 'read_file', arguments: '' }] },
      { role: 'tool', callId: 'c1', text: 'A' },
      { role: 'tool', callId: 'c2', text: '' },
      { role: 'user', text: 'And now?' },
    ],
  });
  assert.deepEqual(body, {
    model: 'claude-opus-4-6',
    max_tokens: 32_000,
    stream: true,
    system: [{ type: 'text', text: 'Be brief.', ...marked }],
    tools: [{ name: 'read_file', description: 'Reads.', input_schema: readFile.parameters }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Read both.', ...marked }] },
      { role: 'assistant', content: [
        { type: 'text', text: 'So I do.' },
        { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
        { type: 'tool_use', id: 'c2', name: 'read_file', input: {} },
      ] },
      { role: 'user', content: [
        { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'A' }] },
        { type: 'tool_result', tool_use_id: 'c2' },
        { type: 'text', text: 'And now?', ...marked },
      ] },
    ],
  });
  assert.equal(Object.keys(body).at(-1), 'messages');
});

test('the earlier bytes of a growing conversation stay, but for the cache marks; each request stores where the one before ended', () => {
  const messages: ModelMessage[] = [{ role: 'system', text: 'Be brief.' }, { role: 'user', text: 'Begin.' }];
  const textOf = (): string => JSON.stringify(messagesBodyOf(options, { messages, tools: [readFile] }).body);
  const withoutMarks = (text: string): string => text.replaceAll(',"cache_control":{"type":"ephemeral"}', '');
  let before = textOf();
  for (let step = 0; step < 8; step++) {
    messages.push({ role: 'assistant', text: step % 2 === 0 ? '' : `Step ${step}.`, calls: [{ id: `call/${step}`, name: 'read_file', arguments: '{"n":1.0}' }] });
    messages.push({ role: 'tool', callId: `call/${step}`, text: `Result ${step}` });
    if (step % 3 === 0) messages.push({ role: 'user', text: `Also ${step}.` });
    const now = textOf();
    const kept = withoutMarks(before).slice(0, -']}'.length);
    assert.ok(withoutMarks(now).startsWith(kept), `step ${step}`);
    // Up to its last mark, the one before stands in this one with a mark at the same place.
    const lastMark = before.lastIndexOf('"cache_control"');
    assert.equal(withoutMarks(now.slice(0, now.lastIndexOf('"cache_control"'))).includes(withoutMarks(before.slice(0, lastMark)).slice(0, -1)), true);
    assert.equal(now.match(/"cache_control"/g)?.length, 3);
    before = now;
  }
});

test('what follows one another on one side becomes one message, the results of calls first', () => {
  const { messages } = bodyOfMessages(
    { role: 'user', text: 'One.' }, { role: 'user', text: 'Two.' },
    { role: 'assistant', text: 'a', calls: [] }, { role: 'assistant', text: 'b', calls: [{ id: 'x', name: 't', arguments: '{}' }] },
    { role: 'user', text: 'Early.' }, { role: 'tool', callId: 'x', text: 'r' }, { role: 'user', text: 'Late.' },
  );
  assert.deepEqual(messages.map(({ role, content }) => [role, content.map((block) => (block.type === 'text' ? block.text : block.type))]), [
    ['user', ['One.', 'Two.']], ['assistant', ['a', 'b', 'tool_use']], ['user', ['tool_result', 'Early.', 'Late.']],
  ]);
});

test('blank text makes no block, and a message of nothing else no message', () => {
  const { messages, system } = bodyOfMessages(
    { role: 'system', text: ' ' }, { role: 'user', text: 'a' }, { role: 'assistant', text: '\n\n', calls: [] }, { role: 'user', text: '' }, { role: 'user', text: 'b' },
  );
  assert.equal(system, undefined);
  assert.deepEqual(messages, [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b', ...marked }] }]);
});

test('arguments that are no object that can be sent are quoted', () => {
  const inputOf = (text: string): unknown => {
    const block = bodyOfMessages({ role: 'user', text: 'a' }, { role: 'assistant', text: '', calls: [{ id: 'x', name: 't', arguments: text }] }, { role: 'tool', callId: 'x', text: 'r' }).messages[1]?.content[0];
    return block?.type === 'tool_use' ? block.input : undefined;
  };
  assert.deepEqual(inputOf('  '), {});
  assert.deepEqual(inputOf('{"a":[1]}'), { a: [1] });
  const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  assert.deepEqual(inputOf(nested(400)), JSON.parse(nested(400)));
  for (const text of ['{"a":', '[1]', '7', 'null', '{"a":"\\ud800"}', '{"\\udfff":1}', nested(600), nested(20_000)]) assert.deepEqual(inputOf(text), { not_json: text });
  assert.deepEqual(inputOf('{"a\ud800'), { not_json: '{"a\ufffd' });
});

test('an id that the API does not take is replaced by the same one in the call and its result, each time', () => {
  const [, asked, told] = bodyOfMessages({ role: 'user', text: 'a' }, { role: 'assistant', text: '', calls: [{ id: 'functions.read:0', name: 't', arguments: '' }, { id: '', name: 't', arguments: '' }] },
    { role: 'tool', callId: 'functions.read:0', text: 'r' }, { role: 'tool', callId: '', text: 's' }).messages;
  const ids = asked?.content.map((block) => (block.type === 'tool_use' ? block.id : ''));
  assert.deepEqual(told?.content.map((block) => (block.type === 'tool_result' ? block.tool_use_id : '')), ids);
  assert.deepEqual(ids, ['call_c216cab2de2e56d547b4e6340edfc11a', 'call_e3b0c44298fc1c149afbf4c8996fb924']);
});

test('a name that a model made up is sent as the API takes it', () => {
  const [, asked] = bodyOfMessages({ role: 'user', text: 'a' }, { role: 'assistant', text: '', calls: [{ id: 'x', name: 'rm -rf /', arguments: '' }] }, { role: 'tool', callId: 'x', text: 'r' }).messages;
  assert.deepEqual(asked?.content.map((block) => (block.type === 'tool_use' ? block.name : '')), ['rm_-rf__']);
});

test('an image is sent where the model sees images, and told in words where it does not or where it is gone', () => {
  const digest = sha256('png');
  const messages: ModelMessage[] = [{ role: 'user', text: 'What is it?', images: [{ digest, mediaType: 'image/png' }] }];
  const images = new Map([[digest, 'aGVsbG8=']]);
  const contentOf = (request: Partial<ModelRequest>, seesImages: boolean): unknown => bodyOf({ messages, tools: [], ...request }, { capabilities: { ...claude, images: seesImages } }).messages[0]?.content;
  assert.deepEqual(contentOf({ images }, true), [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } }, { type: 'text', text: 'What is it?', ...marked }]);
  assert.match(JSON.stringify(contentOf({}, true)), /no longer there/);
  assert.match(JSON.stringify(contentOf({ images }, false)), /takes no images/);
});

test('nothing of a tool but its name, description and parameters reaches the body', () => {
  const definition = {
    name: 'read_file', description: 'Reads.', parameters: readFile.parameters, deferLoading: true,
    secret: 'host only',
    get body(): never { throw new Error('read'); },
    toJSON: () => ({ secret: 'host only' }),
    execute: () => 'host only',
  };
  for (const tools of [[definition], [schemaOf(definition)]]) {
    const { body } = messagesBodyOf(options, { messages: [{ role: 'user', text: 'a' }], tools: tools as unknown as ToolSchema[] });
    assert.deepEqual(body.tools, [{ name: 'read_file', description: 'Reads.', input_schema: readFile.parameters, ...marked }]);
    assert.doesNotMatch(JSON.stringify(body), /host only|deferLoading/);
  }
});

test('a model that should make one call at a time is told so, where there are tools', () => {
  const capabilities = { ...claude, parallelCalls: false };
  const request: ModelRequest = { messages: [{ role: 'user', text: 'a' }], tools: [readFile] };
  assert.deepEqual(bodyOf(request, { capabilities }).tool_choice, { type: 'auto', disable_parallel_tool_use: true });
  assert.equal(bodyOf({ ...request, tools: [] }, { capabilities }).tool_choice, undefined);
  assert.equal(bodyOf(request).tool_choice, undefined);
});
