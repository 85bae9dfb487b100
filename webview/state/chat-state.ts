import type { CallEntry, ContextMeter, Entry, Models, PlanItem, Status } from '../protocol/state.ts';
import { entryOf, type Conversation } from './conversation.ts';
import { noDrafts, type Drafts } from './drafts.ts';

/** What became of the last thing that the person answered to a call. */
export type Reply =
  | { readonly state: 'sent' }
  | { readonly state: 'refused'; readonly why: string };

/** All that the view draws. A copy of the host's state, and what the person has written and sent since. */
export interface ChatState {
  /** False until the host has answered for the first time. */
  readonly connected: boolean;
  /** Rises with every whole state; what belongs to an older one is gone. */
  readonly generation: number;
  readonly sessionId: string;
  readonly conversation: Conversation;
  /** How many entries stand before the first one here. */
  readonly older: Older;
  /** Ids of the entries that wait for the person, oldest first. */
  readonly open: readonly string[];
  readonly status: Status;
  readonly models: Models;
  readonly context: ContextMeter | null;
  readonly plan: readonly PlanItem[];
  /** What was sent lately, newest last. */
  readonly history: readonly string[];
  readonly drafts: Drafts;
  /** Why what was sent last came back; empty where it did not. */
  readonly refusal: string;
  /** A message was taken back, and its images were not kept: they are to be added again. */
  readonly imagesLost: boolean;
  /** By the id of the call. */
  readonly replies: ReadonlyMap<string, Reply>;
  /** Rises with every wish of the host to put the focus into the composer. */
  readonly focusRequests: number;
}

export interface Older {
  readonly count: number;
  /** They were asked for, and are on their way. */
  readonly asked: boolean;
}

/** Before the host has answered, nothing is claimed to be missing: a hint that vanishes at once would only flicker. */
export const initialState: ChatState = {
  connected: false,
  generation: 0,
  sessionId: '',
  conversation: [],
  older: { count: 0, asked: false },
  open: [],
  status: { activity: 'idle', text: '', mode: 'ask', hasWorkspace: true, readOnly: false },
  models: { choices: [], current: null },
  context: null,
  plan: [],
  history: [],
  drafts: noDrafts,
  refusal: '',
  imagesLost: false,
  replies: new Map(),
  focusRequests: 0,
};

export function isOpen(entry: Entry): entry is CallEntry {
  return entry.kind === 'call' && (entry.question !== null || (entry.status === 'asking' && entry.card !== null));
}

export function openCalls(state: ChatState): readonly CallEntry[] {
  return state.open.flatMap((id) => {
    const entry = entryOf(state.conversation, id);
    return entry !== null && isOpen(entry) ? [entry] : [];
  });
}

export function isBusy(status: Status): boolean {
  return status.activity !== 'idle';
}
