import { chatBodyOf, type ChatBody } from './openai-body.ts';
import { readChunk } from './openai-chunk.ts';
import { createAnswerAssembly, type AnswerAssembly, type AnswerLimits } from './answer-assembly.ts';
import type { ModelClient, ModelEvent, ModelFailure } from './model-client.ts';
import { brokenStream, failureInStream, failureOfConnection, failureOfProtocol, failureOfSilence, failureOfStatus, type FailureContext } from './provider-failures.ts';
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
  return {
    label,
    bodyOf: (request) => JSON.stringify(chatBodyOf(model, request)),
    async *stream(request, signal) {
      if (signal.aborted) return yield failed(aborted);
      const address = readServerAddress(options.baseUrl);
      if ('failure' in address) return yield failed(address.failure);
      if (model.trim() === '') return yield failed({ kind: 'bad-request', retryable: false, message: 'No model is set. Set its name in the settings, as its server knows it.' });
      let key: string | undefined;
      let sdk: Sdk;
      try {
        const [stored, loaded] = await Promise.all([options.key(), loadSdk()]);
        const read = readKey(stored);
        if ('failure' in read) return yield failed(read.failure);
        key = read.key;
        sdk = loaded;
      } catch (error) {
        return yield failed({ kind: 'key', retryable: false, message: `The key could not be read, or the model client not be loaded (${messageOf(error)}). Set the key again, or reload the window.` });
      }
      const context: FailureContext = { url: address.url, model, key, now: options.now };
      const watch = watchResponse(options.timer, options.watchLimits);
      const assembly = createAnswerAssembly(options.answerLimits);
      yield* answerOf({ sdk, context, watch, assembly, body: chatBodyOf(model, request), signal });
    },
  };
}

interface Exchange {
  readonly sdk: Sdk;
  readonly context: FailureContext;
  readonly watch: ResponseWatch;
  readonly assembly: AnswerAssembly;
  readonly body: ChatBody;
  readonly signal: AbortSignal;
}

async function* answerOf(exchange: Exchange): AsyncGenerator<ModelEvent> {
  const { watch, assembly, context, signal } = exchange;
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  let any = false;
  let complete = false;
  try {
    for await (const value of await openStream(exchange, controller)) {
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

/** The SDK makes the request and parses the stream. What is sent is ours: no header of its own, no redirect, no retry, no environment variable. */
async function openStream({ sdk, context, watch, body }: Exchange, controller: AbortController): Promise<AsyncIterable<unknown>> {
  const client = new sdk.OpenAI({
    // It insists on a key; the real one is put in below.
    apiKey: 'none', adminAPIKey: null, organization: null, project: null, webhookSecret: null,
    baseURL: context.url, maxRetries: 0, timeout: 2 ** 31 - 1, logLevel: 'off',
    fetch: (url, init) => watch.fetch(url instanceof Request ? url.url : url.toString(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(context.key === undefined ? {} : { authorization: `Bearer ${context.key}` }),
      },
      body: init?.body ?? null,
      signal: init?.signal ?? null,
      redirect: 'manual',
    }, () => controller.abort()),
  });
  return client.post<AsyncIterable<unknown>>('/chat/completions', { body, stream: true, signal: controller.signal });
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
  if (error instanceof sdk.APIUserAbortError) return failed(aborted);
  if (error instanceof sdk.APIConnectionError) return failed(failureOfConnection(causesOf(error.cause), context));
  if (error instanceof sdk.APIError) {
    const { status } = error;
    const refusal = { detail: detailOf(error), code: textOf(error.code) || textOf(error.type) };
    if (typeof status !== 'number') return failed(failureInStream(refusal, context));
    return failed(failureOfStatus({ ...refusal, status, header: (name) => error.headers?.get(name) ?? null }, context));
  }
  if (error instanceof SyntaxError) return failed(watch.torn ? brokenStream() : failureOfProtocol('a data line is no JSON', watch.head, context));
  return failed(watch.answered ? brokenStream() : failureOfConnection(causesOf(error), context));
}

function failureOfFault(watch: ResponseWatch, context: FailureContext): ModelFailure {
  const { fault } = watch;
  if (fault === null) return brokenStream();
  switch (fault.kind) {
    case 'idle': return failureOfSilence(fault.ms, watch.answered, context);
    case 'too-long': return failureOfProtocol(fault.what, '', context);
  }
}

/** The server's own words, without the status that the SDK puts before them; of a page, its text. */
function detailOf(error: Error & { readonly status?: unknown; readonly error?: unknown }): string {
  const body = error.error;
  if (typeof body === 'string') return body;
  if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string') return body.message;
  const message = error.message.replace(/^\d{3} /, '');
  return message === 'status code (no body)' ? '' : message.replace(/<(style|script)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
}

function causesOf(error: unknown): readonly string[] {
  const causes: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = 'code' in at ? textOf(at.code) : '';
    causes.push(code === '' || at.message.includes(code) ? at.message : `${code} ${at.message}`);
    // Several addresses were tried: what failed stands in each attempt.
    if (at instanceof AggregateError) causes.push(...at.errors.slice(0, 4).map(messageOf));
  }
  return causes.filter((text) => text !== '');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function failed(failure: ModelFailure): ModelEvent {
  return { type: 'failed', failure };
}

const aborted: ModelFailure = { kind: 'aborted', retryable: false, message: 'The request was stopped.' };
