import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { after, test } from 'node:test';
import type { ModelFailure } from '../../../extension/model/model-client.ts';
import type { OpenAIChatOptions } from '../../../extension/model/openai-chat.ts';
import { watchLimits } from '../../../extension/model/response-watch.ts';
import { call, hold, httpError, propose, say, type Reply } from '../../model-server/replies.ts';
import { startModelServer } from '../../model-server/server.ts';
import { clientOf, eventsOf, failureIn, hello, textOf } from './clients.ts';

const server = await startModelServer(() => say('unset'));
after(() => server.close());

async function failureOf(reply: Reply, options: Partial<OpenAIChatOptions> = {}): Promise<ModelFailure> {
  server.setScript(() => reply);
  return failureIn(await eventsOf(clientOf(server.baseUrl, options)));
}

test('a refused key is said with its status and what to do, and the key stands in no message', async () => {
  const key = 'sk-very-secret-1234';
  const guarded = await startModelServer(() => say('never'), { key: 'another' });
  after(() => guarded.close());
  const refused = failureIn(await eventsOf(clientOf(guarded.baseUrl, { key: () => Promise.resolve(key) })));
  assert.deepEqual([refused.kind, refused.status, refused.retryable], ['key', 401, false]);
  assert.match(refused.message, /refused the key \(401\)\. Set another key/);
  const missing = failureIn(await eventsOf(clientOf(guarded.baseUrl)));
  assert.match(missing.message, /wants a key, and none is set/);
  for (const status of [400, 403, 429, 500]) {
    const failure = await failureOf({ kind: 'error', status, body: { error: { message: `Bad key ${key} given` } } }, { key: () => Promise.resolve(key) });
    assert.match(failure.message, /Bad key … given/);
  }
});

test('of a key that stands where a message is cut, no part is shown', async () => {
  const key = `sk-${'0123456789'.repeat(9)}`;
  const cut = (length: number): string => `${'w'.repeat(length - 50)} ${key} is what you sent`;
  const replies: readonly Reply[] = [
    ...[400, 403, 429, 500].map((status): Reply => ({ kind: 'error', status, body: { error: { message: cut(300) } } })),
    { kind: 'raw', pieces: [`data: ${JSON.stringify({ error: { message: cut(300) } })}\n\n`] },
    { kind: 'raw', pieces: [cut(200)] },
  ];
  for (const reply of replies) assert.doesNotMatch((await failureOf(reply, { key: () => Promise.resolve(key) })).message, /sk-/);
});

test('a key that no header can carry is refused before anything is sent', async () => {
  const before = server.requests.length;
  const failure = await failureOf(say('never'), { key: () => Promise.resolve('sk-1\nx-other: 2') });
  assert.equal(failure.kind, 'key');
  assert.doesNotMatch(failure.message, /sk-1/);
  assert.equal(server.requests.length, before);
});

test('a key store that fails is said, and nothing is sent', async () => {
  const failure = await failureOf(say('never'), { key: () => Promise.reject(new Error('keyring is locked')) });
  assert.equal(failure.kind, 'key');
  assert.match(failure.message, /keyring is locked/);
});

test('an address that cannot be one is refused, without its password', async () => {
  for (const [baseUrl, why] of [['', /No address/], ['not a url', /no URL/], ['ftp://h/v1', /only http: and https:/], ['http://me:hunter2@h/v1', /user name or password/], ['http://h/v1?x=1', /“\?”/]] as const) {
    const failure = failureIn(await eventsOf(clientOf(baseUrl)));
    assert.equal(failure.kind, 'bad-request');
    assert.match(failure.message, why);
    assert.doesNotMatch(failure.message, /hunter2/);
  }
});

test('a slash at the end of the address changes nothing', async () => {
  server.setScript(() => say('here'));
  assert.equal(textOf(await eventsOf(clientOf(`${server.baseUrl}/`))), 'here');
});

test('a port where nothing listens names the address, the cause and what localhost is', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  assert.ok(address !== null && typeof address === 'object');
  await new Promise((resolve) => probe.close(resolve));
  for (const host of ['127.0.0.1', 'localhost']) {
    const failure = failureIn(await eventsOf(clientOf(`http://${host}:${address.port}/v1`)));
    assert.deepEqual([failure.kind, failure.retryable], ['network', false]);
    assert.match(failure.message, new RegExp(`Nothing answers at http://${host}:${address.port}/v1 \\(ECONNREFUSED\\): is the server running\\? In a remote window, localhost is the remote machine\\.`));
  }
});

test('statuses are read by what a person can do about them', async () => {
  const kinds = new Map<number, readonly [string, boolean]>([
    [400, ['bad-request', false]], [402, ['key', false]], [403, ['key', false]], [404, ['not-found', false]], [413, ['too-long', false]],
    [422, ['bad-request', false]], [429, ['busy', true]], [500, ['server', true]], [502, ['server', true]], [503, ['server', true]], [529, ['busy', true]],
  ]);
  for (const [status, [kind, retryable]] of kinds) {
    const failure = await failureOf(httpError(status));
    assert.deepEqual([failure.kind, failure.retryable, failure.status], [kind, retryable, status]);
    assert.match(failure.message, new RegExp(`\\(${status}\\).*Scripted error ${status}\\.`));
  }
});

test('Retry-After is read in seconds, as a date and in milliseconds', async () => {
  const waitOf = async (headers: Record<string, string>): Promise<number | undefined> => (await failureOf(httpError(429, headers))).retryAfterMs;
  assert.equal(await waitOf({ 'retry-after': '12' }), 12_000);
  assert.equal(await waitOf({ 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' }), 30_000);
  assert.equal(await waitOf({ 'retry-after-ms': '250', 'retry-after': '1' }), 250);
  assert.equal(await waitOf({ 'retry-after': 'soon' }), undefined);
});

test('a used-up quota is not a server that is busy', async () => {
  const failure = await failureOf({ kind: 'error', status: 429, body: { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } } });
  assert.equal(failure.retryable, false);
  assert.match(failure.message, /quota is used up/);
});

test('an error page is told by its words, without its tags', async () => {
  const failure = await failureOf({ kind: 'error', status: 502, body: '<html><style>p{color:red}</style><h1>Bad Gateway</h1><p>nginx</p></html>' });
  assert.match(failure.message, /It says: Bad Gateway nginx\./);
});

test('a redirect is not followed: the conversation goes nowhere that nobody set', async () => {
  const other = await startModelServer(() => say('never'));
  after(() => other.close());
  const failure = await failureOf(httpError(307, { location: `${other.baseUrl}/chat/completions` }));
  assert.equal(failure.kind, 'protocol');
  assert.ok(failure.message.includes(other.baseUrl));
  assert.equal(other.requests.length, 0);
});

test('a page or a plain JSON document in place of a stream is shown by how it begins', async () => {
  for (const body of ['<!doctype html><title>Sign in</title>', '{"id":"x","object":"chat.completion","choices":[]}']) {
    const failure = await failureOf({ kind: 'raw', headers: { 'content-type': 'text/html' }, pieces: [body] });
    assert.deepEqual([failure.kind, failure.retryable], ['protocol', false]);
    assert.ok(failure.message.includes(body), failure.message);
  }
  const long = await failureOf({ kind: 'raw', pieces: [`<html>${'x'.repeat(5000)}`] });
  assert.ok(long.message.length < 600, `${long.message.length}`);
});

test('garbage in a data line is no answer', async () => {
  for (const line of ['{"choices": [', 'hello', '42', 'null', '[]', '{"choices": 7}']) {
    const failure = await failureOf({ kind: 'raw', pieces: [`data: ${line}\n\n`, 'data: [DONE]\n\n'] });
    assert.equal(failure.kind, 'protocol', line);
  }
});

test('chunks of odd shapes are passed over without a crash', async () => {
  server.setScript(() => ({ kind: 'raw', pieces: [
    ...['{}', '{"choices":[]}', '{"choices":[null]}', '{"choices":[{"delta":7}]}', '{"choices":[{"delta":{"content":{"a":1},"tool_calls":[1,null,{"function":3}]}}]}',
      '{"choices":[{"index":1,"delta":{"content":"other"}}]}', '{"choices":[{"delta":{"content":[{"type":"thinking"},{"type":"text","text":"here"}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":"x"}}',
    ].map((line) => `data: ${line}\n\n`), 'data: [DONE]\n\n'] }));
  const events = await eventsOf(clientOf(server.baseUrl));
  assert.equal(textOf(events), 'here');
  assert.equal(events.at(-1)?.type, 'finished');
});

test('an answer that ends before it said that it had finished is broken, with all its text', async () => {
  const failure = await failureOf({ ...say(['half of', ' it']), finish: null, done: false });
  assert.deepEqual([failure.kind, failure.retryable], ['broken-stream', true]);
  const nothing = await failureOf({ kind: 'raw', pieces: [] });
  assert.equal(nothing.kind, 'broken-stream');
  const pinged = await failureOf({ kind: 'raw', pieces: [': ping\n\n'] });
  assert.equal(pinged.kind, 'broken-stream');
});

test('a connection that is cut in mid-text, in mid-call or in mid-line is a broken stream', async () => {
  assert.equal((await failureOf({ ...say(['half of', ' it']), cutAfter: 2 })).kind, 'broken-stream');
  assert.equal((await failureOf({ ...propose(call('write_file', { path: 'a', content: 'b' })), cutAfter: 3 })).kind, 'broken-stream');
  assert.equal((await failureOf({ kind: 'raw', pieces: ['data: {"choices":[{"de'], then: 'cut' })).kind, 'broken-stream');
  assert.equal((await failureOf({ kind: 'raw', pieces: ['data: {"choices":[{"de'], then: 'end' })).kind, 'broken-stream');
});

test('a connection that ends after the reason to finish has lost nothing', async () => {
  server.setScript(() => ({ ...say('whole'), cutAfter: 3 }));
  const events = await eventsOf(clientOf(server.baseUrl));
  assert.equal(events.at(-1)?.type, 'finished');
});

test('an error inside the stream is told in its own words', async () => {
  const failure = await failureOf({ kind: 'raw', pieces: ['data: {"choices":[{"delta":{"content":"a"}}]}\n\n', 'data: {"error":{"message":"Upstream is down","code":502}}\n\n'] });
  assert.deepEqual([failure.kind, failure.retryable, failure.status], ['server', true, 502]);
  assert.match(failure.message, /Upstream is down/);
});

test('a server that falls silent is given up after the time that the timer measures', async () => {
  const limits = { ...watchLimits, firstByteMs: 41_000, idleMs: 7_000 };
  /** Fires at once, but only for that wait. */
  const only = (wait: number): OpenAIChatOptions['timer'] => (ms, fire) => {
    const handle = ms === wait ? setTimeout(fire, 30) : undefined;
    return () => clearTimeout(handle);
  };
  const never = await failureOf({ kind: 'silence' }, { watchLimits: limits, timer: only(41_000) });
  assert.deepEqual([never.kind, never.retryable], ['network', true]);
  assert.match(never.message, /no answer for 41 s/);
  const stuck = await failureOf({ ...say(['a', 'b', 'c']), silentAfter: 2 }, { watchLimits: limits, timer: only(7_000) });
  assert.equal(stuck.kind, 'network');
  assert.match(stuck.message, /fell silent in the middle of its answer, for 7 s/);
});

test('one endless line is given up', async () => {
  const failure = await failureOf({ kind: 'raw', pieces: ['data: ', 'x'.repeat(3000)], then: 'silence' }, { watchLimits: { ...watchLimits, line: 2000 } });
  assert.equal(failure.kind, 'protocol');
  assert.match(failure.message, /one line of more than 2000 bytes/);
});

test('a stop in mid-stream ends the stream as aborted and the connection with it', async () => {
  const gate = hold();
  server.setScript(() => ({ ...say(['one', 'two', 'three']), holdAfter: { chunks: 2, until: gate.until } }));
  const controller = new AbortController();
  const seen: string[] = [];
  for await (const event of clientOf(server.baseUrl).stream(hello, controller.signal)) {
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
  const events = eventsOf(clientOf(server.baseUrl), hello, controller.signal);
  while (server.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  assert.equal(failureIn(await events).kind, 'aborted');
  assert.equal(failureIn(await eventsOf(clientOf(server.baseUrl), hello, AbortSignal.abort())).kind, 'aborted');
  const early = new AbortController();
  const key = (): Promise<string> => { early.abort(); return Promise.resolve('k'); };
  assert.equal(failureIn(await eventsOf(clientOf(server.baseUrl, { key }), hello, early.signal)).kind, 'aborted');
  assert.equal(server.requests.length, before + 1);
});
