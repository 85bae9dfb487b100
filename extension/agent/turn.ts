import type { ModelMessage } from '../model/model-client.ts';
import { historyOf } from '../session/history.ts';
import type { LogEvent, TurnEnd } from '../session/records.ts';
import { requestAnswer } from './answer.ts';
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
  /** What was sent meanwhile: logged before the next request. */
  readonly logQueued: () => void;
}

const defaultStepLimit = 50;
/** Answers cut off by the token limit, one after the other, that a turn takes. */
const maxCutOffs = 3;

/** Steps until the model has answered: request, log, run its calls, request again. Throws where the log cannot be written. */
export async function runTurn(parts: AgentParts, { turn, signal, emit, logQueued }: TurnContext): Promise<TurnEnding> {
  const { log, pipeline } = parts;
  const stepLimit = parts.stepLimit ?? defaultStepLimit;
  const firstStep = nextStepOf(turn, log.events);
  let cutOffs = 0;
  for (let step = firstStep; ; step++) {
    if (signal.aborted) return stopped;
    if (step - firstStep >= stepLimit) return { end: 'step-limit', message: `Stopped after ${stepLimit} steps without a final answer. Send a message to go on.` };
    logQueued();
    const messages: readonly ModelMessage[] = [{ role: 'system', text: parts.systemPrompt() }, ...historyOf(log.events)];
    const answer = await requestAnswer(parts, { turn, step }, { messages, tools: parts.schemas() }, signal, emit);
    switch (answer.type) {
      case 'stopped':
        if (answer.text !== '') log.append({ type: 'assistant', turn, step, text: answer.text, finish: 'stop', calls: [] });
        return stopped;
      case 'failed':
        return { end: 'failed', message: answer.failure.message, failure: answer.failure };
      case 'finished': {
        const { text, reason } = answer;
        const { logged, incoming } = nameCalls(answer.calls, isCutOff(reason), log.events, parts.newId);
        log.append({ type: 'assistant', turn, step, text, finish: reason, calls: logged });
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
