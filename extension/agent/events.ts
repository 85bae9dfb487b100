import type { CallEvent } from '../boundary/call.ts';
import type { TokenUsage } from '../model/model-client.ts';
import type { QueuedMessage } from '../session/queued-message.ts';
import type { TurnFailureKind } from '../session/records.ts';

export type Activity = 'idle' | 'requesting' | 'streaming' | 'waiting' | 'running' | 'stopping';

/** Why a turn could not go on. */
export interface AgentFailure {
  readonly kind: TurnFailureKind;
  /** For a person, with what to do next. */
  readonly message: string;
}

/** How far the agent is; plain data, for the view. What is lasting stands in the log. */
export type AgentEvent =
  | { readonly type: 'activity'; readonly activity: Activity; readonly text: string }
  /** Text of an answer that still streams. The log's `assistant` event replaces it, or `draft-dropped` takes it away. */
  | { readonly type: 'draft-text'; readonly turn: string; readonly step: number; readonly text: string }
  | { readonly type: 'draft-thinking'; readonly turn: string; readonly step: number; readonly text: string }
  /** A call whose arguments still arrive; it proves nothing. */
  | { readonly type: 'draft-call'; readonly turn: string; readonly step: number; readonly index: number; readonly name: string }
  | { readonly type: 'draft-dropped'; readonly turn: string; readonly step: number }
  | { readonly type: 'call'; readonly event: CallEvent }
  | { readonly type: 'usage'; readonly turn: string; readonly step: number; readonly usage: TokenUsage }
  /** `turn` is null where not even the turn could be logged. */
  | { readonly type: 'failed'; readonly turn: string | null; readonly failure: AgentFailure }
  /** What fills the model's context, by the request that is made. */
  | { readonly type: 'context'; readonly context: ContextUse }
  | { readonly type: 'queue'; readonly queued: readonly QueuedMessage[] };

export type ContextPart = 'instructions' | 'user' | 'assistant' | 'results' | 'images' | 'summary';

/** In tokens, about: counted from characters, and corrected by what the provider last reported. */
export interface ContextUse {
  readonly used: number;
  /** What fits, less what the answer needs. */
  readonly limit: number;
  readonly parts: Readonly<Record<ContextPart, number>>;
  /** Of what the last request read, the share that came from the provider's cache; null where it does not say. */
  readonly cachedShare: number | null;
}
