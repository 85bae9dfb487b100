import type { CallOutcome, IncomingCall } from '../boundary/call.ts';
import { type CallInHand, takeCall } from './call-in-hand.ts';
import { errorResult } from './error-result.ts';
import type { PipelineHost } from './host.ts';
import { overlap } from './overlap.ts';
import { settleCall } from './settle.ts';
import { approveCall, executeCall, foreseeCall, forget } from './stages.ts';
import type { StepContext } from './step.ts';

/** How many bodies run at once. */
const mostAtOnce = 10;
/** How many calls are foreseen ahead of the first that is not recorded: each is compared with those before it. */
const mostAhead = 32;

/**
 * The calls of one step. They are received, foreseen and asked in the model's order, ahead of their execution, and a person answers in
 * any order. A call that does not say that it may run beside others waits until all before it are recorded, and all after it wait for
 * it; calls whose effects overlap do so whatever they say. Results are recorded in the model's order, whoever finished first.
 *
 * What is foreseen ahead of calls that have not run yet is kept only where it cannot depend on them: what fails then, or overlaps with
 * one of them, is foreseen anew once all before it are recorded, and only then put before a person.
 */
export class StepSchedule {
  readonly #hands: readonly CallInHand[];
  /** Opens when the call has been recorded. */
  readonly #recorded: readonly Gate[];
  /** Opens when the next call may be foreseen. */
  readonly #passed: readonly Gate[];
  /** The first call that is not recorded. */
  #next = 0;
  /** Calls that could run but for those before them, with what lets them go. */
  readonly #waiting = new Map<number, () => void>();
  #running = 0;

  constructor(calls: readonly IncomingCall[], context: StepContext, host: PipelineHost) {
    this.#hands = calls.map((call) => takeCall(call, context, host));
    this.#recorded = calls.map(gate);
    this.#passed = calls.map(gate);
  }

  /** Never throws. One outcome a call, in order. */
  run(): Promise<readonly CallOutcome[]> {
    return Promise.all(this.#hands.map((hand, at) => this.#drive(hand, at)));
  }

  async #drive(hand: CallInHand, at: number): Promise<CallOutcome> {
    try {
      await this.#foreseenAndApproved(hand, at);
      await this.#turnOf(at);
      try {
        await executeCall(hand);
      } finally {
        this.#running -= 1;
        this.#letGo();
      }
    } catch (thrown) {
      // A fault of this schedule is a failure of the call, never a call without a result.
      hand.ended ??= { thrown };
    }
    this.#passed[at]?.open();
    await this.#recorded[at - 1]?.opened;
    const outcome = settledQuietly(hand);
    this.#next = at + 1;
    this.#recorded[at]?.open();
    this.#letGo();
    return outcome;
  }

  async #foreseenAndApproved(hand: CallInHand, at: number): Promise<void> {
    await this.#recorded[at - mostAhead]?.opened;
    await this.#passed[at - 1]?.opened;
    if (hand.ended === null && this.#canBeForeseen(at)) await foreseeCall(hand);
    if (hand.proposal !== null && !this.#standsAlone(at)) {
      forget(hand);
      this.#passed[at]?.open();
      await this.#recorded[at - 1]?.opened;
      await foreseeCall(hand);
    }
    const approved = approveCall(hand);
    // The ask is open: what comes after it is foreseen, and asked, while the person thinks.
    this.#passed[at]?.open();
    await approved;
  }

  /** Whether anything before it has not been foreseen yet, so that what it would do cannot be compared. */
  #canBeForeseen(at: number): boolean {
    return this.#before(at).every(({ proposal, planned, ended }) => proposal === null || planned !== null || ended !== null);
  }

  /** Whether what was foreseen is as it would be if all before it had run. */
  #standsAlone(at: number): boolean {
    const hand = this.#hands[at];
    const before = this.#before(at);
    if (hand === undefined || before.length === 0) return true;
    if (hand.planned === null || (hand.ended !== null && hand.verdict?.decision !== 'deny')) return false;
    return !before.some((other) => this.#overlaps(hand, other));
  }

  /** Resolves once the call may run, and counts it as running. */
  #turnOf(at: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(at, resolve);
      this.#letGo();
    });
  }

  #letGo(): void {
    for (let at = this.#next; at < this.#hands.length && this.#running < mostAtOnce; at += 1) {
      const hand = this.#hands[at];
      const go = this.#waiting.get(at);
      if (hand === undefined || (!hand.isParallel && at > this.#next)) return;
      if (go !== undefined && !this.#before(at).some((other) => this.#overlaps(hand, other))) {
        this.#waiting.delete(at);
        this.#running += 1;
        go();
      }
      if (!hand.isParallel) return;
    }
  }

  /** One that has not been foreseen yet could touch anything. */
  #overlaps(hand: CallInHand, other: CallInHand): boolean {
    if (other.ended !== null && other.executed === null) return false;
    return other.planned === null || overlap([...hand.effects, ...hand.claims], [...other.effects, ...other.claims]);
  }

  /** Those before it that are not recorded yet. */
  #before(at: number): readonly CallInHand[] {
    return this.#hands.slice(this.#next, at);
  }
}

interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

function gate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => { open = resolve; });
  return { opened, open };
}

/** What cannot be settled has an outcome all the same; who keeps the log sees to its record. */
function settledQuietly(hand: CallInHand): CallOutcome {
  try {
    return settleCall(hand);
  } catch (thrown) {
    const { call, verdict, effects, claims, approval } = hand;
    return { call: call.call, id: call.id, name: call.name, verdict, effects, claims, approval, result: errorResult(thrown) };
  }
}
