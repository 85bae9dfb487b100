import { CodedError } from '../boundary/error-codes.ts';
import type { CallKey } from '../boundary/call.ts';
import type { LogEvent, TurnEnd } from '../session/records.ts';
import type { AgentEvent, AgentFailure } from './events.ts';
import type { AgentParts } from './parts.ts';
import { askedAgain } from './proposals.ts';
import { runLoggedCalls } from './step-calls.ts';
import { runTurn, type TurnEnding } from './turn.ts';

/** The agent of one session. No method throws or rejects: what fails is logged, and told by an event. */
export interface Agent {
  /**
   * Starts a turn; while busy, queues the text, which the model reads with the next request of the running turn, or
   * which starts a turn of its own when the running one ends. Never answers an ask.
   */
  send(text: string): void;
  /** Ends what runs. What is queued stays queued, and goes out with the next `send` or `retry`. */
  stop(): void;
  /** Goes on with the last turn, where that failed, met its step limit or was interrupted. */
  retry(): void;
  /** Runs a call of the log once more, as the person's own: received, judged and asked like any other. Only while idle. */
  askAgain(call: CallKey): Promise<void>;
  readonly busy: boolean;
  readonly queued: readonly string[];
  /** Resolves when nothing runs any more. */
  settled(): Promise<void>;
}

export function createAgent(parts: AgentParts): Agent {
  const { log } = parts;
  let queue = parts.queued ?? [];
  let running: { readonly controller: AbortController; readonly done: Promise<void> } | null = null;

  function emit(event: AgentEvent): void {
    try {
      parts.onEvent(event);
    } catch {
      // Whoever draws the events must not be able to break a turn.
    }
  }

  function logQueued(turn: string): void {
    if (queue.length === 0) return;
    try {
      while (queue[0] !== undefined) {
        // Logged first: a text that cannot be logged stays in the queue.
        log.append({ type: 'user', turn, text: queue[0] });
        queue = queue.slice(1);
      }
    } finally {
      emit({ type: 'queue', queued: queue });
    }
  }

  /** Runs `work`, then turns for what was queued meanwhile. Starts at once, in the caller's tick. */
  function occupy(work: (signal: AbortSignal) => Promise<boolean>): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => { finish = resolve; });
    running = { controller, done };
    const run = async (): Promise<void> => {
      try {
        let goOn = await work(signal);
        while (goOn && !signal.aborted && queue.length > 0) goOn = await oneTurn(parts.newId(), signal);
      } catch (error) {
        fail(null, failureOf(error));
      }
      // In the same tick in which the queue was seen empty: nothing can be queued in between and be forgotten.
      running = null;
      emit({ type: 'activity', activity: 'idle', text: '' });
      finish();
    };
    void run();
    return done;
  }

  /** Whether the session can go on. */
  async function oneTurn(turn: string, signal: AbortSignal): Promise<boolean> {
    let isLogged = false;
    try {
      const ending = await runTurn(parts, { turn, signal, emit, logQueued: () => {
        logQueued(turn);
        isLogged = true;
      } });
      return endTurn(turn, ending);
    } catch (error) {
      const failure = failureOf(error);
      return endTurn(isLogged ? turn : null, { end: 'failed', message: failure.message, failure });
    }
  }

  function endTurn(turn: string | null, { end, message, failure }: TurnEnding): boolean {
    let shown = failure;
    try {
      if (turn !== null) log.append({ type: 'turn-ended', turn, end, message });
    } catch (error) {
      shown ??= failureOf(error);
    }
    if (shown !== undefined) fail(turn, shown);
    return shown === undefined;
  }

  function fail(turn: string | null, failure: AgentFailure): void {
    emit({ type: 'failed', turn, failure });
  }

  async function personCall(of: CallKey, signal: AbortSignal): Promise<boolean> {
    try {
      const again = askedAgain(of, log.events, parts.newId);
      if (again === undefined) return true;
      log.append({ type: 'person-call', proposal: again.logged, of });
      emit({ type: 'activity', activity: 'running', text: 'Working on a call' });
      await runLoggedCalls(parts.pipeline, log, [again.incoming], { origin: 'person', signal, onEvent: (event) => emit({ type: 'call', event }) });
      return true;
    } catch (error) {
      fail(null, failureOf(error));
      return false;
    }
  }

  return {
    send(text) {
      if (text.trim() === '') return;
      queue = [...queue, text];
      if (running === null) void occupy((signal) => oneTurn(parts.newId(), signal));
      else emit({ type: 'queue', queued: queue });
    },
    stop() {
      if (running === null || running.controller.signal.aborted) return;
      emit({ type: 'activity', activity: 'stopping', text: 'Stopping' });
      running.controller.abort();
    },
    retry() {
      const turn = unfinishedTurn(log.events);
      if (running === null && turn !== null) void occupy((signal) => oneTurn(turn, signal));
    },
    async askAgain(call) {
      if (running === null) await occupy((signal) => personCall(call, signal));
    },
    get busy() {
      return running !== null;
    },
    get queued() {
      return queue;
    },
    async settled() {
      while (running !== null) await running.done;
    },
  };
}

function unfinishedTurn(events: readonly LogEvent[]): string | null {
  const last = events.findLast((event) => event.type === 'user' || event.type === 'turn-ended');
  if (last === undefined) return null;
  // A turn that could not even log its end is taken up again too.
  return last.type === 'user' || canGoOn(last.end) ? last.turn : null;
}

function canGoOn(end: TurnEnd): boolean {
  switch (end) {
    case 'failed':
    case 'step-limit':
    case 'interrupted': return true;
    case 'answered':
    case 'stopped': return false;
  }
}

function failureOf(error: unknown): AgentFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CodedError && error.code === 'LOG_UNAVAILABLE') {
    return { kind: 'log', message: `The session log cannot be written, so nothing runs: ${message}` };
  }
  return { kind: 'internal', message: `Something went wrong inside Countersign: ${message}. Try again; if it stays so, start a new session.` };
}
