import type { Entry, NoticeActionId, Status } from './state.ts';

/** From the extension host to the view. */
export type HostMessage =
  /** The whole state: answers `ready`, and after a new session. */
  | { readonly type: 'state'; readonly sessionId: string; readonly entries: readonly Entry[]; readonly status: Status }
  /** Inserts an entry at the end, or replaces the one with its id. */
  | { readonly type: 'entry'; readonly entry: Entry }
  /** Removes an entry: a streamed text that is being requested again. */
  | { readonly type: 'remove'; readonly id: string }
  /** Appends to an assistant entry that streams. */
  | { readonly type: 'delta'; readonly id: string; readonly text: string }
  | { readonly type: 'status'; readonly status: Status }
  /** Puts the focus into the composer. */
  | { readonly type: 'focus' }
  /** An answer that did not count, and why. */
  | { readonly type: 'answerRefused'; readonly callId: string; readonly why: string };

/** From the view to the extension host: intents of the person, never decisions. */
export type ViewMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'stop' }
  /** The card stands on the screen now; an answer counts from 500 ms later. */
  | { readonly type: 'cardShown'; readonly callId: string; readonly digest: string }
  | { readonly type: 'answer'; readonly callId: string; readonly digest: string; readonly answer: 'allow' | 'deny'; readonly reason: string }
  | { readonly type: 'reply'; readonly callId: string; readonly text: string }
  | { readonly type: 'openDiff'; readonly callId: string }
  | { readonly type: 'openFile'; readonly callId: string }
  | { readonly type: 'openLink'; readonly url: string }
  | { readonly type: 'askAgain'; readonly callId: string }
  | { readonly type: 'setMode'; readonly mode: 'plan' | 'ask' }
  | { readonly type: 'newSession' }
  | { readonly type: 'showModelContext' }
  | { readonly type: 'action'; readonly id: NoticeActionId };

/** In UTF-16 units of the serialised message. */
export const maxViewMessage = 1024 * 1024;
