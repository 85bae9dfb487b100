import { createContext, type RefObject } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { focusAfterCard } from './focus.ts';
import { usePresence } from './use-presence.ts';
import { useRest } from './use-rest.ts';

/** The ids of all open cards in one text: when it changes, cards have moved. */
export const OpenCardsContext = createContext('');

export interface OpenCard {
  readonly element: RefObject<HTMLElement | null>;
  readonly resting: boolean;
  /** Another value with each new rest. */
  readonly restKey: string | null;
}

/** What every card has that waits for the person: it rests when it appears, changes or moves, and gives the focus on when it closes. */
export function useCard(version: string, onShown: () => void): OpenCard {
  const element = useRef<HTMLElement>(null);
  const openCards = useContext(OpenCardsContext);
  const presence = usePresence(element);
  const restKey = presence === 0 ? null : `${presence} ${version} ${openCards}`;
  const resting = useRest(restKey, onShown);
  useLayoutEffect(() => () => {
    if (element.current?.contains(document.activeElement) === true) queueMicrotask(focusAfterCard);
  }, []);
  return { element, resting, restKey };
}
