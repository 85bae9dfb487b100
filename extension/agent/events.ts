import type { CallEvent } from '../boundary/call.ts';
import type { ModelFailureKind, TokenUsage } from '../model/model-client.ts';

export type Activity = 'idle' | 'requesting' | 'streaming' | 'waiting' | 'running' | 'stopping';

/** Why a turn could not go on. */
export interface AgentFailure {
  readonly kind: ModelFailureKind
    | 'no-model' // none is set up
    | 'cut-off' // the token limit, again and again
    | 'refusal' // the provider's filter
    | 'log' // the session log cannot be written: nothing runs
    | 'internal'; // a fault of ours
  /** For a person, with what to do next. */
  readonly message: string;
}

/** How far the agent is; plain data, for the view. What is lasting stands in the log. */
export type AgentEvent =
  | { readonly type: 'activity'; readonly activity: Activity; readonly text: string }
  /** Text of an answer that still streams. The log's `assistant` event replaces it, or `draft-dropped` takes it away. */
  | { readonly type: 'draft-text'; readonly turn: string; readonly step: number; readonly text: string }
  /** A call whose arguments still arrive; it proves nothing. */
  | { readonly type: 'draft-call'; readonly turn: string; readonly step: number; readonly index: number; readonly name: string }
  | { readonly type: 'draft-dropped'; readonly turn: string; readonly step: number }
  | { readonly type: 'call'; readonly event: CallEvent }
  | { readonly type: 'usage'; readonly turn: string; readonly step: number; readonly usage: TokenUsage }
  /** `turn` is null where not even the turn could be logged. */
  | { readonly type: 'failed'; readonly turn: string | null; readonly failure: AgentFailure }
  | { readonly type: 'queue'; readonly queued: readonly string[] };
