import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ViewMessage } from '../protocol/messages.ts';
import type { Store } from '../state/store.ts';

/** All that the view can do: send intents. */
export interface Actions {
  post(message: ViewMessage): void;
  /** Sends at most one answer until the host speaks of the call again. */
  answer(callId: string, digest: string, answer: 'allow' | 'deny', reason: string): void;
  reply(callId: string, text: string): void;
}

export function createActions(store: Store, post: (message: ViewMessage) => void): Actions {
  const once = (callId: string, message: ViewMessage): void => {
    if (store.current().replies.get(callId)?.state === 'sent') return;
    post(message);
    store.apply({ type: 'sent', callId });
  };
  return {
    post,
    answer: (callId, digest, answer, reason) => once(callId, { type: 'answer', callId, digest, answer, reason }),
    reply: (callId, text) => once(callId, { type: 'reply', callId, text }),
  };
}

const nothing: Actions = { post: () => undefined, answer: () => undefined, reply: () => undefined };
export const ActionsContext = createContext<Actions>(nothing);
export const useActions = (): Actions => useContext(ActionsContext);
