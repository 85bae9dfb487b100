import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Chunk, Conversation } from '../state/conversation.ts';

const first = 2;
const atOnce = 2;
/** So many chunks are drawn by and by while nothing else happens; older ones only when the person scrolls to them. */
const whenIdle = 10;

/** The newest chunks, and older ones as they come near. `sentinel` stands above the oldest that is drawn. */
export function useOlder(conversation: Conversation, openIds: readonly string[], sentinel: RefObject<HTMLElement | null>, root: RefObject<HTMLElement | null>): Conversation {
  const [from, setFrom] = useState(() => Math.min(conversation.at(-first)?.key ?? 0, oldestWith(conversation, openIds)));
  const drawn = conversation.filter((chunk) => chunk.key >= from);
  const whole = drawn.length === conversation.length;

  useEffect(() => {
    if (whole) return;
    const more = (): void => setFrom((key) => key - atOnce);
    const target = sentinel.current;
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting === true) more();
    }, { root: root.current, rootMargin: '1200px 0px 0px 0px' });
    if (target !== null) observer.observe(target);
    const idle = drawn.length < whenIdle ? requestIdleCallback(more, { timeout: 2000 }) : null;
    return () => {
      observer.disconnect();
      if (idle !== null) cancelIdleCallback(idle);
    };
  }, [from, whole]);

  return drawn;
}

/** A card that waits is always drawn, however old. */
function oldestWith(conversation: Conversation, ids: readonly string[]): number {
  const holds = (chunk: Chunk): boolean => chunk.entries.some((entry) => ids.includes(entry.id));
  return (ids.length === 0 ? undefined : conversation.find(holds)?.key) ?? Number.POSITIVE_INFINITY;
}
