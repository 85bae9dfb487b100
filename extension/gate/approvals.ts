import type { Answer, Approver, Ask } from '../boundary/ask.ts';
import type { CallKey } from '../boundary/call.ts';

/** Where a person can see an ask, and answer it. */
export type AskPlace = 'card' | 'diff';

export interface GivenAnswer {
  readonly call: CallKey;
  readonly digest: string;
  readonly place: AskPlace;
  readonly answer: 'allow' | 'deny';
  readonly reason: string;
}

export interface DeskParts {
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** Runs later; gives what cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** How long an ask may wait without having been shown to anybody. */
  readonly unseenMs: () => number;
  readonly onOpen: (ask: Ask) => void;
  readonly onClose: (ask: Ask, answer: Answer) => void;
}

/** An answer within this time of a card's appearing was meant for something else. */
export const restMs = 500;

interface Pending {
  readonly ask: Ask;
  readonly shownAt: Map<AskPlace, number>;
  readonly close: (answer: Answer) => void;
}

/**
 * The open asks. Only an explicit answer that names the call and the digest of what was shown counts, and not before that has stood
 * before the person for half a second. Nothing else that happens to the view, the chat or the clock ever allows.
 */
export class ApprovalDesk implements Approver {
  readonly #parts: DeskParts;
  readonly #pending = new Map<CallKey, Pending>();

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  get open(): readonly Ask[] {
    return [...this.#pending.values()].map(({ ask }) => ask);
  }

  ask(ask: Ask, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve) => {
      const close = (answer: Answer): void => {
        if (this.#pending.get(ask.call) !== pending) return;
        this.#pending.delete(ask.call);
        stopWaiting();
        signal.removeEventListener('abort', cancel);
        resolve(answer);
        this.#parts.onClose(ask, answer);
      };
      const cancel = (): void => close({ approval: 'cancelled', reason: '' });
      let stopWaiting = (): void => {};
      const wait = (): void => {
        stopWaiting = this.#parts.after(this.#parts.unseenMs(), () => {
          if (pending.shownAt.size > 0) return;
          // Somebody is here, with another one before them: this one stands further down.
          if ([...this.#pending.values()].some(({ shownAt }) => shownAt.size > 0)) wait();
          else close({ approval: 'unavailable', reason: '' });
        });
      };
      wait();
      const pending: Pending = { ask, shownAt: new Map(), close };
      this.#pending.get(ask.call)?.close({ approval: 'dismissed', reason: '' });
      this.#pending.set(ask.call, pending);
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      else this.#open(pending);
    });
  }

  /** What cannot be put before anybody is not left waiting. */
  #open({ ask, close }: Pending): void {
    try {
      this.#parts.onOpen(ask);
    } catch {
      close({ approval: 'unavailable', reason: '' });
    }
  }

  /** The ask stands on the screen at this place now. */
  shown(call: CallKey, digest: string, place: AskPlace): void {
    const pending = this.#pending.get(call);
    if (pending?.ask.digest === digest) pending.shownAt.set(place, this.#parts.now());
  }

  /** null where the answer counted; else why it did not, for the person. */
  answer(given: GivenAnswer): string | null {
    const pending = this.#pending.get(given.call);
    if (pending === undefined) return 'This card is not open any more.';
    if (pending.ask.digest !== given.digest) return 'The card has changed since; look at it again.';
    const shownAt = pending.shownAt.get(given.place);
    if (shownAt === undefined || this.#parts.now() - shownAt < restMs) return 'The card had only just appeared; look at it, then answer again.';
    pending.close({ approval: given.answer === 'allow' ? 'allowed' : 'denied', reason: given.answer === 'deny' ? given.reason : '' });
    return null;
  }

  /** The conversation was left: every open ask ends without an approval. */
  dismissAll(): void {
    for (const pending of Array.from(this.#pending.values())) pending.close({ approval: 'dismissed', reason: '' });
  }
}
