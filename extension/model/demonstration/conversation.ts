import type { ModelMessage } from '../model-client.ts';

/** One call of the present turn and what the model read of its result. */
export interface Outcome {
  readonly tool: string;
  readonly arguments: string;
  readonly text: string;
  readonly ending: Ending;
}

/** What a result tells: the tools' errors begin with their code. */
export type Ending = 'done' | 'denied by the person' | 'denied by a rule' | 'failed';

export interface Conversation {
  /** How many turns the person began before this one. */
  readonly earlierTurns: number;
  /** The calls of this turn that have a result, in order. */
  readonly outcomes: readonly Outcome[];
  /** Those of the turns before it. */
  readonly earlier: readonly Outcome[];
}

/** What happened so far, as a model could tell it from the messages alone. */
export function readConversation(messages: readonly ModelMessage[]): Conversation {
  let turns = 0;
  let outcomes: Outcome[] = [];
  let earlier: readonly Outcome[] = [];
  const calls = new Map<string, { readonly name: string; readonly arguments: string }>();
  let previous: 'answer' | 'step' | 'user' = 'answer';
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        break;
      case 'user':
        // A message in the middle of a turn follows results, a second one in a row belongs to the first, a note of the editor's to none.
        if (message.text.startsWith('[')) break;
        if (previous === 'answer') {
          turns++;
          earlier = [...earlier, ...outcomes];
          outcomes = [];
        }
        previous = 'user';
        break;
      case 'assistant':
        for (const call of message.calls) calls.set(call.id, call);
        previous = message.calls.length > 0 ? 'step' : 'answer';
        break;
      case 'tool': {
        const call = calls.get(message.callId);
        outcomes.push({ tool: call?.name ?? '', arguments: call?.arguments ?? '', text: message.text, ending: endingOf(message.text) });
        break;
      }
    }
  }
  return { earlierTurns: Math.max(0, turns - 1), outcomes, earlier };
}

/** The text of an argument; empty where there is none. */
export function argumentOf(outcome: Outcome, name: string): string {
  try {
    const value: unknown = JSON.parse(outcome.arguments);
    const found: unknown = typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
    return typeof found === 'string' ? found : '';
  } catch {
    return '';
  }
}

function endingOf(text: string): Ending {
  if (text.startsWith('DENIED_BY_PERSON')) return 'denied by the person';
  if (text.startsWith('DENIED_BY_POLICY')) return 'denied by a rule';
  return /^[A-Z]+(?:_[A-Z]+)+: /.test(text) ? 'failed' : 'done';
}
