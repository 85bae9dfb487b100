import type { Ask } from './ask.ts';
import type { Effect } from './effect.ts';
import type { CallResult } from './result.ts';
import type { Approval, Verdict } from './verdict.ts';

/** Our own key of a call, unique in a session: models repeat their ids. */
export type CallKey = string;
/** Who wants the call. It never decides anything by itself; rules do. */
export type Origin = 'model' | 'person';

/** A proposal before `receive`: whatever came from the model, text as far as one can tell. */
export interface IncomingCall {
  readonly call: CallKey;
  /** The id on the wire. */
  readonly id: string;
  readonly name: string;
  /** The raw text of the arguments. */
  readonly arguments: string;
  /** True where the provider said that its output was cut off: such a call is never executed. */
  readonly cutOff?: boolean;
  /** True for a second proposal with one id in a step. */
  readonly duplicate?: boolean;
}

/** What became of one call. */
export interface CallOutcome {
  readonly call: CallKey;
  readonly id: string;
  readonly name: string;
  readonly verdict: Verdict | null;
  readonly effects: readonly Effect[];
  readonly claims: readonly Effect[];
  readonly approval: Approval | null;
  /** null only in a dry run, for a call that would run. */
  readonly result: CallResult | null;
}

/** How far a call is; for the view, never for a decision. */
export type CallEvent =
  | { readonly type: 'received'; readonly call: CallKey; readonly name: string }
  | { readonly type: 'asking'; readonly call: CallKey; readonly ask: Ask }
  | { readonly type: 'running'; readonly call: CallKey }
  | { readonly type: 'progress'; readonly call: CallKey; readonly text: string }
  | { readonly type: 'settled'; readonly outcome: CallOutcome };
