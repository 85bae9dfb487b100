import type { CallEvent, CallOutcome, IncomingCall, Origin } from '../boundary/call.ts';

export interface StepContext {
  readonly origin: Origin;
  readonly signal: AbortSignal;
  readonly onEvent: (event: CallEvent) => void;
}

/** Runs the calls of one step. Never throws; gives one outcome a call, in order. */
export interface Pipeline {
  runStep(calls: readonly IncomingCall[], context: StepContext): Promise<readonly CallOutcome[]>;
}
