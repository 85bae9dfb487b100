import type { Approval, Verdict } from '../boundary/verdict.ts';
import type { CallOutcome, IncomingCall } from '../boundary/call.ts';
import type { Effect } from '../boundary/effect.ts';
import { CodedError, ToolArgsError } from '../boundary/error-codes.ts';
import { type Proposal, printableName, receive } from '../boundary/proposal.ts';
import type { RegisteredTool } from '../boundary/registry.ts';
import type { CallResult } from '../boundary/result.ts';
import { isResultPath } from '../boundary/result-path.ts';
import { deepFreeze } from '../boundary/snapshot.ts';
import { readBytes, statOf } from '../files/read-bytes.ts';
import { decide } from '../gate/decide.ts';
import { gatherFacts } from '../gate/facts.ts';
import { mint, type Planned } from '../gate/permit.ts';
import { askFor } from './ask.ts';
import { errorResult, messageOf } from './error-result.ts';
import { callbackFailure, finalise, narrate } from './normalise.ts';
import { type Executed, execute } from './execute.ts';
import { foresee } from './foresee.ts';
import type { PipelineHost } from './host.ts';
import { LookDenied } from './look.ts';
import type { StepContext } from './step.ts';

/** What is known of a call so far; written down whatever becomes of it. */
interface Trail {
  tool: RegisteredTool | null;
  verdict: Verdict | null;
  effects: readonly Effect[];
  claims: readonly Effect[];
  approval: Approval | null;
  executed: Executed | null;
}

/** One call, from text to record. Never throws: a failure at any stage is a result that the model reads. */
export async function runCall(call: IncomingCall, context: StepContext, host: PipelineHost): Promise<CallOutcome> {
  const trail: Trail = { tool: null, verdict: null, effects: [], claims: [], approval: null, executed: null };
  context.onEvent({ type: 'received', call: call.call, name: typeof call.name === 'string' ? printableName(call.name) : '' });
  let result: CallResult | null;
  try {
    result = await stages(call, context, host, trail);
  } catch (thrown) {
    result = trail.executed?.succeeded === true ? callbackFailure(thrown, true) : errorResult(honest(thrown, context, trail));
  }
  if (result !== null) result = finalise(trail.tool, result, { call: call.call, kept: host.kept, redact: host.redact, bodySucceeded: trail.executed?.succeeded === true });
  return settle(call, context, host, trail, result);
}

async function stages(call: IncomingCall, context: StepContext, host: PipelineHost, trail: Trail): Promise<CallResult | null> {
  const { signal } = context;
  // Types do not bind what a provider sends.
  if (typeof call.name !== 'string' || typeof call.arguments !== 'string') throw new CodedError('INVALID_PROPOSAL', 'A call has a name and the text of its arguments; this one lacks one of them, so nothing was executed.');
  let proposal: Proposal;
  try {
    proposal = receive(call);
  } finally {
    // Also for a call that is refused or cancelled: its definition has the last word on the content.
    trail.tool = resolveQuietly(call.name, context, host);
  }
  if (signal.aborted) throw notDispatched();
  const tool = trail.tool ?? host.registry.resolve(proposal.name, context.origin);
  const violations = tool.validateArguments(proposal.arguments);
  if (violations.length > 0) throw new ToolArgsError(`The arguments do not fit ${tool.definition.name}; nothing was executed.`, violations);

  const policy = host.policy();
  const planned = await foresee(tool, proposal, {
    tool: tool.definition.name, arguments: proposal.arguments, roots: host.roots, policy, guards: host.guards,
    documents: host.documents, observations: host.observations, kept: host.kept, signal,
  });
  trail.effects = planned.foreseen.effects;
  trail.claims = planned.foreseen.claims;
  const { effects, claims } = planned.foreseen;
  const verdict = decide({ tool: planned.tool, arguments: planned.arguments, effects, claims }, policy, await gatherFacts(planned.foreseen, host.roots.foreign), host.guards);
  trail.verdict = verdict;
  if (verdict.decision === 'deny') throw deniedByPolicy(verdict);
  if (verdict.decision === 'ask') await approve(planned, verdict, context, host, trail);
  signal.throwIfAborted();
  const permit = mint(planned, verdict, trail.approval);
  if (host.dryRun) {
    await noteWhatWouldBeRead(effects, host);
    return null;
  }
  trail.executed = await execute(tool, permit, call.call, context, host);
  if (!trail.executed.succeeded) throw trail.executed.thrown;
  return narrate(tool, proposal.arguments, trail.executed.value);
}

/** So that an edit that follows is judged as it would be: in earnest the session would know the file by then. */
async function noteWhatWouldBeRead(effects: readonly Effect[], host: PipelineHost): Promise<void> {
  for (const effect of effects) {
    if (effect.kind !== 'read' || effect.extent !== 'file' || isResultPath(effect.path) || (await statOf(effect.path, host.roots.foreign))?.isFile() !== true) continue;
    const file = await readBytes(effect.path, host.roots.foreign);
    if (file !== null) host.observations.note(effect.path, file.digest);
  }
}

async function approve(planned: Planned, verdict: Verdict, context: StepContext, host: PipelineHost, trail: Trail): Promise<void> {
  const answer = await askFor(planned, verdict, context, host);
  trail.approval = answer.approval;
  switch (answer.approval) {
    case 'allowed':
      return;
    case 'denied':
      throw new CodedError('DENIED_BY_PERSON', answer.reason.trim() === ''
        ? 'The person denied this call; nothing was done. Do not try the same again; ask what they want instead, or go on without it.'
        : `The person denied this call; nothing was done. Their reason: ${answer.reason}`);
    case 'unavailable':
      throw new CodedError('ASK_UNAVAILABLE', `This call needs a person's approval (${verdict.reason}), and nobody could be asked; nothing was done.`);
    case 'dismissed':
      throw new CodedError('ASK_DISMISSED', 'The person left the question without an answer; nothing was done.');
    case 'cancelled':
      throw new CodedError('ABORTED_BEFORE_DISPATCH', 'The turn was stopped while the person was asked; nothing was done.');
  }
}

/** Turns what was thrown into what it means, and what it means into the trail. */
function honest(thrown: unknown, context: StepContext, trail: Trail): unknown {
  if (thrown instanceof LookDenied) {
    trail.verdict = thrown.verdict;
    trail.effects = [thrown.effect];
    return deniedByPolicy(thrown.verdict);
  }
  if (context.signal.aborted && trail.executed === null && thrown === context.signal.reason) return notDispatched();
  if (thrown instanceof CodedError) {
    if (thrown.code === 'INVALID_EFFECTS') {
      trail.verdict = { decision: 'deny', decidedBy: 'built-in: effects', reason: thrown.message, rules: [], revision: trail.verdict?.revision ?? '' };
      trail.effects = [];
    }
    return thrown;
  }
  return context.signal.aborted && trail.executed === null ? notDispatched() : thrown;
}

function notDispatched(): CodedError {
  return new CodedError('ABORTED_BEFORE_DISPATCH', 'The turn was stopped before this call started; nothing was done.');
}

function deniedByPolicy(verdict: Verdict): CodedError {
  return new CodedError('DENIED_BY_POLICY', `A rule denies this call; nothing was done. ${verdict.decidedBy}: ${verdict.reason}. No person refused it; another way may be open.`);
}

function resolveQuietly(name: string, { origin }: StepContext, host: PipelineHost): RegisteredTool | null {
  try {
    return host.registry.resolve(name, origin);
  } catch {
    return null;
  }
}

/** The session log, then whoever watches. A log that cannot be written changes the outcome: it is not pretended that all went well. */
function settle(call: IncomingCall, context: StepContext, host: PipelineHost, trail: Trail, given: CallResult | null): CallOutcome {
  let result = given;
  if (result !== null) {
    const observed = trail.executed?.observed ?? [];
    // What a tool of the person's put there, the model has not read: it does not know the file as it is now.
    if (trail.tool?.audience !== 'person') for (const { path, digest } of observed) host.observations.note(path, digest);
    try {
      host.log.append({ type: 'settled', call: call.call, verdict: trail.verdict, approval: trail.approval, result, observed });
    } catch (thrown) {
      result = deepFreeze(errorResult(trail.executed === null ? thrown : new CodedError('LOG_UNAVAILABLE', `This call ran, and what became of it could not be recorded. ${messageOf(thrown)}`), 'LOG_UNAVAILABLE'));
    }
  }
  const outcome: CallOutcome = {
    call: call.call, id: call.id, name: call.name, verdict: trail.verdict, effects: trail.effects, claims: trail.claims, approval: trail.approval, result,
  };
  context.onEvent({ type: 'settled', outcome });
  return outcome;
}
