import type { CallEvent, IncomingCall, Origin } from '../boundary/call.ts';
import type { CallResult } from '../boundary/result.ts';
import type { Pipeline } from '../pipeline/step.ts';
import type { SessionLog } from '../session/records.ts';

export interface CallRun {
  readonly origin: Origin;
  readonly signal: AbortSignal;
  readonly onEvent: (event: CallEvent) => void;
}

/**
 * Runs calls that stand in the log, and sees to it that each has its result there, whatever became of the pipeline: a
 * call without one would make every later request of the session invalid. Throws where the log cannot be written.
 */
export async function runLoggedCalls(pipeline: Pipeline, log: SessionLog, calls: readonly IncomingCall[], run: CallRun): Promise<void> {
  const from = log.events.length;
  try {
    const outcomes = await pipeline.runStep(calls, run);
    const results = new Map(outcomes.map((outcome) => [outcome.call, outcome]));
    settleRest(log, from, calls, (call) => results.get(call)?.result ?? unknownOutcome('The pipeline gave no result.'));
  } catch (error) {
    settleRest(log, from, calls, () => unknownOutcome(error instanceof Error ? error.message : String(error)));
  }
}

function settleRest(log: SessionLog, from: number, calls: readonly IncomingCall[], resultOf: (call: string) => CallResult): void {
  const settled = new Set(log.events.slice(from).flatMap((event) => (event.type === 'settled' ? [event.call] : [])));
  for (const { call } of calls) {
    if (!settled.has(call)) log.append({ type: 'settled', call, verdict: null, approval: null, result: resultOf(call), observed: [] });
  }
}

function unknownOutcome(why: string): CallResult {
  const message = `TOOL_OUTCOME_UNKNOWN: what became of this call is not known. ${why}`;
  return { isError: true, content: [{ type: 'text', text: message }], error: { code: 'TOOL_OUTCOME_UNKNOWN', message } };
}
