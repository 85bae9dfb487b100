import type { Carried, FinishReason, ModelCall, ModelFailure, ModelRequest, TokenUsage } from '../model/model-client.ts';
import { inShort, maxTries, retryWaitMs, waitOut } from '../model/retry.ts';
import type { AgentEvent, AgentFailure } from './events.ts';
import type { AgentParts } from './parts.ts';

/** What came of the model's answer to one step. */
export type Answer =
  | {
    readonly type: 'finished'; readonly text: string; readonly thinking: string; readonly reason: FinishReason; readonly calls: readonly ModelCall[];
    readonly usage: TokenUsage | null; readonly carried: readonly Carried[];
  }
  /** Stopped by the person; `text` and `thinking` are what had come. */
  | { readonly type: 'stopped'; readonly text: string; readonly thinking: string }
  | { readonly type: 'failed'; readonly failure: AgentFailure };

export interface StepPlace {
  readonly turn: string;
  readonly step: number;
}

const noModel: AgentFailure = { kind: 'no-model', message: 'No model is set up. Add one, or choose one beside the composer, and try again.' };

type AnswerParts = Pick<AgentParts, 'client' | 'sleep' | 'random'>;

/** Requests the answer of one step; what failed in a way that may pass is requested again, after a wait that is shown. */
export async function requestAnswer(
  parts: AnswerParts, place: StepPlace, request: ModelRequest, signal: AbortSignal, emit: (event: AgentEvent) => void,
): Promise<Answer> {
  for (let tried = 1; ; tried++) {
    const client = parts.client();
    if (client === null) return { type: 'failed', failure: noModel };
    emit({ type: 'activity', activity: 'requesting', text: 'Waiting for the model' });
    let text = '';
    let thinking = '';
    let isDrafted = false;
    let failure: ModelFailure = { kind: 'broken-stream', retryable: true, message: 'The answer ended before it was complete. Try again.' };
    for await (const event of client.stream(request, signal)) {
      if (event.type !== 'failed' && !isDrafted) {
        isDrafted = true;
        emit({ type: 'activity', activity: 'streaming', text: 'The model is answering' });
      }
      switch (event.type) {
        case 'text':
          text += event.text;
          emit({ type: 'draft-text', ...place, text: event.text });
          break;
        case 'thinking':
          thinking += event.text;
          emit({ type: 'draft-thinking', ...place, text: event.text });
          break;
        case 'call-started':
          emit({ type: 'draft-call', ...place, index: event.index, name: event.name });
          break;
        case 'call-arguments':
          break;
        case 'finished':
          // An answer that completed in the moment of the stop is not acted upon either.
          if (signal.aborted) return { type: 'stopped', text, thinking };
          reportUsage(event.usage, place, emit);
          return { type: 'finished', text, thinking, reason: event.reason, calls: event.calls, usage: event.usage, carried: event.carried ?? [] };
        case 'failed':
          failure = event.failure;
          break;
      }
    }
    if (signal.aborted && text !== '') return { type: 'stopped', text, thinking };
    if (isDrafted) emit({ type: 'draft-dropped', ...place });
    if (signal.aborted) return { type: 'stopped', text: '', thinking: '' };
    const waitMs = retryWaitMs(failure, tried, parts.random());
    if (waitMs === null) return { type: 'failed', failure: { kind: failure.kind, message: failure.message } };
    const reason = inShort(failure);
    await waitOut(waitMs, parts.sleep, signal, (left) => {
      emit({ type: 'activity', activity: 'waiting', text: `${reason}. Trying again in ${left} s (${tried + 1} of ${maxTries})` });
    });
    if (signal.aborted) return { type: 'stopped', text: '', thinking: '' };
  }
}

function reportUsage(usage: TokenUsage | null, place: StepPlace, emit: (event: AgentEvent) => void): void {
  if (usage !== null) emit({ type: 'usage', ...place, usage });
}
