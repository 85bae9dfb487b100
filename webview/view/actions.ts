import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ViewMessage } from '../protocol/messages.ts';
import type { UserEntry } from '../protocol/state.ts';
import type { DraftImage } from '../state/drafts.ts';
import type { Store } from '../state/store.ts';

export type When = 'next-step' | 'after-turn';

/** All that the view can do: send intents, and keep what the person writes. */
export interface Actions {
  post(message: ViewMessage): void;
  /** Sends at most one answer until the host speaks of the call again. */
  answer(callId: string, digest: string, answer: 'allow' | 'deny', reason: string): void;
  reply(callId: string, text: string): void;
  write(text: string): void;
  addImages(images: readonly DraftImage[]): void;
  removeImage(id: string): void;
  /** Sends the draft as it stands. */
  send(when: When): void;
  /** Takes a waiting message back into the composer. */
  unqueue(entry: UserEntry): void;
  /** Asks for the entries before the first one, once at a time. */
  loadOlder(): void;
}

export function createActions(store: Store, post: (message: ViewMessage) => void): Actions {
  const once = (callId: string, message: ViewMessage): void => {
    const { replies, status } = store.current();
    if (status.readOnly || replies.get(callId)?.state === 'sent') return;
    post(message);
    store.apply({ type: 'answered', callId });
  };
  return {
    post,
    answer: (callId, digest, answer, reason) => once(callId, { type: 'answer', callId, digest, answer, reason }),
    reply: (callId, text) => once(callId, { type: 'reply', callId, text }),
    write: (text) => store.apply({ type: 'written', text }),
    addImages: (images) => store.apply({ type: 'imagesAdded', images }),
    removeImage: (id) => store.apply({ type: 'imageRemoved', id }),
    send: (when) => {
      const { text, images } = store.current().drafts.current;
      post({ type: 'send', text, images: images.map(({ mediaType, base64, thumbnail }) => ({ mediaType, base64, thumbnail })), when });
      store.apply({ type: 'draftSent' });
    },
    unqueue: (entry) => {
      post({ type: 'unqueue', id: entry.id });
      store.apply({ type: 'unqueued', entry });
    },
    loadOlder: () => {
      const { count, asked } = store.current().older;
      if (count === 0 || asked) return;
      post({ type: 'loadOlder' });
      store.apply({ type: 'olderAsked' });
    },
  };
}

const nothing = (): void => undefined;
const noActions: Actions = { post: nothing, answer: nothing, reply: nothing, write: nothing, addImages: nothing, removeImage: nothing, send: nothing, unqueue: nothing, loadOlder: nothing };
export const ActionsContext = createContext<Actions>(noActions);
export const useActions = (): Actions => useContext(ActionsContext);
