import type { Verdict } from '../boundary/verdict.ts';
import type { Effect } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { isResultPath } from '../boundary/result-path.ts';
import { readBytes, statOf } from '../files/read-bytes.ts';
import { decide } from '../gate/decide.ts';
import { gatherFacts } from '../gate/facts.ts';
import { mint, type Planned } from '../gate/permit.ts';
import { askFor } from './ask.ts';
import type { CallInHand } from './call-in-hand.ts';
import { execute } from './execute.ts';
import { foresee } from './foresee.ts';
import type { PipelineHost } from './host.ts';
import { narrate } from './normalise.ts';

/** Says and judges what a call would do. A hand that has been foreseen already is foreseen anew. Never throws. */
export function foreseeCall(hand: CallInHand): Promise<void> {
  return stage(hand, async () => {
    const { tool, proposal, host, context } = hand;
    if (tool === null || proposal === null) return;
    context.signal.throwIfAborted();
    const policy = host.policy();
    const planned = await foresee(tool, proposal, {
      tool: tool.definition.name, arguments: proposal.arguments, roots: host.roots, policy, guards: host.guards,
      documents: host.documents, observations: host.observations, kept: host.kept, signal: context.signal,
    });
    const { effects, claims } = planned.foreseen;
    hand.effects = effects;
    hand.claims = claims;
    const verdict = decide({ tool: planned.tool, arguments: planned.arguments, effects, claims }, policy, await gatherFacts(planned.foreseen, host.roots.foreign), host.guards);
    hand.verdict = verdict;
    hand.planned = planned;
    if (verdict.decision === 'deny') throw deniedByPolicy(verdict);
  });
}

/** As before it was foreseen: what was found then no longer counts. */
export function forget(hand: CallInHand): void {
  hand.planned = null;
  hand.verdict = null;
  hand.effects = [];
  hand.claims = [];
  hand.ended = null;
}

/** Puts it before a person where its verdict asks; the ask is open when this returns its promise. Never throws. */
export function approveCall(hand: CallInHand): Promise<void> {
  return stage(hand, async () => {
    const { planned, verdict } = hand;
    if (planned !== null && verdict?.decision === 'ask') await approve(planned, verdict, hand);
  });
}

/** Mints its permit and runs its body; in a dry run, does nothing. Never throws. */
export function executeCall(hand: CallInHand): Promise<void> {
  return stage(hand, async () => {
    const { call, tool, proposal, planned, verdict, host, context } = hand;
    if (tool === null || proposal === null || planned === null || verdict === null) return;
    context.signal.throwIfAborted();
    const permit = mint(planned, verdict, hand.approval);
    if (host.dryRun) return noteWhatWouldBeRead(hand.effects, host);
    hand.executed = await execute(tool, permit, call.call, context, host);
    if (!hand.executed.succeeded) throw hand.executed.thrown;
    hand.result = narrate(tool, proposal.arguments, hand.executed.value);
  });
}

export function deniedByPolicy(verdict: Verdict): CodedError {
  return new CodedError('DENIED_BY_POLICY', `A rule denies this call; nothing was done. ${verdict.decidedBy}: ${verdict.reason}. No person refused it; another way may be open.`);
}

async function stage(hand: CallInHand, run: () => Promise<void>): Promise<void> {
  if (hand.ended !== null) return;
  try {
    await run();
  } catch (thrown) {
    hand.ended = { thrown };
  }
}

/** So that an edit that follows is judged as it would be: in earnest the session would know the file by then. */
async function noteWhatWouldBeRead(effects: readonly Effect[], host: PipelineHost): Promise<void> {
  for (const effect of effects) {
    if (effect.kind !== 'read' || effect.extent !== 'file' || isResultPath(effect.path) || (await statOf(effect.path, host.roots.foreign))?.isFile() !== true) continue;
    const file = await readBytes(effect.path, host.roots.foreign);
    if (file !== null) host.observations.note(effect.path, file.digest);
  }
}

async function approve(planned: Planned, verdict: Verdict, hand: CallInHand): Promise<void> {
  const answer = await askFor(planned, verdict, hand.context, hand.host);
  hand.approval = answer.approval;
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
