/** One call of the present turn and what the model read of its result. */
export interface Outcome {
  readonly tool: string;
  readonly arguments: string;
  readonly text: string;
}

export interface Conversation {
  /** How many turns the person began before this one. */
  readonly earlierTurns: number;
  /** What the person wrote first in this turn. */
  readonly asked: string;
  /** The calls of this turn that have a result, in order. */
  readonly outcomes: readonly Outcome[];
}

interface Message {
  readonly role: string;
  readonly content: string;
  readonly toolCallId: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

/** Reads the body of a chat-completions request; what is not as expected counts as empty. */
export function readConversation(body: unknown): Conversation {
  const list = field(body, 'messages');
  const messages = (Array.isArray(list) ? list : []).map(readMessage);
  let turns = 0;
  let asked = '';
  let outcomes: Outcome[] = [];
  const calls = new Map<string, { readonly name: string; readonly arguments: string }>();
  let previous = 'assistant';
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        // A message in the middle of a turn follows results, a second one in a row belongs to the first, a note to none.
        if (message.content.startsWith('[')) break;
        if (previous === 'assistant') {
          turns++;
          asked = message.content;
          outcomes = [];
        }
        previous = 'user';
        break;
      case 'assistant':
        for (const call of message.calls) calls.set(call.id, call);
        previous = message.calls.length > 0 ? 'step' : 'assistant';
        break;
      case 'tool': {
        const call = calls.get(message.toolCallId);
        outcomes.push({ tool: call?.name ?? '', arguments: call?.arguments ?? '', text: message.content });
        break;
      }
    }
  }
  return { earlierTurns: Math.max(0, turns - 1), asked, outcomes };
}

function readMessage(value: unknown): Message {
  const calls = field(value, 'tool_calls');
  return {
    role: text(field(value, 'role')),
    content: text(field(value, 'content')),
    toolCallId: text(field(value, 'tool_call_id')),
    calls: (Array.isArray(calls) ? calls : []).map((call) => ({
      id: text(field(call, 'id')),
      name: text(field(field(call, 'function'), 'name')),
      arguments: text(field(field(call, 'function'), 'arguments')),
    })),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
