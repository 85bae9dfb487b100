import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { AnthropicOptions } from '../../../extension/model/anthropic.ts';
import type { ModelFailure } from '../../../extension/model/model-client.ts';
import { watchLimits } from '../../../extension/model/response-watch.ts';
import { startAnthropicServer } from '../../model-server/anthropic.ts';
import { eventText } from '../../model-server/anthropic-events.ts';
import { call, hold, httpError, propose, say, type Reply } from '../../model-server/replies.ts';
import { anthropicOf } from './anthropic-clients.ts';
import { eventsOf, failureIn, hello } from './clients.ts';

const server = await startAnthropicServer(() => say('unset'));
after(() => server.close());

async function failureOf(reply: Reply, options: Partial<AnthropicOptions> = {}): Promise<ModelFailure> {
  server.setScript(() => reply);
  return failureIn(await eventsOf(anthropicOf(server.baseUrl, options)));
}

const refused = (status: number, type: string, message: string, headers = {}): Reply => ({ kind: 'error', status, headers, body: { type: 'error', error: { type, message } } });

test('a refused or missing key is said with what to do, and the key stands in no message', async () => {
  const guarded = await startAnthropicServer(() => say('never'), { key: 'another' });
  after(() => guarded.close());
  const wrong = failureIn(await eventsOf(anthropicOf(guarded.baseUrl)));
  assert.deepEqual([wrong.kind, wrong.status, wrong.retryable], ['key', 401, false]);
  assert.match(wrong.message, /refused the key \(401\)\. Set another key/);
  const missing = failureIn(await eventsOf(anthropicOf(guarded.baseUrl, { key: () => Promise.resolve(undefined) })));
  assert.match(missing.message, /wants a key, and none is set/);
  for (const status of [400, 403, 404, 413, 429, 500, 529]) {
    assert.match((await failureOf(refused(status, 'x', 'Bad key sk-ant-1 given'))).message, /Bad key … given/);
  }
});

test('a key that no header can carry is refused before anything is sent', async () => {
  const before = server.requests.length;
  const failure = await failureOf(say('never'), { key: () => Promise.resolve('sk-ant\nx-other: 2') });
  assert.equal(failure.kind, 'key');
  assert.doesNotMatch(failure.message, /sk-ant/);
  assert.equal(server.requests.length, before);
});

test('the errors of the API are read by what a person can do about them', async () => {
  const long = 'prompt is too long: 215000 tokens > 200000 maximum';
  const kinds: readonly (readonly [number, string, string, ModelFailure['kind'], boolean])[] = [
    [400, 'invalid_request_error', 'messages: bad', 'bad-request', false], [400, 'invalid_request_error', long, 'too-long', false],
    [400, 'invalid_request_error', 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000', 'too-long', false],
    [401, 'authentication_error', 'invalid x-api-key', 'key', false], [402, 'billing_error', 'no credit', 'key', false], [403, 'permission_error', 'not yours', 'key', false],
    [404, 'not_found_error', 'model: claude-opus-9', 'not-found', false], [413, 'request_too_large', 'Request exceeds the maximum size', 'too-long', false],
    [429, 'rate_limit_error', 'slow down', 'busy', true], [500, 'api_error', 'Internal server error', 'server', true], [529, 'overloaded_error', 'Overloaded', 'busy', true],
  ];
  for (const [status, type, message, kind, retryable] of kinds) {
    const failure = await failureOf(refused(status, type, message));
    assert.deepEqual([failure.kind, failure.retryable, failure.status], [kind, retryable, status], `${status} ${message}`);
    if (status !== 401) assert.ok(failure.message.includes(message), failure.message);
    assert.ok(failure.message.includes(`(${status})`), failure.message);
  }
});

test('a model that the server does not have is named', async () => {
  const failure = await failureOf(refused(404, 'not_found_error', 'model: claude-opus-4-6'));
  assert.match(failure.message, /no model “claude-opus-4-6” \(404\)\. It says: model: claude-opus-4-6\./);
});

test('how long to wait is read from a busy answer', async () => {
  assert.equal((await failureOf(httpError(429, { 'retry-after': '12' }))).retryAfterMs, 12_000);
  assert.equal((await failureOf(httpError(529, { 'retry-after': '3' }))).retryAfterMs, 3000);
});

test('an error inside the stream is told in its own words', async () => {
  const inStream = (type: string, message: string): Promise<ModelFailure> => failureOf({ kind: 'raw', pieces: [
    eventText('message_start', { message: {} }), eventText('error', { error: { type, message } }),
  ] });
  const overloaded = await inStream('overloaded_error', 'Overloaded');
  assert.deepEqual([overloaded.kind, overloaded.retryable, overloaded.status], ['busy', true, 529]);
  assert.match(overloaded.message, /Overloaded/);
  const broken = await inStream('api_error', 'Something sk-ant-1 broke');
  assert.deepEqual([broken.kind, broken.retryable], ['server', true]);
  assert.match(broken.message, /Something … broke/);
});

test('an error page, a page in place of a stream and a plain message are told by how they begin', async () => {
  const page = await failureOf({ kind: 'error', status: 502, body: '<html><style>p{color:red}</style><h1>Bad Gateway</h1><p>cloudflare</p></html>' });
  assert.deepEqual([page.kind, page.retryable], ['server', true]);
  assert.match(page.message, /It says: Bad Gateway cloudflare\./);
  for (const body of ['<!doctype html><title>Sign in</title>', '{"id":"msg","type":"message","content":[]}']) {
    const failure = await failureOf({ kind: 'raw', headers: { 'content-type': 'text/html' }, pieces: [body] });
    assert.deepEqual([failure.kind, failure.retryable], ['protocol', false]);
    assert.ok(failure.message.includes(body), failure.message);
  }
});

test('a redirect is not followed: conversation and key go nowhere that nobody set', async () => {
  const other = await startAnthropicServer(() => say('never'));
  after(() => other.close());
  const failure = await failureOf(httpError(307, { location: `${other.baseUrl}/messages` }));
  assert.equal(failure.kind, 'protocol');
  assert.equal(other.requests.length, 0);
});

test('an answer that breaks off before it said why it ended is broken, wherever it breaks', async () => {
  const isBroken = async (reply: Reply): Promise<void> => {
    const failure = await failureOf(reply);
    assert.deepEqual([failure.kind, failure.retryable], ['broken-stream', true]);
  };
  await isBroken({ ...say(['half of', ' it']), cutAfter: 2 });
  await isBroken({ ...propose(call('write_file', { path: 'a', content: 'b' })), cutAfter: 3 });
  await isBroken({ ...say('half'), finish: null, done: false });
  await isBroken({ kind: 'raw', pieces: [] });
  await isBroken({ kind: 'raw', pieces: [eventText('ping')] });
  const bytes = Buffer.from(`${eventText('message_start', { message: {} })}event: content_block_delta\ndata: {"type":"x","text":"ü`);
  for (const then of ['cut', 'end'] as const) await isBroken({ kind: 'raw', pieces: [bytes.subarray(0, -1)], then });
});

test('a connection that ends after the reason has lost nothing', async () => {
  server.setScript(() => ({ ...say('whole'), cutAfter: 3 }));
  assert.equal((await eventsOf(anthropicOf(server.baseUrl))).at(-1)?.type, 'finished');
});

/** Fires at once, but only for that wait. */
const only = (wait: number): AnthropicOptions['timer'] => (ms, fire) => {
  const handle = ms === wait ? setTimeout(fire, 30) : undefined;
  return () => clearTimeout(handle);
};

test('a server that falls silent is given up after the time that the timer measures', async () => {
  const limits = { ...watchLimits, firstByteMs: 41_000, idleMs: 7_000, tailMs: 2_000 };
  const never = await failureOf({ kind: 'silence' }, { watchLimits: limits, timer: only(41_000) });
  assert.match(never.message, /no answer for 41 s/);
  const stuck = await failureOf({ ...say(['a', 'b', 'c']), silentAfter: 2 }, { watchLimits: limits, timer: only(7_000) });
  assert.match(stuck.message, /fell silent in the middle of its answer, for 7 s/);
  server.setScript(() => ({ ...say('whole'), silentAfter: 3 }));
  const open = await eventsOf(anthropicOf(server.baseUrl, { watchLimits: limits, timer: only(2_000) }));
  assert.equal(open.at(-1)?.type, 'finished', 'a stream that stays open after its end');
});

test('one endless line and an endless answer are given up', async () => {
  const line = await failureOf({ kind: 'raw', pieces: ['data: ', 'x'.repeat(3000)], then: 'silence' }, { watchLimits: { ...watchLimits, line: 2000 } });
  assert.match(line.message, /one line of more than 2000 bytes/);
  const pings = Array.from({ length: 200 }, () => eventText('ping'));
  const total = await failureOf({ kind: 'raw', pieces: pings, then: 'silence' }, { watchLimits: { ...watchLimits, total: 2000 } });
  assert.match(total.message, /an answer of more than 2000 bytes/);
});

test('a stop in mid-stream ends the stream as aborted and the connection with it', async () => {
  const gate = hold();
  server.setScript(() => ({ ...say(['one', 'two', 'three']), holdAfter: { chunks: 2, until: gate.until } }));
  const controller = new AbortController();
  const seen: string[] = [];
  for await (const event of anthropicOf(server.baseUrl).stream(hello, controller.signal)) {
    if (event.type === 'text') controller.abort();
    seen.push(event.type === 'failed' ? event.failure.kind : event.type);
  }
  gate.release();
  assert.deepEqual(seen, ['text', 'aborted']);
});

test('a stop while nothing has come, and before anything was sent, is a stop too', async () => {
  server.setScript(() => ({ kind: 'silence' }));
  const controller = new AbortController();
  const before = server.requests.length;
  const events = eventsOf(anthropicOf(server.baseUrl), hello, controller.signal);
  while (server.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  assert.equal(failureIn(await events).kind, 'aborted');
  assert.equal(failureIn(await eventsOf(anthropicOf(server.baseUrl), hello, AbortSignal.abort())).kind, 'aborted');
  assert.equal(server.requests.length, before + 1);
});

test('a conversation that the API does not take is refused in its words', async () => {
  server.setScript(() => say('never'));
  const failure = failureIn(await eventsOf(anthropicOf(server.baseUrl), { messages: [{ role: 'user', text: 'a' }, { role: 'assistant', text: '', calls: [{ id: 'x', name: 'a', arguments: '' }] }, { role: 'user', text: 'b' }], tools: [] }));
  assert.equal(failure.kind, 'bad-request');
  assert.match(failure.message, /`tool_use` ids were found without `tool_result` blocks immediately after: x/);
});
