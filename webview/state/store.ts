import type { ChatState } from './chat-state.ts';
import { reduce, type ChatEvent } from './reduce.ts';

export interface Store {
  /** With everything applied that has arrived. */
  current(): ChatState;
  /** Takes part in the next frame: a hundred deltas in one frame are one drawing. */
  queue(event: ChatEvent): void;
  /** Takes part at once, after all that is queued. */
  apply(event: ChatEvent): void;
  subscribe(listener: (state: ChatState) => void): () => void;
}

/** `schedule` calls back once, when the next frame is due. */
export function createStore(initial: ChatState, schedule: (flush: () => void) => void): Store {
  let state = initial;
  let queued: ChatEvent[] = [];
  const listeners = new Set<(state: ChatState) => void>();

  const flush = (): void => {
    if (queued.length === 0) return;
    const events = queued;
    queued = [];
    const before = state;
    for (const event of events) state = reduce(state, event);
    if (state !== before) for (const listener of listeners) listener(state);
  };

  return {
    current: () => {
      flush();
      return state;
    },
    queue: (event) => {
      queued.push(event);
      if (queued.length === 1) schedule(flush);
    },
    apply: (event) => {
      queued.push(event);
      flush();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
