import { createAnswerAssembly, type AnswerAssembly, type AnswerLimits } from './answer-assembly.ts';
import { openChat, readErrorObject } from './chat-connection.ts';
import type { ModelClient, ModelEvent, ModelFailure, ModelRequest } from './model-client.ts';
import { chatBodyOf } from './openai-body.ts';
import { readChunk } from './openai-chunk.ts';
import {
  brokenStream, failureInStream, failureOfConnection, failureOfProtocol, failureOfSilence, type FailureContext,
} from './provider-failures.ts';
import { watchResponse, type ResponseWatch, type Timer, type WatchLimits } from './response-watch.ts';
import { readKey, readServerAddress } from './server-address.ts';

export interface OpenAIChatOptions {
  /** Up to and with the version: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly label: string;
  /** undefined where the server needs none. */
  readonly key: () => Promise<string | undefined>;
  readonly timer: Timer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly answerLimits?: AnswerLimits;
  readonly watchLimits?: WatchLimits;
}

type Sdk = typeof import('./openai-sdk.ts');

function loadSdk(): Promise<Sdk> {
  return import('./openai-sdk.ts');
}

/** Loads the SDK ahead of the first request. */
export async function warmOpenAIChat(): Promise<void> {
  await loadSdk();
}

/** A client of any server that speaks OpenAI's chat completions. */
export function createOpenAIChat(options: OpenAIChatOptions): ModelClient {
  const { model, label } = options;
  const bodyOf = (request: ModelRequest): string => JSON.stringify(chatBodyOf(model, request));
  return {
    label,
    bodyOf,
    async *stream(request, signal) {
      if (signal.aborted) return yield failed(aborted);
      const address = readServerAddress(options.baseUrl);
      if ('failure' in address) return yield failed(address.failure);
      if (model.trim() === '') return yield failed(noModel);
      let key: string | undefined;
      let sdk: Sdk;
      try {
        const [stored, loaded] = await Promise.all([options.key(), loadSdk()]);
        const read = readKey(stored);
        if ('failure' in read) return yield failed(read.failure);
        key = read.key;
        sdk = loaded;
      } catch (error) {
        return yield failed(notReady(error));
      }
      const context: FailureContext = { url: address.url, model, key, now: options.now };
      const watch = watchResponse(options.timer, options.watchLimits);
      const assembly = createAnswerAssembly(options.answerLimits);
      yield* answerOf({ sdk, context, watch, assembly, body: bodyOf(request), signal });
    },
  };
}

interface Exchange {
  readonly sdk: Sdk;
  readonly context: FailureContext;
  readonly watch: ResponseWatch;
  readonly assembly: AnswerAssembly;
  readonly body: string;
  readonly signal: AbortSignal;
}

async function* answerOf(exchange: Exchange): AsyncGenerator<ModelEvent> {
  const { sdk, watch, assembly, context, signal } = exchange;
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  // It may have fired while the key was read.
  if (signal.aborted) abort();
  let any = false;
  let complete = false;
  try {
    const opened = await openChat(exchange.body, context, watch, controller);
    if ('failure' in opened) return yield failed(opened.failure);
    for await (const value of sdk.Stream.fromSSEResponse<unknown>(opened.response, controller)) {
      const chunk = readChunk(value);
      if (chunk === null) return yield failed(failureOfProtocol('a data line is no chunk of an answer', watch.head, context));
      any = true;
      const events = assembly.take(chunk);
      if ('broken' in events) return yield failed(failureOfProtocol(events.broken, '', context));
      yield* events;
      if (assembly.finish !== null) watch.expectEnd();
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
function ending({ watch, assembly, context, signal }: Exchange, any: boolean): ModelEvent {
  if (assembly.finish === 'error') return failed(failureInStream({ detail: '', code: '' }, context));
  if (assembly.finish !== null) return assembly.finished();
  if (signal.aborted) return failed(aborted);
  if (watch.done && any) return assembly.finished();
  // The SDK ends quietly where the connection was given up.
  if (watch.fault !== null) return failed(failureOfFault(watch, context));
  const isEventStream = /^(data|event|id|retry)?:/.test(watch.head.trimStart());
  if (!any && watch.head.trim() !== '' && !isEventStream) return failed(failureOfProtocol('the answer is no event stream', watch.head, context));
  return failed(brokenStream());
}

function endingAfter(error: unknown, { sdk, watch, assembly, context, signal }: Exchange): ModelEvent {
  if (assembly.finish !== null && assembly.finish !== 'error') return assembly.finished();
  if (signal.aborted) return failed(aborted);
  if (watch.fault !== null) return failed(failureOfFault(watch, context));
  // An error object in the place of a chunk.
  if (error instanceof sdk.APIError) return failed(failureInStream(readErrorObject(error.error), context));
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
