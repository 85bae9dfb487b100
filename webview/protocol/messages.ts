import type { ContextMeter, Entry, Models, NoticeActionId, PlanItem, Status } from './state.ts';

/** From the extension host to the view. */
export type HostMessage =
  /** The whole state: answers `ready`, and after a new session. `entries` are the newest; `older` is how many stand before them. */
  | {
    readonly type: 'state'; readonly sessionId: string; readonly entries: readonly Entry[]; readonly older: number; readonly status: Status; readonly models: Models;
    readonly context: ContextMeter | null; readonly plan: readonly PlanItem[];
    /** What the person sent lately in this workspace, newest last. */
    readonly history: readonly string[];
  }
  /** Answers `loadOlder`: stands before the first entry that the view has. */
  | { readonly type: 'older'; readonly entries: readonly Entry[]; readonly older: number }
  /** Inserts an entry at the end, or replaces the one with its id. */
  | { readonly type: 'entry'; readonly entry: Entry }
  /** Removes an entry: a streamed text that is being requested again. */
  | { readonly type: 'remove'; readonly id: string }
  /** Appends to an assistant entry that streams. */
  | { readonly type: 'delta'; readonly id: string; readonly field: 'text' | 'thinking'; readonly text: string }
  | { readonly type: 'status'; readonly status: Status }
  | { readonly type: 'models'; readonly models: Models }
  | { readonly type: 'context'; readonly context: ContextMeter | null }
  | { readonly type: 'plan'; readonly plan: readonly PlanItem[] }
  /** Puts the focus into the composer. */
  | { readonly type: 'focus' }
  /** What was sent could not be taken; it belongs back into the composer. */
  | { readonly type: 'sendRefused'; readonly text: string; readonly why: string }
  /** An answer that did not count, and why. */
  | { readonly type: 'answerRefused'; readonly callId: string; readonly why: string };

/** From the view to the extension host: intents of the person, never decisions. */
export type ViewMessage =
  | { readonly type: 'ready' }
  /** While the agent works: the model reads it with its next step, or once the turn has ended. */
  | { readonly type: 'send'; readonly text: string; readonly images: readonly SentImage[]; readonly when: 'next-step' | 'after-turn' }
  /** Takes a waiting message out of the queue: it is sent back by `sendRefused` with an empty `why`. */
  | { readonly type: 'unqueue'; readonly id: string }
  /** Has a waiting message go out with the next step. */
  | { readonly type: 'sendNow'; readonly id: string }
  | { readonly type: 'stop' }
  /** The card stands on the screen now; an answer counts from 500 ms later. */
  | { readonly type: 'cardShown'; readonly callId: string; readonly digest: string }
  | { readonly type: 'answer'; readonly callId: string; readonly digest: string; readonly answer: 'allow' | 'deny'; readonly reason: string }
  | { readonly type: 'reply'; readonly callId: string; readonly text: string }
  /** `file` counts the files of the card from 0. */
  | { readonly type: 'openDiff'; readonly callId: string; readonly file: number }
  | { readonly type: 'openFile'; readonly callId: string }
  | { readonly type: 'openLink'; readonly url: string }
  | { readonly type: 'askAgain'; readonly callId: string }
  | { readonly type: 'undo'; readonly callId: string }
  /** Takes back every change of files since this message. */
  | { readonly type: 'undoSince'; readonly entryId: string }
  | { readonly type: 'setMode'; readonly mode: 'plan' | 'ask' }
  | { readonly type: 'setModel'; readonly id: string }
  | { readonly type: 'addModel' }
  | { readonly type: 'loadOlder' }
  | { readonly type: 'newSession' }
  | { readonly type: 'showModelContext' }
  | { readonly type: 'action'; readonly id: NoticeActionId };

/** An image as it was pasted or dropped, made smaller by the view where it was large. */
export interface SentImage {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly base64: string;
  readonly thumbnail: string;
}

/** Of one message. */
export const maxImages = 8;
/** Base64 characters of one image: what the strictest provider takes. */
export const maxImage = 5 * 1024 * 1024;
/** Characters of a thumbnail's address. */
export const maxThumbnail = 40_000;

/** In UTF-16 units of the serialised message. */
export const maxViewMessage = 1024 * 1024;
/** Of a `send`, which may carry images. */
export const maxSendMessage = maxImages * (maxImage + maxThumbnail) + maxViewMessage;
