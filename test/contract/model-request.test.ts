import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ToolSchema } from '../../extension/boundary/tool-definition.ts';
import type { ModelMessage } from '../../extension/model/model-client.ts';
import { say } from '../model-server/replies.ts';
import { startModelServer } from '../model-server/server.ts';
import { clientOf, eventsOf } from '../unit/model/clients.ts';

const server = await startModelServer(() => say('ok'));
after(() => server.close());

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const readFile: ToolSchema = { name: 'read_file', description: 'Reads a file.', parameters };
const conversation: readonly ModelMessage[] = [
  { role: 'system', text: 'You are …' },
  { role: 'user', text: 'Look at a.ts' },
  { role: 'assistant', text: '', calls: [{ id: 'call_1', name: 'read_file', arguments: '{"path":"a.ts"}' }] },
  { role: 'tool', callId: 'call_1', text: 'const a = 1;' },
  { role: 'assistant', text: 'It holds one line.', calls: [] },
];

async function sent(messages: readonly ModelMessage[], tools: readonly ToolSchema[]): Promise<{ readonly raw: string; readonly body: unknown }> {
  await eventsOf(clientOf(server.baseUrl), { messages, tools });
  const last = server.requests.at(-1);
  assert.ok(last !== undefined);
  return last;
}

test('the whole body of a request is this', async () => {
  const { body } = await sent(conversation, [readFile]);
  assert.deepEqual(body, {
    model: 'scripted',
    stream: true,
    stream_options: { include_usage: true },
    tools: [{ type: 'function', function: { name: 'read_file', description: 'Reads a file.', parameters } }],
    messages: [
      { role: 'system', content: 'You are …' },
      { role: 'user', content: 'Look at a.ts' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'const a = 1;' },
      { role: 'assistant', content: 'It holds one line.' },
    ],
  });
});

test('A2 no byte of what belongs to the host is sent, whatever else a schema object carries', async () => {
  const hostSide = ['output', 'effects', 'execute', 'projectContent', 'finalizeContent', 'timeoutMs', 'isConcurrencySafe', 'presentCall', 'presentResult', 'hostNote'];
  const extras = Object.fromEntries(hostSide.map((field) => [field, `secret-${field}`]));
  const throwing = { name: 'b', description: 'B', parameters, deferLoading: true as const, get execute(): never { throw new Error('read'); } };
  const { raw, body } = await sent(conversation, [{ ...readFile, ...extras }, throwing]);
  for (const field of hostSide) assert.ok(!raw.includes(field), field);
  assert.ok(!raw.includes('deferLoading') && !raw.includes('secret-'));
  assert.ok(typeof body === 'object' && body !== null && 'tools' in body && Array.isArray(body.tools));
  for (const tool of body.tools) {
    assert.deepEqual(Object.keys(tool), ['type', 'function']);
    assert.deepEqual(Object.keys(tool.function), ['name', 'description', 'parameters']);
  }
});

test('bodyOf gives the very bytes that are sent, each time', async () => {
  const tools = [readFile];
  const { raw } = await sent(conversation, tools);
  const client = clientOf(server.baseUrl);
  assert.equal(client.bodyOf({ messages: conversation, tools }), raw);
  assert.equal(client.bodyOf({ messages: structuredClone(conversation), tools: structuredClone(tools) }), raw);
});

test('A9 a request with more messages begins with the bytes of the one before', () => {
  const client = clientOf(server.baseUrl);
  for (let count = 1; count < conversation.length; count++) {
    const shorter = client.bodyOf({ messages: conversation.slice(0, count), tools: [readFile] });
    const longer = client.bodyOf({ messages: conversation.slice(0, count + 1), tools: [readFile] });
    assert.equal(longer.slice(0, shorter.length - 2), shorter.slice(0, -2));
  }
});

test('without tools there is no empty list of them', async () => {
  const { body } = await sent(conversation.slice(0, 2), []);
  assert.ok(typeof body === 'object' && body !== null && !('tools' in body));
});

test('arguments that are no JSON are quoted, so that a strict server still takes the conversation', async () => {
  const messages: readonly ModelMessage[] = [
    { role: 'assistant', text: '', calls: [{ id: 'a', name: 'x', arguments: '{"path": "a' }, { id: 'b', name: 'x', arguments: '' }] },
    { role: 'tool', callId: 'a', text: 'INVALID_ARGS' }, { role: 'tool', callId: 'b', text: 'ok' },
  ];
  const { raw } = await sent(messages, []);
  assert.ok(raw.includes(JSON.stringify(JSON.stringify({ not_json: '{"path": "a' }))), raw);
  assert.ok(raw.includes('"arguments":"{}"'));
});

test('a lone surrogate is sent as the replacement character', async () => {
  const { raw } = await sent([{ role: 'user', text: 'a\ud83d b' }], []);
  assert.ok(raw.includes('"a\ufffd b"'), raw);
});

test('a request carries the headers that it needs and none that tells of this machine', async () => {
  const key = 'sk-1';
  const names = ['OPENAI_CUSTOM_HEADERS', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'];
  const before = names.map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, { OPENAI_CUSTOM_HEADERS: 'x-leak: 1', OPENAI_ORG_ID: 'org', OPENAI_PROJECT_ID: 'proj', OPENAI_API_KEY: 'sk-environment', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
  try {
    await eventsOf(clientOf(server.baseUrl, { key: () => Promise.resolve(key) }));
    const headers = server.requests.at(-1)?.headers ?? {};
    const expected = ['accept', 'accept-encoding', 'accept-language', 'authorization', 'connection', 'content-length', 'content-type', 'host', 'sec-fetch-mode', 'user-agent'];
    assert.deepEqual(Object.keys(headers).filter((name) => !expected.includes(name)), []);
    assert.equal(headers.authorization, `Bearer ${key}`);
    assert.equal(headers['user-agent'], 'node');
    await eventsOf(clientOf(server.baseUrl));
    assert.equal(server.requests.at(-1)?.headers.authorization, undefined);
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});
