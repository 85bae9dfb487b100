import { CodedError } from '../boundary/error-codes.ts';
import type { CallKey } from '../boundary/call.ts';
import type { QueuedMessage, SendTime, UserInput } from '../session/queued-message.ts';
import type { LogEvent, TurnEnd } from '../session/records.ts';
import { Context } from './context/context.ts';
import type { AgentEvent, AgentFailure } from './events.ts';
import { type Intake, MessageQueue } from './message-queue.ts';
import type { AgentParts } from './parts.ts';
import { askedAgain, type PersonProposal, undoProposal } from './proposals.ts';
import { runLoggedCalls } from './step-calls.ts';
import { runTurn, type TurnEnding } from './turn.ts';

/** The agent of one session. No method throws or rejects: what fails is logged, and told by an event. Nothing that is sent answers an ask. */
export interface Agent {
  /** Starts a turn; while busy, the message waits for the time that is given. An input without text and images is none. */
  send(input: UserInput, when: SendTime): void;
  /** Takes a waiting message out, so that it can be written anew; null where it does not wait any more. */
  unqueue(id: string): QueuedMessage | null;
  /** Has a waiting message go out with the next step; while idle, at once. */
  sendNow(id: string): void;
  /** Ends what runs. What waits stays, and goes out with the next `send` or `retry`. */
  stop(): void;
  /** Goes on with the last turn, where that failed, met its step limit or was interrupted. */
  retry(): void;
  /** Runs a call of the log once more, as the person's own: received, judged and asked like any other. Only while idle. */
  askAgain(call: CallKey): Promise<void>;
  /** Takes back what these calls changed, by a call of the person's own. Only while idle. Resolves once it has ended, with why it could not begin or null. */
  undo(calls: readonly CallKey[]): Promise<string | null>;
  /** What the next request would hold, and what of the model's context that fills. */
  readonly context: Pick<Context, 'request' | 'use'>;
  readonly busy: boolean;
  readonly queued: readonly QueuedMessage[];
  /** Resolves when nothing runs any more. */
  settled(): Promise<void>;
}

export function createAgent(parts: AgentParts): Agent {
  const { log } = parts;
  const context = new Context(parts);
  const queue = new MessageQueue(parts.queued ?? []);
  let running: { readonly controller: AbortController; readonly done: Promise<void> } | null = null;
  /** What begins a turn once nothing runs; null where what waits stays, since the person has stopped or something failed. */
  let next: Intake | null = null;

  function emit(event: AgentEvent): void {
    try {
      parts.onEvent(event);
    } catch {
      // Whoever draws the events must not be able to break a turn.
    }
  }

  function emitQueue(): void {
    emit({ type: 'queue', queued: queue.messages });
  }

  function logQueued(turn: string, intake: Intake): void {
    const due = queue.due(intake);
    if (due.length === 0) return;
    try {
      for (const { id, text, images } of due) {
        // Logged first: what cannot be logged still waits.
        log.append({ type: 'user', turn, text, ...(images.length > 0 ? { images } : {}), id });
        queue.remove(id);
      }
    } finally {
      emitQueue();
    }
  }

  /** Runs `work`, which says whether the session can go on; then a turn for what was sent meanwhile. Starts at once, in the caller's tick. */
  function occupy(work: (signal: AbortSignal) => Promise<boolean>): Promise<void> {
    const controller = new AbortController();
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => { finish = resolve; });
    running = { controller, done };
    const run = async (): Promise<void> => {
      try {
        if (!await work(controller.signal)) next = null;
      } catch (error) {
        next = null;
        fail(null, failureOf(error));
      }
      // All in the tick in which the queue was looked at: nothing can be sent in between and be forgotten.
      running = null;
      if (next !== null && queue.messages.length > 0) startTurn(parts.newId(), next);
      else emit({ type: 'activity', activity: 'idle', text: '' });
      finish();
    };
    void run();
    return done;
  }

  function startTurn(turn: string, intake: Intake): void {
    next = 'next-turn';
    void occupy((signal) => oneTurn(turn, intake, signal));
  }

  async function oneTurn(turn: string, first: Intake, signal: AbortSignal): Promise<boolean> {
    let intake = first;
    let isLogged = false;
    try {
      const ending = await runTurn(parts, { turn, signal, emit, context, logQueued: () => {
        logQueued(turn, intake);
        intake = 'next-step';
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
      if (turn !== null) log.append({ type: 'turn-ended', turn, end, message, ...(failure === undefined ? {} : { kind: failure.kind }) });
    } catch (error) {
      shown ??= failureOf(error);
    }
    if (shown !== undefined) fail(turn, shown);
    return shown === undefined;
  }

  function fail(turn: string | null, failure: AgentFailure): void {
    emit({ type: 'failed', turn, failure });
  }

  /** Runs a call of the person's. What waits stays, but for what is sent meanwhile. */
  async function runPersonCall(call: PersonProposal, of: CallKey | null): Promise<string | null> {
    let whyNot: string | null = null;
    next = null;
    await occupy(async (signal) => {
      try {
        log.append({ type: 'person-call', proposal: call.logged, of });
        emit({ type: 'activity', activity: 'running', text: 'Working on a call' });
        await runLoggedCalls(parts.pipeline, log, [call.incoming], { origin: 'person', signal, onEvent: (event) => emit({ type: 'call', event }) });
      } catch (error) {
        const failure = failureOf(error);
        whyNot = failure.message;
        fail(null, failure);
      }
      return whyNot === null;
    });
    return whyNot;
  }

  return {
    send({ text, images }, when) {
      if (text.trim() === '' && images.length === 0) return;
      // The log takes no half of a character, and one that it does not take would stand in the way of all that follow.
      queue.add({ id: parts.newId(), text: text.toWellFormed(), images, when });
      if (running === null) {
        startTurn(parts.newId(), 'all');
      } else {
        next ??= 'all';
        emitQueue();
      }
    },
    unqueue(id) {
      const message = queue.remove(id);
      if (message !== null) emitQueue();
      return message;
    },
    sendNow(id) {
      if (!queue.hurry(id)) return;
      emitQueue();
      if (running === null) startTurn(parts.newId(), 'next-turn');
      else next ??= 'next-turn';
    },
    stop() {
      if (running === null) return;
      next = null;
      if (running.controller.signal.aborted) return;
      emit({ type: 'activity', activity: 'stopping', text: 'Stopping' });
      running.controller.abort();
    },
    retry() {
      const turn = unfinishedTurn(log.events);
      if (running === null && turn !== null) startTurn(turn, 'all');
    },
    async askAgain(call) {
      if (running !== null) return;
      const again = askedAgain(call, log.events, parts.newId);
      if (again !== undefined) await runPersonCall(again, call);
    },
    async undo(calls) {
      if (running !== null) return 'Undo once this turn has ended, or stop it first.';
      const call = calls.length === 0 ? undefined : undoProposal(calls, log.events, parts.newId);
      return call === undefined ? 'There is nothing to undo here.' : runPersonCall(call, null);
    },
    context,
    get busy() {
      return running !== null;
    },
    get queued() {
      return queue.messages;
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
