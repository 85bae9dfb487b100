import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { say, type Answer, type HttpError, type Raw, type Reply } from './replies.ts';

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

/** What one protocol's server does that another's does not. */
export interface Wire {
  /** Where the addresses begin: `/v1`. */
  readonly base: string;
  /** The path of a request for an answer, after the base; its query counts. */
  isAnswerPath(path: string): boolean;
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  readonly wrongKey: HttpError;
  /** The body of `GET /models`. */
  modelList(models: readonly string[]): object;
  /** An error as the real server words it. */
  errorBody(status: number, message: string): object;
  /** Why the real server would refuse this request; null where it would not. */
  refusalOf(request: ReceivedRequest): HttpError | null;
  /** The events of an answer, each with its empty line. */
  eventsOf(answer: Answer, request: ReceivedRequest): Iterable<string>;
  /** What keeps a connection open. */
  readonly ping: string;
}

/** Says what becomes of the nth chat request, counted from 0. */
export type Script = (request: ReceivedRequest, n: number) => Reply | Promise<Reply>;

export interface ModelServerOptions {
  /** The only key that is accepted; without it none is looked at. */
  readonly key?: string;
  readonly models?: readonly string[];
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT/v1`, by the protocol. */
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

/** A model server on 127.0.0.1 that speaks one protocol and does what its script says. */
export async function startServer(wire: Wire, script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
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
    if (options.key !== undefined && wire.keyOf(received.headers) !== options.key) return sendError(response, wire.wrongKey, wire);
    if (received.method === 'GET' && received.path.split('?')[0] === `${wire.base}/models`) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(wire.modelList(models)));
      return;
    }
    if (received.method !== 'POST' || !received.path.startsWith(wire.base) || !wire.isAnswerPath(received.path.slice(wire.base.length))) {
      return sendError(response, { kind: 'error', status: 404, body: wire.errorBody(404, `Unknown request URL: ${received.method} ${received.path}.`) }, wire);
    }
    const reply = await current(received, count++);
    switch (reply.kind) {
      case 'answer': {
        const refusal = wire.refusalOf(received);
        return refusal === null ? sendAnswer(response, reply, received, wire) : sendError(response, refusal, wire);
      }
      case 'error': return sendError(response, reply, wire);
      case 'raw': return sendRaw(response, reply);
      case 'silence': return;
    }
  }

  // A machine under load takes longer than the default between two requests.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The model server has no port.');
  return {
    baseUrl: `http://127.0.0.1:${address.port}${wire.base}`,
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

async function sendAnswer(response: ServerResponse, answer: Answer, request: ReceivedRequest, wire: Wire): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  response.flushHeaders();
  let sent = 0;
  for (const event of wire.eventsOf(answer, request)) {
    if (sent === answer.cutAfter) return cut(response);
    if (sent === answer.silentAfter) return;
    if (sent === answer.holdAfter?.chunks) await answer.holdAfter.until;
    if (sent > 0 && answer.delayMs !== undefined) await delay(answer.delayMs);
    if (response.destroyed) return;
    if (answer.pings === true) await write(response, wire.ping, undefined);
    if (answer.noise !== undefined) await write(response, answer.noise, undefined);
    await write(response, event, answer.splitBytes);
    sent++;
  }
  response.end();
}

function sendError(response: ServerResponse, error: HttpError, wire: Wire): void {
  const body = error.body ?? wire.errorBody(error.status, `Scripted error ${error.status}.`);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(error.status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json', ...error.headers });
  response.end(text);
}

async function sendRaw(response: ServerResponse, raw: Raw): Promise<void> {
  response.writeHead(raw.status ?? 200, { 'content-type': 'text/event-stream', ...raw.headers });
  for (const piece of raw.pieces) await write(response, piece, undefined);
  while (raw.endless !== undefined && !response.destroyed) {
    await write(response, raw.endless, undefined);
    // The client's leaving is seen between two turns of the loop.
    await delay(0);
  }
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
