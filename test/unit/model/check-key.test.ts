import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { checkKey, faultOfKey, type KeyCheck } from '../../../extension/model/check-key.ts';
import type { NetworkProtocol } from '../../../extension/model/profile.ts';
import { scriptOf, startModelServer } from '../../model-server/server.ts';
import { realTimer } from './clients.ts';

const list = { object: 'list', data: [{ id: 'gpt-5' }, { id: 'text-embedding-3' }, { id: 'gpt-5-mini' }] };

interface Server {
  readonly baseUrl: string;
  readonly requests: readonly IncomingMessage[];
}

async function serve(t: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => { server.closeAllConnections(); server.close(); });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { baseUrl: `http://127.0.0.1:${address.port}/v1`, requests };
}

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const check = (server: { readonly baseUrl: string }, key?: string, protocol: NetworkProtocol = 'openai-chat', signal = new AbortController().signal): Promise<KeyCheck> =>
  checkKey({ protocol, baseUrl: server.baseUrl }, key, { timer: realTimer, signal });
const messageOf = (result: KeyCheck): string => ('message' in result ? result.message : '');

test('each protocol\'s server is asked in its own way', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 200, list));
  const sent = async (protocol: NetworkProtocol): Promise<readonly unknown[]> => {
    await check(server, 'k-1', protocol);
    const [first] = server.requests.slice(-2);
    return [first?.url, first?.headers.authorization, first?.headers['x-api-key'], first?.headers['x-goog-api-key'], first?.headers['anthropic-version']];
  };
  assert.deepEqual(await sent('openai-chat'), ['/v1/models', 'Bearer k-1', undefined, undefined, undefined]);
  assert.deepEqual(await sent('openai-responses'), ['/v1/models', 'Bearer k-1', undefined, undefined, undefined]);
  assert.deepEqual(await sent('anthropic'), ['/v1/models?limit=1000', undefined, 'k-1', undefined, '2023-06-01']);
  assert.deepEqual(await sent('gemini'), ['/v1/models?pageSize=1000', undefined, undefined, 'k-1', undefined]);
});

test('a key that the server takes works, and the models that can hold a conversation are listed', async (t) => {
  const server = await serve(t, (request, response) => (request.headers.authorization === 'Bearer k-1' ? json(response, 200, list) : json(response, 401, {})));
  assert.deepEqual(await check(server, ' k-1\n'), { kind: 'works', models: ['gpt-5', 'gpt-5-mini'] });
});

test('a list that everyone gets proves nothing about the key', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 200, list));
  const result = await check(server, 'wrong');
  assert.equal(result.kind, 'unproven');
  assert.match(messageOf(result), /could not be checked/);
  assert.deepEqual(await check(server), { kind: 'works', models: ['gpt-5', 'gpt-5-mini'] });
});

test('Gemini\'s list loses its prefixes and what cannot answer', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 200, { models: [
    { name: 'models/gemini-x', supportedGenerationMethods: ['generateContent'] }, { name: 'models/other', supportedGenerationMethods: ['embedContent'] },
  ] }));
  assert.deepEqual(await check(server, undefined, 'gemini'), { kind: 'works', models: ['gemini-x'] });
});

for (const status of [401, 403]) {
  test(`${status} refuses the key, and does not repeat it`, async (t) => {
    const server = await serve(t, (_request, response) => json(response, status, { error: { message: 'Incorrect API key provided: sk-secret' } }));
    const result = await check(server, 'sk-secret');
    assert.equal(result.kind, 'refused');
    assert.match(messageOf(result), new RegExp(`does not take this key \\(${status}\\)`));
    assert.doesNotMatch(messageOf(result), /sk-secret/);
    assert.match(messageOf(await check(server)), /wants a key/);
  });
}

test('Gemini\'s way to refuse a key is understood', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 400, { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } }));
  assert.equal((await check(server, 'k', 'gemini')).kind, 'refused');
});

test('a key with a line break or a blank in it is refused before anything is sent', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 200, list));
  assert.match(messageOf(await check(server, 'sk-1\nsk-2')), /one line/);
  assert.match(messageOf(await check(server, 'sk 1')), /blank/);
  assert.match(messageOf(await check(server, 'sk-ü')), /character/);
  assert.deepEqual(server.requests, []);
  assert.equal(faultOfKey('  sk-1 \n'), null);
});

test('a server that cannot list its models may be used all the same', async (t) => {
  const missing = await serve(t, (_request, response) => json(response, 404, { error: 'not found' }));
  assert.match(messageOf(await check(missing, 'k')), /cannot list its models \(404\)/);
  assert.equal((await check(missing, 'k')).kind, 'unproven');
  const page = await serve(t, (_request, response) => { response.writeHead(200, { 'content-type': 'text/html' }); response.end('<h1>Hello</h1>'); });
  assert.equal((await check(page, 'k')).kind, 'unproven');
  const other = await serve(t, (_request, response) => json(response, 200, { hello: 1 }));
  assert.equal((await check(other, 'k')).kind, 'unproven');
});

test('a redirect is not followed: the key stays here', async (t) => {
  const other = await serve(t, (_request, response) => json(response, 200, list));
  const server = await serve(t, (_request, response) => { response.writeHead(302, { location: `${other.baseUrl}/models` }); response.end(); });
  assert.match(messageOf(await check(server, 'k')), /another address \(302\)/);
  assert.deepEqual(other.requests, []);
});

test('an error of the server, and no server, say nothing about the key', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 500, { error: { message: 'out of order k-1' } }));
  const result = await check(server, 'k-1');
  assert.equal(result.kind, 'failed');
  assert.match(messageOf(result), /answered 500: out of order …/);
  const gone = await startModelServer(scriptOf([]));
  await gone.close();
  const nothing = await check(gone, 'k-1');
  assert.equal(nothing.kind, 'failed');
  assert.match(messageOf(nothing), /Nothing answers at .* \(ECONNREFUSED\)/);
});

test('a silent server is not waited for for ever, and a stop counts at once', async (t) => {
  const server = await serve(t, () => {});
  const late = checkKey({ protocol: 'openai-chat', baseUrl: server.baseUrl }, 'k', { timer: (_ms, fire) => { setImmediate(fire); return () => {}; }, signal: new AbortController().signal });
  assert.match(messageOf(await late), /gave no answer for 20 s/);
  const stop = new AbortController();
  const stopped = check(server, 'k', 'openai-chat', stop.signal);
  stop.abort();
  assert.deepEqual(await stopped, { kind: 'stopped' });
});

test('an endless list is given up', async (t) => {
  const server = await serve(t, (_request, response) => {
    const more = (): void => { if (response.write('x'.repeat(1024 * 1024))) setImmediate(more); else response.once('drain', more); };
    more();
  });
  assert.notEqual((await check(server, 'k')).kind, 'works');
});
