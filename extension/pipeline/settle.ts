import type { CallOutcome } from '../boundary/call.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { CallResult } from '../boundary/result.ts';
import { deepFreeze } from '../boundary/snapshot.ts';
import { type CallInHand, notDispatched } from './call-in-hand.ts';
import { errorResult, messageOf } from './error-result.ts';
import { LookDenied } from './look.ts';
import { callbackFailure, finalise } from './normalise.ts';
import { deniedByPolicy } from './stages.ts';

/** The end of a call, however it went: its result, in the session log and then before whoever watches. */
export function settleCall(hand: CallInHand): CallOutcome {
  const { call, host } = hand;
  const bodySucceeded = hand.executed?.succeeded === true;
  const given = hand.ended === null ? hand.result : bodySucceeded ? callbackFailure(hand.ended.thrown, true) : errorResult(honest(hand.ended.thrown, hand));
  const result = given === null ? null : finalise(hand.tool, given, { call: call.call, kept: host.kept, redact: host.redact, bodySucceeded });
  return record(hand, result);
}

/** Turns what was thrown into what it means, and what it means into what is known of the call. */
function honest(thrown: unknown, hand: CallInHand): unknown {
  const { signal } = hand.context;
  if (thrown instanceof LookDenied) {
    hand.verdict = thrown.verdict;
    hand.effects = [thrown.effect];
    return deniedByPolicy(thrown.verdict);
  }
  if (signal.aborted && hand.executed === null && thrown === signal.reason) return notDispatched();
  if (thrown instanceof CodedError) {
    if (thrown.code === 'INVALID_EFFECTS') {
      hand.verdict = { decision: 'deny', decidedBy: 'built-in: effects', reason: thrown.message, rules: [], revision: hand.verdict?.revision ?? '' };
      hand.effects = [];
    }
    return thrown;
  }
  return signal.aborted && hand.executed === null ? notDispatched() : thrown;
}

/** A log that cannot be written changes the outcome: it is not pretended that all went well. */
function record({ call, context, host, tool, verdict, approval, effects, claims, executed }: CallInHand, given: CallResult | null): CallOutcome {
  let result = given;
  if (result !== null) {
    const observed = executed?.observed ?? [];
    // What a tool of the person's put there, the model has not read: it does not know the file as it is now.
    if (tool?.audience !== 'person') for (const { path, digest } of observed) host.observations.note(path, digest);
    try {
      host.log.append({ type: 'settled', call: call.call, verdict, approval, result, observed });
    } catch (thrown) {
      result = deepFreeze(errorResult(executed === null ? thrown : new CodedError('LOG_UNAVAILABLE', `This call ran, and what became of it could not be recorded. ${messageOf(thrown)}`), 'LOG_UNAVAILABLE'));
    }
  }
  const outcome: CallOutcome = { call: call.call, id: call.id, name: call.name, verdict, effects, claims, approval, result };
  context.onEvent({ type: 'settled', outcome });
  return outcome;
}
