import type { Digest, Effect, Observation } from '../boundary/effect.ts';
import type { CallResult } from '../boundary/result.ts';
import type { Approval, Verdict } from '../boundary/verdict.ts';
import type { AskContent } from '../boundary/ask.ts';
import type { CallKey } from '../boundary/call.ts';
import type { Carried, ImageRef, ModelFailureKind, TokenUsage } from '../model/model-client.ts';

/** The log's format. A reader that does not know a version or a type refuses the file and leaves it as it is. */
export const logVersion = 1;

export type TurnEnd = 'answered' | 'stopped' | 'step-limit' | 'failed' | 'interrupted';

/** Why a turn failed. */
export type TurnFailureKind = ModelFailureKind
  | 'no-model' // none is set up
  | 'cut-off' // the token limit, again and again
  | 'refusal' // the provider's filter
  | 'log' // the session log cannot be written: nothing runs
  | 'internal'; // a fault of ours

/** What a session log holds, one JSON value a line. The transcript and the model's history are derived from nothing else. */
export type LogEvent =
  | { readonly type: 'session'; readonly version: number; readonly sessionId: string; readonly roots: readonly string[] }
  /** `id` is the one that it had while it waited. */
  | { readonly type: 'user'; readonly turn: string; readonly text: string; readonly images?: readonly LoggedImage[]; readonly id?: string }
  /** What the model said in one step, once its stream had finished; `calls` are its proposals in its order. */
  | { readonly type: 'assistant'; readonly turn: string; readonly step: number; readonly text: string; readonly finish: 'stop' | 'tool-calls' | 'length' | 'refusal'; readonly calls: readonly LoggedProposal[]; readonly thinking?: string; readonly usage?: TokenUsage; readonly carried?: readonly Carried[] }
  /** A call that the person asked for: a call asked again (`of` says which), or an undo. The model is told of it with the next request. */
  | { readonly type: 'person-call'; readonly proposal: LoggedProposal; readonly of: CallKey | null }
  /** From here on the results of these calls are left out of requests: the model is told how to read them again. They stay in the log. */
  | { readonly type: 'folded'; readonly turn: string; readonly calls: readonly CallKey[] }
  /** From here on requests tell the first `through` events of the log by this text. */
  | { readonly type: 'summarised'; readonly turn: string; readonly through: number; readonly text: string }
  | { readonly type: 'asked'; readonly call: CallKey; readonly digest: Digest; readonly verdict: Verdict; readonly content: AskContent }
  | { readonly type: 'decided'; readonly call: CallKey; readonly digest: Digest; readonly approval: Approval; readonly reason: string }
  /** Written before the body runs: from here on the outcome of a crash is unknown. */
  | { readonly type: 'started'; readonly call: CallKey; readonly digest: Digest; readonly revision: string; readonly decidedBy: string; readonly effects: readonly Effect[] }
  | { readonly type: 'settled'; readonly call: CallKey; readonly verdict: Verdict | null; readonly approval: Approval | null; readonly result: CallResult; readonly observed: readonly Observation[] }
  | { readonly type: 'turn-ended'; readonly turn: string; readonly end: TurnEnd; readonly message: string; readonly kind?: TurnFailureKind };

/** An image of the person's. Its bytes lie in the object store, by their digest. */
export interface LoggedImage extends ImageRef {
  /** Of the whole image. */
  readonly bytes: number;
  /** A small picture for the chat, as a `data:` address. */
  readonly thumbnail: string;
}

export interface LoggedProposal {
  readonly call: CallKey;
  /** The model's own id, made unique for the wire. */
  readonly id: string;
  readonly name: string;
  /** Raw, as the model wrote it; cut to the size cap where it was refused for its size. */
  readonly arguments: string;
}

export type LogEventOf<T extends LogEvent['type']> = Extract<LogEvent, { type: T }>;

/** One line of the file: numbered without gaps from 1, chained to the line before it. */
export interface LogRecord {
  readonly n: number;
  /** Milliseconds since 1970, for people. */
  readonly at: number;
  readonly event: LogEvent;
  readonly prev: string;
  readonly hash: string;
}

/** Where a session's events go. */
export interface SessionLog {
  /** Appends and is durable against the end of the process when it returns. Throws LOG_UNAVAILABLE. */
  append(event: LogEvent): LogRecord;
  readonly events: readonly LogEvent[];
  /** Called after each append, in order. Returns what removes the listener. */
  onAppend(listener: (event: LogEvent) => void): () => void;
}
