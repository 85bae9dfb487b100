import type { Approval, Verdict } from '../boundary/verdict.ts';
import type { CallKey } from '../boundary/call.ts';
import { digestOfJson } from '../boundary/digest.ts';
import type { Digest, Effect, Foreseen, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { Json } from '../boundary/json.ts';
import { completeEffect, decide, type Guard, judgeLook, stricter } from './decide.ts';
import { gatherFacts } from './facts.ts';
import type { Policy } from './policy.ts';

/** A path as it was asked for, and what it led to when the call was foreseen. */
export interface Resolution {
  readonly requested: string;
  readonly real: RealPath;
}

/** A call that has been foreseen: what it would do, on what view of the world. */
export interface Planned {
  readonly call: CallKey;
  readonly tool: string;
  readonly arguments: Json;
  readonly foreseen: Foreseen;
  readonly digest: Digest;
  readonly resolutions: readonly Resolution[];
  /** Base bytes of each file that would be written; null where it did not exist. */
  readonly bases: ReadonlyMap<RealPath, Uint8Array | null>;
}

declare const permitBrand: unique symbol;
/** That one call may run, with exactly these effects, once. Made by `mint` alone; a copy of one is worth nothing. */
export interface Permit {
  readonly [permitBrand]: true;
  readonly call: CallKey;
  readonly effects: readonly Effect[];
  readonly digest: Digest;
  readonly revision: string;
  /** The rule's place, or `the person`. */
  readonly decidedBy: string;
}

interface Minted {
  readonly planned: Planned;
  readonly verdict: Verdict;
}

declare const redeemedBrand: unique symbol;
/** What a permit was given up for. Made by `redeem` alone, and good for one run. */
export interface Redeemed extends Planned {
  readonly [redeemedBrand]: true;
}

/** Permits that were minted here and not yet redeemed. A permit that is not in it, forged or used, opens nothing. */
const ledger = new WeakMap<object, Minted>();
/** Plans that were redeemed here and not yet run. */
const redeemed = new WeakSet();

/** What an approval is bound to: the effects, in their order, and the claims. */
export function digestOfEffects(foreseen: Pick<Foreseen, 'effects' | 'claims'>): Digest {
  return digestOfJson({ effects: foreseen.effects as unknown as Json, claims: foreseen.claims as unknown as Json });
}

/** Throws where neither the policy nor a person allowed it: the pipeline never comes here then, and a bug must not either. */
export function mint(planned: Planned, verdict: Verdict, approval: Approval | null): Permit {
  const allowed = verdict.decision === 'allow' || (verdict.decision === 'ask' && approval === 'allowed');
  if (!allowed) throw new Error(`no permit for ${planned.call}: ${verdict.decision}, ${approval ?? 'not asked'}`);
  const permit = Object.freeze({
    call: planned.call, effects: planned.foreseen.effects, digest: planned.digest, revision: verdict.revision,
    decidedBy: verdict.decision === 'allow' ? verdict.decidedBy : 'the person',
  }) as Permit;
  ledger.set(permit, { planned, verdict });
  return permit;
}

/**
 * Gives up a permit for what was planned under it, once. Decides again on the policy and the facts of now, strictest wins: a policy
 * that became stricter makes the permit stale, one that became laxer does not. Throws for a permit that was not minted here.
 */
export async function redeem(permit: Permit, call: CallKey, policyNow: () => Policy, guards: readonly Guard[]): Promise<Redeemed> {
  const minted = ledger.get(permit);
  ledger.delete(permit);
  if (minted === undefined) throw new Error('this permit was not minted here, or has been redeemed already');
  const { planned, verdict } = minted;
  if (planned.call !== call || permit.digest !== planned.digest || digestOfEffects(planned.foreseen) !== planned.digest) {
    throw new Error('this permit belongs to another call');
  }
  const { effects, claims } = planned.foreseen;
  const facts = await gatherFacts(planned.foreseen, policyNow().roots.foreign);
  // It may have become another one while the facts were gathered; from here on nothing waits.
  const policy = policyNow();
  const now = decide({ tool: planned.tool, arguments: planned.arguments, effects, claims }, policy, facts, guards);
  if (now.decision !== verdict.decision && stricter(now.decision, verdict.decision) === now.decision) {
    throw new CodedError('STALE_PERMIT', `Nothing was done: since this call was decided, the policy became stricter. It now says ${now.decision} (${now.decidedBy}: ${now.reason}).`);
  }
  for (const { real } of planned.resolutions) {
    const { verdict: look } = judgeLook(real, planned, policy, guards);
    if (look.decision === 'deny') throw new CodedError('STALE_PERMIT', `Nothing was done: since this call was decided, reading ${real} has been denied (${look.decidedBy}: ${look.reason}), and it was planned on what stands there.`);
  }
  if (effects.some((effect) => leavesOutMore(effect, completeEffect(effect, planned.tool, policy)))) {
    throw new CodedError('STALE_PERMIT', 'Nothing was done: since this call was decided, the policy became stricter. It now covers files below the folder that was to be read.');
  }
  const own = { ...planned } as Redeemed;
  redeemed.add(own);
  return own;
}

/** True once for what `redeem` gave. */
export function spend(plan: Redeemed): boolean {
  return redeemed.delete(plan);
}

/** Whether a read would leave out what it was not signed to leave out, or no longer makes an exception that it was signed with. */
function leavesOutMore(signed: Effect, now: Effect): boolean {
  if (signed.kind !== 'read' || now.kind !== 'read') return false;
  const less = (glob: string): boolean => glob.startsWith('!');
  return now.except.some((glob) => !less(glob) && !signed.except.includes(glob)) || signed.except.some((glob) => less(glob) && !now.except.includes(glob));
}
