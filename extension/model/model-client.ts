import type { ToolSchema } from '../boundary/tool-definition.ts';

/** A conversation as a model reads it. Plain JSON; nothing here can be executed. */
export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

/** A tool call as the model wrote it: `arguments` is its raw text. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSchema[];
}

export interface TokenUsage {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal';

/** What streams back, plain JSON. A stream ends with exactly one `finished` or `failed`. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  /** A call has begun; its arguments are still arriving and prove nothing. */
  | { readonly type: 'call-started'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'call-arguments'; readonly index: number; readonly text: string }
  /** `calls` are complete as far as the provider says; with `length`, the last may be cut and none is executed. */
  | { readonly type: 'finished'; readonly reason: FinishReason; readonly calls: readonly ModelCall[]; readonly usage: TokenUsage | null }
  | { readonly type: 'failed'; readonly failure: ModelFailure };

export type ModelFailureKind =
  | 'key' // refused or missing: 401, 403
  | 'not-found' // no such model or address: 404
  | 'busy' // 429
  | 'server' // 5xx
  | 'network' // could not connect, reset
  | 'broken-stream' // ended before it said that it had finished
  | 'bad-request' // 400, 413, 422
  | 'protocol' // an answer that is not the protocol's
  | 'aborted';

export interface ModelFailure {
  readonly kind: ModelFailureKind;
  /** For a person, with what to do next. Never holds the key. */
  readonly message: string;
  readonly retryable: boolean;
  /** From Retry-After, if the server said. */
  readonly retryAfterMs?: number;
  readonly status?: number;
}

/** One provider's protocol. Must not throw: it encodes failures in the stream. Does not retry: waits are the loop's, and shown. */
export interface ModelClient {
  /** As shown to the person: `gpt-5 · api.openai.com`. */
  readonly label: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** The body that `stream` would send, byte for byte. */
  bodyOf(request: ModelRequest): string;
}
