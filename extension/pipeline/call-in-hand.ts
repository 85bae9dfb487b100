import type { Approval, Verdict } from '../boundary/verdict.ts';
import type { IncomingCall } from '../boundary/call.ts';
import type { Effect } from '../boundary/effect.ts';
import { CodedError, ToolArgsError } from '../boundary/error-codes.ts';
import type { Json } from '../boundary/json.ts';
import { type Proposal, printableName, receive } from '../boundary/proposal.ts';
import type { RegisteredTool } from '../boundary/registry.ts';
import type { CallResult } from '../boundary/result.ts';
import type { Planned } from '../gate/permit.ts';
import type { Executed } from './execute.ts';
import type { PipelineHost } from './host.ts';
import type { StepContext } from './step.ts';

/** A call on its way through the stages, with what is known of it so far: that is written down whatever becomes of it. */
export interface CallInHand {
  readonly call: IncomingCall;
  readonly context: StepContext;
  readonly host: PipelineHost;
  readonly tool: RegisteredTool | null;
  /** null where it could not be read, or does not fit its tool. */
  readonly proposal: Proposal | null;
  /** The tool says that this call may run beside others; whether it does is for its effects to say too. */
  readonly isParallel: boolean;
  planned: Planned | null;
  verdict: Verdict | null;
  effects: readonly Effect[];
  claims: readonly Effect[];
  approval: Approval | null;
  executed: Executed | null;
  /** What ended it before its end. */
  ended: { readonly thrown: unknown } | null;
  /** What the model reads; null before, and in a dry run. */
  result: CallResult | null;
}

/** Receives a call and checks its arguments. Never throws: what is wrong with it ends it. */
export function takeCall(call: IncomingCall, context: StepContext, host: PipelineHost): CallInHand {
  context.onEvent({ type: 'received', call: call.call, name: typeof call.name === 'string' ? printableName(call.name) : '' });
  let tool: RegisteredTool | null = null;
  let proposal: Proposal | null = null;
  let isParallel = false;
  let ended: CallInHand['ended'] = null;
  try {
    // Types do not bind what a provider sends.
    if (typeof call.name !== 'string' || typeof call.arguments !== 'string') throw new CodedError('INVALID_PROPOSAL', 'A call has a name and the text of its arguments; this one lacks one of them, so nothing was executed.');
    let received: Proposal;
    try {
      received = receive(call);
    } finally {
      // Also for a call that is refused or cancelled: its definition has the last word on the content.
      tool = resolveQuietly(call.name, context, host);
    }
    if (context.signal.aborted) throw notDispatched();
    const resolved = tool ?? host.registry.resolve(received.name, context.origin);
    const violations = resolved.validateArguments(received.arguments);
    if (violations.length > 0) throw new ToolArgsError(`The arguments do not fit ${resolved.definition.name}; nothing was executed.`, violations);
    proposal = received;
    isParallel = saysParallel(resolved, received.arguments);
  } catch (thrown) {
    ended = { thrown };
  }
  return { call, context, host, tool, proposal, isParallel, planned: null, verdict: null, effects: [], claims: [], approval: null, executed: null, ended, result: null };
}

export function notDispatched(): CodedError {
  return new CodedError('ABORTED_BEFORE_DISPATCH', 'The turn was stopped before this call started; nothing was done.');
}

function resolveQuietly(name: string, { origin }: StepContext, host: PipelineHost): RegisteredTool | null {
  try {
    return host.registry.resolve(name, origin);
  } catch {
    return null;
  }
}

/** Only an exact `true` counts, and a callback that fails has said nothing. */
function saysParallel({ definition }: RegisteredTool, given: Json): boolean {
  try {
    return definition.isConcurrencySafe?.(given) === true;
  } catch {
    return false;
  }
}
