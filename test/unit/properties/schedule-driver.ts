import type { Answer } from '../../../extension/boundary/ask.ts';

/** What can happen to a step while it runs; numbers choose among what waits. */
export type Happening =
  | { readonly what: 'finish'; readonly which: number; readonly how: 'well' | 'throws' }
  | { readonly what: 'answer'; readonly which: number; readonly how: Answer['approval'] | 'throws' }
  | { readonly what: 'drift'; readonly which: number }
  | { readonly what: 'cancel' }
  /** The policy becomes stricter. */
  | { readonly what: 'tighten' }
  /** Turns of the event loop in which the pipeline goes on by itself. */
  | { readonly what: 'pause'; readonly turns: number };

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** Bodies and asks that wait until the schedule lets them go on. */
export class ScheduleDriver {
  readonly #bodies: Waiting<void>[] = [];
  readonly #asks: Waiting<Answer>[] = [];
  #arrival = Promise.withResolvers<void>();

  /** A tool's body calls this. */
  body(): Promise<void> {
    return this.#wait(this.#bodies);
  }

  /** An approver calls this. Cancelling resolves it, as the desk of the real one does. */
  ask(signal: AbortSignal): Promise<Answer> {
    const answer = this.#wait(this.#asks);
    const waiting = this.#asks.at(-1);
    const cancel = (): void => waiting?.resolve({ approval: 'cancelled', reason: '' });
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return answer;
  }

  /** Lets things happen in this order, then ends whatever still waits, the oldest first, until the step is done. */
  async drive(step: Promise<unknown>, happenings: readonly Happening[], happen: (other: Extract<Happening, { what: 'drift' | 'cancel' | 'tighten' }>) => void): Promise<void> {
    let done = false;
    const end = step.finally(() => { done = true; });
    for (const happening of happenings) {
      if (done) break;
      switch (happening.what) {
        case 'pause':
          for (let turn = 0; turn < happening.turns; turn += 1) await new Promise(setImmediate);
          break;
        case 'finish':
        case 'answer':
          await this.#somethingWaits(end);
          this.#let(happening);
          break;
        case 'drift':
        case 'cancel':
        case 'tighten':
          happen(happening);
          break;
      }
    }
    while (!done) {
      await this.#somethingWaits(end);
      this.#let({ what: 'answer', which: 0, how: 'allowed' });
      this.#let({ what: 'finish', which: 0, how: 'well' });
    }
    await end;
  }

  #wait<T>(line: Waiting<T>[]): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    line.push({ resolve, reject });
    this.#arrival.resolve();
    return promise;
  }

  async #somethingWaits(end: Promise<unknown>): Promise<void> {
    if (this.#bodies.length + this.#asks.length > 0) return;
    this.#arrival = Promise.withResolvers();
    await Promise.race([this.#arrival.promise, end]);
  }

  /** Nothing happens where nothing of the kind waits. */
  #let(happening: Extract<Happening, { what: 'finish' | 'answer' }>): void {
    switch (happening.what) {
      case 'finish': {
        const waiting = taken(this.#bodies, happening.which);
        if (happening.how === 'well') waiting?.resolve();
        else waiting?.reject(new Error('the schedule wills it'));
        break;
      }
      case 'answer': {
        const waiting = taken(this.#asks, happening.which);
        if (happening.how === 'throws') waiting?.reject(new Error('the schedule wills it'));
        else waiting?.resolve({ approval: happening.how, reason: '' });
        break;
      }
    }
  }
}

function taken<T>(line: T[], which: number): T | undefined {
  return line.length === 0 ? undefined : line.splice(which % line.length, 1)[0];
}
