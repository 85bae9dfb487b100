import { once } from 'node:events';
import { createServer } from 'node:http';

export interface ListingServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** A model server that lists its models, to those who have the key where there is one, and answers nothing else. */
export async function listModels(models: readonly string[], key?: string): Promise<ListingServer> {
  const server = createServer((request, response) => {
    const isKnown = key === undefined || request.headers.authorization === `Bearer ${key}`;
    response.writeHead(!isKnown ? 401 : request.url === '/v1/models' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? { object: 'list', data: models.map((id) => ({ id, object: 'model' })) } : { error: { message: 'Incorrect API key provided.' } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
