import type { LogEvent, LogEventOf, TurnEnd } from '../session/records.ts';
import { type Answer, requestAnswer } from './answer.ts';
import type { Context } from './context/context.ts';
import { makeMoreRoom, makeRoom, needsRoom, type RoomParts } from './context/room.ts';
import type { AgentEvent, AgentFailure } from './events.ts';
import type { AgentParts } from './parts.ts';
import { isCutOff, nameCalls } from './proposals.ts';
import { runLoggedCalls } from './step-calls.ts';

export interface TurnEnding {
  readonly end: TurnEnd;
  /** For a person; empty where all went well. */
  readonly message: string;
  readonly failure?: AgentFailure;
}

export interface TurnContext {
  readonly turn: string;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => void;
  readonly context: Context;
  /** What was sent meanwhile: logged before the next request. */
  readonly logQueued: () => void;
}

const defaultStepLimit = 50;
/** Answers cut off by the token limit, one after the other, that a turn takes. */
const maxCutOffs = 3;
/** The log keeps no more of what the model thought in one step, in UTF-16 units. */
const maxThinking = 100_000;

/** Steps until the model has answered: request, log, run its calls, request again. Throws where the log cannot be written. */
export async function runTurn(parts: AgentParts, { turn, signal, emit, context, logQueued }: TurnContext): Promise<TurnEnding> {
  const { log, pipeline } = parts;
  const stepLimit = parts.stepLimit?.() ?? defaultStepLimit;
  const firstStep = nextStepOf(turn, log.events);
  let cutOffs = 0;
  for (let step = firstStep; ; step++) {
    if (signal.aborted) return stopped;
    if (step - firstStep >= stepLimit) return { end: 'step-limit', message: `Paused after ${stepLimit === 1 ? 'one step' : `${stepLimit} steps`} without a final answer. Shall it go on? Choose “Go on”, or send a message.` };
    logQueued();
    const answer = await answerOf({ parts, context, place: { turn, step }, signal, emit });
    switch (answer.type) {
      case 'stopped':
        if (answer.text !== '') log.append({ type: 'assistant', turn, step, text: answer.text.toWellFormed(), finish: 'stop', calls: [], ...thinkingOf(answer.thinking) });
        return stopped;
      case 'failed':
        return failedBy(answer.failure);
      case 'finished': {
        const { text, reason } = answer;
        const { logged, incoming } = nameCalls(answer.calls, isCutOff(reason), log.events, parts.newId);
        log.append({ type: 'assistant', turn, step, text: text.toWellFormed(), finish: reason, calls: logged, ...besides(answer) });
        emitUse(context, emit);
        if (incoming.length > 0) {
          emit({ type: 'activity', activity: 'running', text: incoming.length === 1 ? 'Working on a call' : `Working on ${incoming.length} calls` });
          await runLoggedCalls(pipeline, log, incoming, { origin: 'model', signal, onEvent: (event) => emit({ type: 'call', event }) });
        }
        cutOffs = reason === 'length' ? cutOffs + 1 : 0;
        if (cutOffs >= maxCutOffs) return failedBy(cutOff);
        if (reason === 'refusal') return failedBy(refused);
        if (incoming.length === 0 && reason !== 'length') return { end: 'answered', message: text === '' ? 'The model gave an empty answer.' : '' };
      }
    }
  }
}

/** What the model says to the next request. One that it refuses as too long is made shorter once. */
async function answerOf(room: RoomParts): Promise<Answer> {
  const images = room.context.fetchImages();
  // Where there is nothing to wait for, the request leaves in the tick in which the message was sent.
  if (images !== null) await images;
  if (needsRoom(room)) {
    const made = await makeRoom(room);
    if (made.type === 'stopped' || made.type === 'failed') return made;
  }
  const first = await requestNext(room);
  if (first.type !== 'failed' || first.failure.kind !== 'too-long') return first;
  const more = await makeMoreRoom(room);
  switch (more.type) {
    case 'stopped':
    case 'failed':
      return more;
    case 'enough':
      return tooLong(first.failure, 'Nothing of it can be left out.');
    case 'made': {
      const second = await requestNext(room);
      return second.type === 'failed' && second.failure.kind === 'too-long' ? tooLong(second.failure, 'It still is with its older part left out.') : second;
    }
  }
}

async function requestNext({ parts, context, place, signal, emit }: RoomParts): Promise<Answer> {
  const answer = await requestAnswer(parts, place, context.request(), signal, emit);
  if (answer.type === 'finished') context.learn(answer.usage);
  return answer;
}

function tooLong({ message }: AgentFailure, why: string): Answer {
  return { type: 'failed', failure: { kind: 'too-long', message: `${message} ${why} To send less at once helps too.` } };
}

function emitUse(context: Context, emit: (event: AgentEvent) => void): void {
  const use = context.use();
  if (use !== null) emit({ type: 'context', context: use });
}

type Besides = Pick<LogEventOf<'assistant'>, 'thinking' | 'usage' | 'carried'>;

function besides({ thinking, usage, carried }: Extract<Answer, { type: 'finished' }>): Besides {
  return { ...thinkingOf(thinking), ...(usage === null ? {} : { usage }), ...(carried.length === 0 ? {} : { carried }) };
}

function thinkingOf(thinking: string): Pick<Besides, 'thinking'> {
  return thinking === '' ? {} : { thinking: thinking.slice(0, maxThinking).toWellFormed() };
}

const cutOff: AgentFailure = {
  kind: 'cut-off',
  message: `The model's answer reached its token limit ${maxCutOffs} times in a row. Ask for less at once, or raise the model's output limit.`,
};
const refused: AgentFailure = {
  kind: 'refusal',
  message: 'The provider refused or filtered this answer. Put the request in other words, or use another model.',
};
const stopped: TurnEnding = { end: 'stopped', message: '' };

function failedBy(failure: AgentFailure): TurnEnding {
  return { end: 'failed', message: failure.message, failure };
}

/** Steps are numbered from 1 in each turn, and on where a turn is taken up again. */
function nextStepOf(turn: string, events: readonly LogEvent[]): number {
  return 1 + events.reduce((last, event) => (event.type === 'assistant' && event.turn === turn ? Math.max(last, event.step) : last), 0);
}
