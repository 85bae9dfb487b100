import type { HostMessage } from '../protocol/messages.ts';
import type { Entry, UserEntry } from '../protocol/state.ts';
import { isOpen, type ChatState, type Reply } from './chat-state.ts';
import { conversationOf, entryOf, withEntry, withOlder, withoutEntry, type Conversation } from './conversation.ts';
import { keepsImages, onSession, sentAway, takenBack, withDraft, withEntrySeen, withImages, withoutImage, type Drafts, type DraftImage } from './drafts.ts';
import { withSent } from './history.ts';

/** What the person did that the host does not know, or has not confirmed yet. */
export type LocalEvent =
  | { readonly type: 'answered'; readonly callId: string }
  | { readonly type: 'written'; readonly text: string }
  | { readonly type: 'imagesAdded'; readonly images: readonly DraftImage[] }
  | { readonly type: 'imageRemoved'; readonly id: string }
  | { readonly type: 'draftSent' }
  | { readonly type: 'unqueued'; readonly entry: UserEntry }
  | { readonly type: 'olderAsked' };
export type ChatEvent = HostMessage | LocalEvent;

export function reduce(state: ChatState, event: ChatEvent): ChatState {
  switch (event.type) {
    case 'state': return whole(state, event);
    case 'older': {
      const conversation = withOlder(state.conversation, event.entries);
      const open = [...event.entries.filter(isOpen).map((entry) => entry.id).filter((id) => !state.open.includes(id)), ...state.open];
      // An answer that brings nothing new ends the asking: it would go on for ever.
      const count = conversation === state.conversation ? 0 : event.older;
      return { ...state, conversation, open, older: { count, asked: false } };
    }
    case 'entry': return upsert(state, event.entry);
    case 'remove':
      return { ...state, conversation: withoutEntry(state.conversation, event.id), open: state.open.filter((id) => id !== event.id) };
    case 'delta': {
      const conversation = appended(state.conversation, event.id, event.field, event.text);
      return conversation === state.conversation ? state : { ...state, conversation };
    }
    case 'status': return { ...state, status: event.status };
    case 'models': return { ...state, models: event.models };
    case 'context': return { ...state, context: event.context };
    case 'plan': return { ...state, plan: event.plan };
    case 'focus': return { ...state, focusRequests: state.focusRequests + 1 };
    case 'sendRefused': return { ...state, drafts: takenBack(state.drafts, event.text), refusal: event.why };
    case 'answerRefused': return { ...state, replies: withReply(state.replies, event.callId, { state: 'refused', why: event.why }) };
    case 'answered': return { ...state, replies: withReply(state.replies, event.callId, { state: 'sent' }) };
    case 'written': return { ...state, drafts: withDraft(state.drafts, { ...state.drafts.current, text: event.text }), refusal: '', imagesLost: false };
    case 'imagesAdded': return { ...state, drafts: withImages(state.drafts, event.images), imagesLost: false };
    case 'imageRemoved': return { ...state, drafts: withoutImage(state.drafts, event.id) };
    case 'draftSent': return { ...state, drafts: sentAway(state.drafts), history: withSent(state.history, state.drafts.current.text), refusal: '', imagesLost: false };
    case 'unqueued': return { ...state, imagesLost: event.entry.images.length > 0 && !keepsImages(state.drafts, event.entry.text) };
    case 'olderAsked': return { ...state, older: { ...state.older, asked: true } };
  }
}

function whole(state: ChatState, event: HostMessage & { readonly type: 'state' }): ChatState {
  const { sessionId, entries, older, status, models, context, plan, history } = event;
  const key = older === 0 && !entries.some(({ kind }) => kind === 'user') ? '' : sessionId;
  const drafts: Drafts = sessionId === state.sessionId ? { ...state.drafts, key } : onSession(state.drafts, key);
  return {
    connected: true, generation: state.generation + 1, sessionId, conversation: conversationOf(entries), older: { count: older, asked: false },
    open: entries.filter(isOpen).map((entry) => entry.id), status, models, context, plan, history, drafts,
    refusal: sessionId === state.sessionId ? state.refusal : '', imagesLost: false, replies: new Map(), focusRequests: state.focusRequests,
  };
}

/** The host's word on a call ends what was pending for it. */
function upsert(before: ChatState, entry: Entry): ChatState {
  const state = entry.kind === 'user' ? { ...before, drafts: { ...withEntrySeen(before.drafts, entry), key: before.sessionId } } : before;
  const conversation = withEntry(state.conversation, entry);
  if (entry.kind !== 'call') return { ...state, conversation };
  const replies = [entry.card?.callId, entry.question?.callId, entry.id].reduce(
    (left, callId) => (callId === undefined ? left : withReply(left, callId, null)), state.replies,
  );
  const wasOpen = state.open.includes(entry.id);
  const open = isOpen(entry) === wasOpen ? state.open : wasOpen ? state.open.filter((id) => id !== entry.id) : [...state.open, entry.id];
  return { ...state, conversation, open, replies };
}

function appended(conversation: Conversation, id: string, field: 'text' | 'thinking', text: string): Conversation {
  const entry = entryOf(conversation, id);
  return entry?.kind === 'assistant' ? withEntry(conversation, { ...entry, [field]: entry[field] + text }) : conversation;
}

function withReply(replies: ReadonlyMap<string, Reply>, callId: string, reply: Reply | null): ReadonlyMap<string, Reply> {
  if (reply === null && !replies.has(callId)) return replies;
  const changed = new Map(replies);
  if (reply === null) changed.delete(callId);
  else changed.set(callId, reply);
  return changed;
}
