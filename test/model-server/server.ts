import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { dataLinesOf } from './chunks.ts';
import { say, type Answer, type HttpError, type Raw, type Reply } from './replies.ts';

export type { Reply } from './replies.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes of the body, as text. */
  readonly raw: string;
  /** The parsed body; undefined where it is no JSON. */
  readonly body: unknown;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Says what becomes of the nth chat request, counted from 0. */
export type Script = (request: ReceivedRequest, n: number) => Reply | Promise<Reply>;

export interface ModelServerOptions {
  /** The only key that is accepted; without it none is looked at. */
  readonly key?: string;
  readonly models?: readonly string[];
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  /** Every request, of any kind, in order. */
  readonly requests: readonly ReceivedRequest[];
  /** The next chat request is answered by this script, as its request 0. */
  setScript(script: Script): void;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

/** Plays the replies in order; when they are used up, says so, again and again. */
export function scriptOf(replies: readonly Reply[]): Script {
  return (_request, n) => replies[n] ?? say(`The script has no reply for request ${n + 1}; it has ${replies.length}.`);
}

/** A model server on 127.0.0.1 that speaks the streaming protocol of OpenAI's chat completions and does what its script says. */
export async function startModelServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  let current = script;
  let count = 0;
  const models = options.models ?? ['scripted'];

  const server = createServer((request, response) => {
    // A client that goes away is part of what is tested.
    response.on('error', () => {});
    void answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`The script failed: ${String(error)}`);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request);
    requests.push(received);
    if (options.key !== undefined && received.headers.authorization !== `Bearer ${options.key}`) {
      return sendError(response, { kind: 'error', status: 401, body: { error: { message: 'Incorrect API key provided.', type: 'invalid_request_error', param: null, code: 'invalid_api_key' } } });
    }
    if (received.method === 'GET' && received.path === '/v1/models') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model', created: 1_760_000_000, owned_by: 'script' })) }));
      return;
    }
    if (received.method !== 'POST' || received.path !== '/v1/chat/completions') {
      return sendError(response, { kind: 'error', status: 404, body: { error: { message: `Unknown request URL: ${received.method} ${received.path}.`, type: 'invalid_request_error', param: null, code: 'unknown_url' } } });
    }
    const reply = await current(received, count++);
    switch (reply.kind) {
      case 'answer': return sendAnswer(response, reply, received);
      case 'error': return sendError(response, reply);
      case 'raw': return sendRaw(response, reply);
      case 'silence': return;
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The model server has no port.');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    setScript(next) {
      current = next;
      count = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const raw = Buffer.concat(chunks).toString('utf8');
  let body: unknown;
  try {
    body = JSON.parse(raw);
  } catch {
    body = undefined;
  }
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, raw, body, at: Date.now() };
}

async function sendAnswer(response: ServerResponse, answer: Answer, request: ReceivedRequest): Promise<void> {
  const asked = typeof request.body === 'object' && request.body !== null ? request.body : {};
  if (!('stream' in asked) || asked.stream !== true) {
    return sendError(response, { kind: 'error', status: 400, body: { error: { message: 'This server only streams.', type: 'invalid_request_error', param: 'stream', code: null } } });
  }
  const options = 'stream_options' in asked && typeof asked.stream_options === 'object' && asked.stream_options !== null ? asked.stream_options : {};
  const includeUsage = 'include_usage' in options && options.include_usage === true;
  const model = 'model' in asked && typeof asked.model === 'string' ? asked.model : 'scripted';
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.flushHeaders();
  let sent = 0;
  for (const line of dataLinesOf(answer, { id: 'chatcmpl-script', model, includeUsage })) {
    if (sent === answer.cutAfter) return cut(response);
    if (sent === answer.silentAfter) return;
    if (sent === answer.holdAfter?.chunks) await answer.holdAfter.until;
    if (sent > 0 && answer.delayMs !== undefined) await delay(answer.delayMs);
    if (response.destroyed) return;
    if (answer.pings === true) await write(response, ': ping\n\n', undefined);
    await write(response, `data: ${line}\n\n`, answer.splitBytes);
    sent++;
  }
  response.end();
}

function sendError(response: ServerResponse, error: HttpError): void {
  const body = error.body ?? { error: { message: `Scripted error ${error.status}.`, type: 'server_error', param: null, code: null } };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(error.status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json', ...error.headers });
  response.end(text);
}

async function sendRaw(response: ServerResponse, raw: Raw): Promise<void> {
  response.writeHead(raw.status ?? 200, { 'content-type': 'text/event-stream', ...raw.headers });
  for (const piece of raw.pieces) await write(response, piece, undefined);
  switch (raw.then ?? 'end') {
    case 'end': response.end(); return;
    case 'cut': return cut(response);
    case 'silence': return;
  }
}

async function write(response: ServerResponse, data: string | Uint8Array, splitBytes: number | undefined): Promise<void> {
  const bytes = Buffer.from(data);
  const size = splitBytes ?? bytes.length;
  for (let from = 0; from < bytes.length; from += size) {
    if (response.destroyed) return;
    if (!response.write(bytes.subarray(from, from + size))) await roomIn(response);
  }
}

/** Resolves when the client has taken what was written, or has gone. */
function roomIn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

/** What was written leaves first: a connection destroyed at once would take it along. */
async function cut(response: ServerResponse): Promise<void> {
  await delay(20);
  response.destroy();
}
