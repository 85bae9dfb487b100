/** What the scripted server can do with one request: plain data. */
export type Reply = Answer | HttpError | Raw | Silence;

/** An answer in the protocol of chat completions; with `cutAfter`, `holdAfter` and the like, one that goes wrong on its way. */
export interface Answer {
  readonly kind: 'answer';
  /** Several strings are several chunks. */
  readonly text?: string | readonly string[];
  /** Sent as `reasoning_content` before the text, as some servers do. */
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** By default `tool_calls` where there are calls, else `stop`. null: the chunk with the reason is left out. */
  readonly finish?: string | null;
  /** False: the stream ends without `[DONE]`. */
  readonly done?: boolean;
  /** null: the server tells none. */
  readonly usage?: { readonly input: number; readonly cachedInput?: number; readonly output: number } | null;
  /** Between two chunks, in milliseconds. */
  readonly delayMs?: number;
  /** The connection is destroyed once that many chunks were written. */
  readonly cutAfter?: number;
  /** Waits at that chunk until the promise resolves. */
  readonly holdAfter?: { readonly chunks: number; readonly until: Promise<void> };
  /** Stays silent, and open, once that many chunks were written. */
  readonly silentAfter?: number;
  /** A comment line before each chunk, as proxies send them to keep a connection open. */
  readonly pings?: boolean;
  /** Written before each chunk: an event that nobody knows, say. */
  readonly noise?: string;
  /** Writes the bytes in pieces of this size: with 1, every character beyond ASCII is split. */
  readonly splitBytes?: number;
}

export interface ScriptedCall {
  /** null: the server sends none. By default `call_1`, `call_2`, … within each answer: models repeat their ids. */
  readonly id?: string | null;
  readonly name: string;
  /** A string is sent as it is, whatever it holds. */
  readonly arguments: string | object;
  /** In how many deltas the arguments arrive; 0: in the same delta as the name, as some servers do. By default 3. */
  readonly fragments?: number;
  /** null: deltas without an index, as some servers send them. */
  readonly index?: number | null;
}

export interface HttpError {
  readonly kind: 'error';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is (an HTML page, say); by default an error object as OpenAI words it. */
  readonly body?: string | object;
}

/** A body written as it is, piece by piece. */
export interface Raw {
  readonly kind: 'raw';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pieces: readonly (string | Uint8Array)[];
  /** Written after them, over and over, until the client has gone. */
  readonly endless?: string;
  /** What happens after the last piece; by default `end`. */
  readonly then?: 'end' | 'cut' | 'silence';
}

/** Accepts the request and never answers. */
export interface Silence {
  readonly kind: 'silence';
}

export const say = (text: string | readonly string[]): Answer => ({ kind: 'answer', text });

export const call = (name: string, args: string | object, id?: string): ScriptedCall =>
  id === undefined ? { name, arguments: args } : { name, arguments: args, id };

/** One step that proposes these calls, all at once. */
export const propose = (...calls: readonly ScriptedCall[]): Answer => ({ kind: 'answer', calls });

export const httpError = (status: number, headers: Readonly<Record<string, string>> = {}): HttpError => ({ kind: 'error', status, headers });

/** A gate for `holdAfter`. */
export function hold(): { readonly until: Promise<void>; readonly release: () => void } {
  let release = (): void => {};
  const until = new Promise<void>((resolve) => { release = resolve; });
  return { until, release };
}
