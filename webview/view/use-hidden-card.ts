import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export type HiddenCard = 'none' | 'above' | 'below';

/** Where an open card stands that cannot be seen now, if there is one. */
export function useHiddenCard(openCards: string, root: RefObject<HTMLElement | null>): HiddenCard {
  const [hidden, setHidden] = useState<HiddenCard>('none');
  useEffect(() => {
    const cards = root.current?.querySelectorAll('[data-open-card]') ?? [];
    const places = new Map<Element, HiddenCard>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, boundingClientRect, rootBounds } of entries) {
        places.set(target, isIntersecting ? 'none' : boundingClientRect.top < (rootBounds?.top ?? 0) ? 'above' : 'below');
      }
      setHidden([...places.values()].find((place) => place !== 'none') ?? 'none');
    }, { root: root.current });
    for (const card of cards) observer.observe(card);
    return () => {
      observer.disconnect();
      setHidden('none');
    };
  }, [openCards]);
  return hidden;
}
