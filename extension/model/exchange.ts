import { readErrorLine, type ServerError } from './error-body.ts';
import type { ModelEvent, ModelFailure } from './model-client.ts';
import {
  brokenStream, failureInStream, failureOfConnection, failureOfProtocol, failureOfSilence, type FailureContext, type ProtocolWords,
} from './provider-failures.ts';
import { watchResponse, type ResponseWatch, type Timer, type WatchLimits } from './response-watch.ts';
import { readKey, readServerAddress } from './server-address.ts';
import { openStream } from './stream-connection.ts';

/** What every client of a server is given. */
export interface ServerOptions {
  /** Up to and with the version: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** undefined where the server needs none. */
  readonly key: () => Promise<string | undefined>;
  readonly timer: Timer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly watchLimits?: WatchLimits;
}

/** One protocol's reading of an answer, data line by data line. Must not throw. */
export interface AnswerReader {
  /** One parsed data line with its event name ('' where none): its events, or what is wrong with it. */
  take(name: string, value: unknown): Taken;
  /** The server has said why it finished: only the tail is waited for. */
  readonly ended: boolean;
  finished(): Extract<ModelEvent, { type: 'finished' }>;
}

export type Taken =
  | readonly ModelEvent[]
  /** A limit that the answer broke, in words. */
  | { readonly broken: string }
  /** An error of the server's inside the stream. */
  | { readonly refused: ServerError }
  /** Why the line is none of the protocol's, in words. */
  | { readonly notProtocol: string };

/** An SDK's parser of server-sent events. */
export interface EventParser {
  /** Each data line, parsed. Throws a `SyntaxError` for one that is no JSON; ends quietly where the controller aborts. */
  read(response: Response, controller: AbortController): AsyncIterable<{ readonly name: string; readonly value: unknown }>;
}

export interface ExchangeRequest extends ServerOptions {
  /** Appended to the address; may have a query: `/models/x:stream?alt=sse`. */
  readonly path: string;
  /** Beside the content type and what is accepted. `host` is the server's, with its port. */
  readonly headers: (key: string | undefined, host: string) => Readonly<Record<string, string>>;
  readonly body: () => string;
  readonly reader: AnswerReader;
  /** Loads the SDK's parser. */
  readonly parser: () => Promise<EventParser>;
  readonly words: ProtocolWords;
  /** `[DONE]` alone ends an answer too, even where no reason was given. */
  readonly doneEnds?: boolean;
}

interface Exchange {
  readonly request: ExchangeRequest;
  readonly url: string;
  readonly host: string;
  readonly parser: EventParser;
  readonly context: FailureContext;
  readonly watch: ResponseWatch;
  readonly signal: AbortSignal;
}

/** One request whose answer streams as server-sent events. Never throws; ends with exactly one `finished` or `failed`. */
export async function* streamAnswer(request: ExchangeRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
  if (signal.aborted) return yield failed(aborted);
  const address = readServerAddress(request.baseUrl);
  if ('failure' in address) return yield failed(address.failure);
  if (request.model.trim() === '') return yield failed(noModel);
  let key: string | undefined;
  let parser: EventParser;
  try {
    const [stored, loaded] = await Promise.all([request.key(), request.parser()]);
    const read = readKey(stored);
    if ('failure' in read) return yield failed(read.failure);
    key = read.key;
    parser = loaded;
  } catch (error) {
    return yield failed(notReady(error));
  }
  const context: FailureContext = { url: address.url, model: request.model, words: request.words, key, now: request.now };
  const watch = watchResponse(request.timer, request.watchLimits);
  const url = withQuery(`${address.url}${request.path}`, address.query);
  yield* answerOf({ request, url, host: address.host, parser, context, watch, signal });
}

async function* answerOf(exchange: Exchange): AsyncGenerator<ModelEvent, void, void> {
  const { request, watch, context, signal } = exchange;
  const { reader } = request;
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  // It may have fired while the key was read.
  if (signal.aborted) abort();
  let any = false;
  let complete = false;
  try {
    const sent = { url: exchange.url, headers: request.headers(context.key, exchange.host), body: request.body() };
    const opened = await openStream(sent, context, watch, controller);
    if ('failure' in opened) return yield failed(opened.failure);
    for await (const { name, value } of exchange.parser.read(opened.response, controller)) {
      const error = readErrorLine(name, value);
      const taken = error === null ? reader.take(name, value) : { refused: error };
      if ('refused' in taken) return yield failed(failureInStream(taken.refused, context));
      if ('notProtocol' in taken) return yield failed(failureOfProtocol(taken.notProtocol, watch.head, context));
      any = true;
      if ('broken' in taken) return yield failed(failureOfProtocol(taken.broken, '', context));
      yield* taken;
      if (reader.ended) watch.expectEnd();
    }
    complete = true;
    yield ending(exchange, any);
  } catch (error) {
    complete = true;
    yield endingAfter(error, exchange);
  } finally {
    signal.removeEventListener('abort', abort);
    // Left early, by us or by whoever reads the events: the server need not go on.
    if (!complete) controller.abort();
  }
}

/** The stream ended by itself. */
function ending({ request, watch, context, signal }: Exchange, any: boolean): ModelEvent {
  if (request.reader.ended) return request.reader.finished();
  if (signal.aborted) return failed(aborted);
  if (watch.done && any && request.doneEnds === true) return request.reader.finished();
  // The SDK ends quietly where the connection was given up.
  if (watch.fault !== null) return failed(failureOfFault(watch, context));
  const isEventStream = /^(data|event|id|retry)?:/.test(watch.head.trimStart());
  if (!any && watch.head.trim() !== '' && !isEventStream) return failed(failureOfProtocol('the answer is no event stream', watch.head, context));
  return failed(brokenStream());
}

function endingAfter(error: unknown, { request, watch, context, signal }: Exchange): ModelEvent {
  if (request.reader.ended) return request.reader.finished();
  if (signal.aborted) return failed(aborted);
  if (watch.fault !== null) return failed(failureOfFault(watch, context));
  if (error instanceof SyntaxError) return failed(watch.torn ? brokenStream() : failureOfProtocol('a data line is no JSON', watch.head, context));
  return failed(watch.answered ? brokenStream() : failureOfConnection(error, context));
}

function failureOfFault(watch: ResponseWatch, context: FailureContext): ModelFailure {
  const { fault } = watch;
  if (fault === null) return brokenStream();
  switch (fault.kind) {
    case 'idle': return failureOfSilence(fault.ms, watch.answered, context);
    case 'too-long': return failureOfProtocol(fault.what, '', context);
  }
}

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

function failed(failure: ModelFailure): ModelEvent {
  return { type: 'failed', failure };
}

const aborted: ModelFailure = { kind: 'aborted', retryable: false, message: 'The request was stopped.' };
const noModel: ModelFailure = { kind: 'bad-request', retryable: false, message: 'No model is set. Set its name in the settings, as its server knows it.' };

function notReady(error: unknown): ModelFailure {
  const why = error instanceof Error ? error.message : String(error);
  const message = `The key could not be read, or the model client not be loaded (${why}). Set the key again, or reload the window.`;
  return { kind: 'key', retryable: false, message };
}
