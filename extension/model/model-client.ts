import type { Digest } from '../boundary/effect.ts';
import type { Json } from '../boundary/json.ts';
import type { ToolSchema } from '../boundary/tool-definition.ts';

/** A conversation as a model reads it. Plain JSON; nothing here can be executed. */
export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly ImageRef[] }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelCall[]; readonly carried?: readonly Carried[] }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** An image of the person's, by the digest of its bytes; the request holds them beside its messages. */
export interface ImageRef {
  readonly digest: Digest;
  readonly mediaType: ImageType;
}

/**
 * State of a provider's that it wants back as it gave it: signed thinking, encrypted reasoning. Opaque to us; a client sends back only what
 * has its own format, and never shows it.
 */
export interface Carried {
  /** The client that wrote it, and the model: `anthropic:claude-x`. */
  readonly format: string;
  readonly data: Json;
}

/** A tool call as the model wrote it: `arguments` is its raw text. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSchema[];
  /** Base64 of the images that messages refer to, by digest. One that is missing is told as missing. */
  readonly images?: ReadonlyMap<Digest, string>;
}

export interface TokenUsage {
  /** All tokens that were read, from a cache or not. */
  readonly input: number;
  /** Those of them that came from the provider's cache. */
  readonly cachedInput: number;
  readonly output: number;
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'refusal';

/** What streams back, plain JSON. A stream ends with exactly one `finished` or `failed`. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  /** Of the model's thinking, as far as the provider shows it. For the person; never part of a later request as text. */
  | { readonly type: 'thinking'; readonly text: string }
  /** A call has begun; its arguments are still arriving and prove nothing. */
  | { readonly type: 'call-started'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'call-arguments'; readonly index: number; readonly text: string }
  /** `calls` are complete as far as the provider says; with `length`, the last may be cut and none is executed. */
  | { readonly type: 'finished'; readonly reason: FinishReason; readonly calls: readonly ModelCall[]; readonly usage: TokenUsage | null; readonly carried?: readonly Carried[] }
  | { readonly type: 'failed'; readonly failure: ModelFailure };

export type ModelFailureKind =
  | 'key' // refused or missing: 401, 403
  | 'not-found' // no such model or address: 404
  | 'busy' // 429
  | 'server' // 5xx
  | 'network' // could not connect, reset
  | 'broken-stream' // ended before it said that it had finished
  | 'bad-request' // 400, 422
  | 'too-long' // the conversation is longer than the model or the server takes: its context, 413
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

/** What a model can do, as far as the table of capabilities or the person's settings say. */
export interface ModelCapabilities {
  readonly images: boolean;
  /** Several calls in one answer. */
  readonly parallelCalls: boolean;
  readonly thinking: boolean;
  /** Tokens that a request and its answer may have together. */
  readonly contextTokens: number;
  /** Tokens that one answer may have. */
  readonly outputTokens: number;
}

/** One provider's protocol. Must not throw: it encodes failures in the stream. Does not retry: waits are the loop's, and shown. */
export interface ModelClient {
  /** As shown to the person: `gpt-5 · api.openai.com`. */
  readonly label: string;
  readonly capabilities: ModelCapabilities;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** The body that `stream` would send, byte for byte. */
  bodyOf(request: ModelRequest): string;
}
