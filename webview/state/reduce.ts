import type { HostMessage } from '../protocol/messages.ts';
import type { Entry } from '../protocol/state.ts';
import { isOpen, type ChatState, type Reply } from './chat-state.ts';
import { conversationOf, entryOf, withEntry, withoutEntry, type Conversation } from './conversation.ts';

/** What the person did that the host has not confirmed yet. */
export type LocalEvent = { readonly type: 'sent'; readonly callId: string };
export type ChatEvent = HostMessage | LocalEvent;

export function reduce(state: ChatState, event: ChatEvent): ChatState {
  switch (event.type) {
    case 'state':
      return {
        ...state, connected: true, generation: state.generation + 1, conversation: conversationOf(event.entries),
        open: event.entries.filter(isOpen).map((entry) => entry.id), status: event.status, replies: new Map(),
      };
    case 'entry': return upsert(state, event.entry);
    case 'remove':
      return { ...state, conversation: withoutEntry(state.conversation, event.id), open: state.open.filter((id) => id !== event.id) };
    case 'delta': {
      const conversation = appended(state.conversation, event.id, event.text);
      return conversation === state.conversation ? state : { ...state, conversation };
    }
    case 'status': return { ...state, status: event.status };
    case 'focus': return { ...state, focusRequests: state.focusRequests + 1 };
    case 'answerRefused': return { ...state, replies: withReply(state.replies, event.callId, { state: 'refused', why: event.why }) };
    case 'sent': return { ...state, replies: withReply(state.replies, event.callId, { state: 'sent' }) };
  }
}

/** The host's word on a call ends what was pending for it. */
function upsert(state: ChatState, entry: Entry): ChatState {
  const conversation = withEntry(state.conversation, entry);
  if (entry.kind !== 'call') return { ...state, conversation };
  const replies = [entry.card?.callId, entry.question?.callId, entry.id].reduce(
    (left, callId) => (callId === undefined ? left : withReply(left, callId, null)), state.replies,
  );
  const wasOpen = state.open.includes(entry.id);
  const open = isOpen(entry) === wasOpen ? state.open : wasOpen ? state.open.filter((id) => id !== entry.id) : [...state.open, entry.id];
  return { ...state, conversation, open, replies };
}

function appended(conversation: Conversation, id: string, text: string): Conversation {
  const entry = entryOf(conversation, id);
  return entry?.kind === 'assistant' ? withEntry(conversation, { ...entry, text: entry.text + text }) : conversation;
}

function withReply(replies: ReadonlyMap<string, Reply>, callId: string, reply: Reply | null): ReadonlyMap<string, Reply> {
  if (reply === null && !replies.has(callId)) return replies;
  const changed = new Map(replies);
  if (reply === null) changed.delete(callId);
  else changed.set(callId, reply);
  return changed;
}
