import type { CallKey } from '../boundary/call.ts';
import { CodedError } from '../boundary/error-codes.ts';

export interface OpenQuestion {
  readonly text: string;
  readonly options: readonly string[];
}

export interface QuestionDeskParts {
  readonly after: (ms: number, run: () => void) => () => void;
  /** How long a question may wait while nobody has the chat open. */
  readonly unseenMs: () => number;
  readonly isSeen: () => boolean;
  readonly onChange: (call: CallKey, question: OpenQuestion | null) => void;
}

/** Questions of the agent's that wait for the person's words. Their answers are text to the model, and approve nothing. */
export class QuestionDesk {
  readonly #parts: QuestionDeskParts;
  readonly #open = new Map<CallKey, (answer: string) => void>();

  constructor(parts: QuestionDeskParts) {
    this.#parts = parts;
  }

  /** How many wait for an answer. */
  get open(): number {
    return this.#open.size;
  }

  ask(call: CallKey, question: OpenQuestion, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const close = (end: () => void): void => {
        if (!this.#open.delete(call)) return;
        stopWaiting();
        signal.removeEventListener('abort', cancel);
        this.#parts.onChange(call, null);
        end();
      };
      const cancel = (): void => close(() => reject(new CodedError('ABORTED', 'The turn was stopped while the person was asked.')));
      const stopWaiting = this.#parts.after(this.#parts.unseenMs(), () => {
        if (!wasSeen && !this.#parts.isSeen()) close(() => reject(new CodedError('ASK_UNAVAILABLE', 'Nobody has the chat open to answer. Go on without the answer, or stop here.')));
      });
      const wasSeen = this.#parts.isSeen();
      this.#open.set(call, (answer) => close(() => resolve(answer)));
      signal.addEventListener('abort', cancel, { once: true });
      this.#parts.onChange(call, question);
      if (signal.aborted) cancel();
    });
  }

  reply(call: CallKey, answer: string): void {
    this.#open.get(call)?.(answer);
  }
}
