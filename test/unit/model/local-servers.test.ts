import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { findLocalServers, localAddresses, type LocalServer } from '../../../extension/model/local-servers.ts';
import { say } from '../../model-server/replies.ts';
import { scriptOf, startModelServer } from '../../model-server/server.ts';
import { realTimer } from './clients.ts';

const find = (baseUrls: readonly string[], timer = realTimer): Promise<readonly LocalServer[]> =>
  findLocalServers({ timer, signal: new AbortController().signal }, baseUrls.map((baseUrl) => ({ name: 'It', baseUrl })));

async function serve(t: TestContext, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => { server.closeAllConnections(); server.close(); });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/v1`;
}

test('a model server is found with its models, and where nothing listens nothing is', async (t) => {
  const server = await startModelServer(scriptOf([say('')]), { models: ['qwen3', 'nomic-embed-text'] });
  t.after(() => server.close());
  const gone = await startModelServer(scriptOf([]));
  await gone.close();
  assert.deepEqual(await find([gone.baseUrl, server.baseUrl]), [{ name: 'It', baseUrl: server.baseUrl, models: ['qwen3'] }]);
});

test('one that wants a key is found without its models', async (t) => {
  const server = await startModelServer(scriptOf([say('')]), { key: 'k' });
  t.after(() => server.close());
  assert.deepEqual(await find([server.baseUrl]), [{ name: 'It', baseUrl: server.baseUrl, models: [] }]);
});

test('another server at that address is passed over', async (t) => {
  const page = await serve(t, (response) => { response.writeHead(200, { 'content-type': 'text/html' }); response.end('<h1>My site</h1>'); });
  const missing = await serve(t, (response) => { response.writeHead(404); response.end(); });
  assert.deepEqual(await find([page, missing]), []);
});

test('one that does not answer is not waited for', async (t) => {
  const silent = await serve(t, () => {});
  assert.deepEqual(await find([silent], (_ms, fire) => { setImmediate(fire); return () => {}; }), []);
});

test('only this machine is asked', () => {
  for (const { baseUrl } of localAddresses) assert.equal(new URL(baseUrl).hostname, '127.0.0.1');
});
