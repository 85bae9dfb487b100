import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Older } from '../state/chat-state.ts';
import type { Chunk, Conversation } from '../state/conversation.ts';
import { useKeptPlace } from './use-kept-place.ts';

const first = 2;
const atOnce = 2;
/** So many chunks are drawn by and by while nothing else happens; older ones only when the person scrolls to them. */
const whenIdle = 10;

/** With more than this drawn, those far above a person who is at the end are let go again. */
const most = 2 * whenIdle;

export interface OlderOptions {
  readonly conversation: Conversation;
  readonly openIds: readonly string[];
  /** What the host still has. */
  readonly older: Older;
  readonly loadOlder: () => void;
  /** Stands above the oldest chunk that is drawn. */
  readonly sentinel: RefObject<HTMLElement | null>;
  readonly root: RefObject<HTMLElement | null>;
  /** The person has scrolled up. */
  readonly away: boolean;
}

/** The newest chunks, and older ones as they come near: those that are here first, then those that the host has. */
export function useOlder({ conversation, openIds, older, loadOlder, sentinel, root, away }: OlderOptions): Conversation {
  const [from, setFrom] = useState(() => Math.min(conversation.at(-first)?.key ?? conversation[0]?.key ?? 0, oldestWith(conversation, openIds)));
  const drawn = conversation.filter((chunk) => chunk.key >= from);
  const whole = drawn.length === conversation.length;

  const ends = whole && (older.count === 0 || older.asked);

  useEffect(() => {
    if (ends) return;
    const more = whole ? loadOlder : (): void => setFrom((key) => key - atOnce);
    const target = sentinel.current;
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting === true) more();
    }, { root: root.current, rootMargin: '1200px 0px 0px 0px' });
    if (target !== null) observer.observe(target);
    const idle = !whole && drawn.length < whenIdle ? requestIdleCallback(more, { timeout: 2000 }) : null;
    return () => {
      observer.disconnect();
      if (idle !== null) cancelIdleCallback(idle);
    };
  }, [from, whole, ends]);

  useEffect(() => {
    const focused = root.current?.querySelector(':focus') ?? null;
    if (!away && drawn.length > most && focused === null) setFrom(Math.min(conversation.at(-whenIdle)?.key ?? from, oldestWith(conversation, openIds)));
  }, [away, drawn.length]);

  useKeptPlace(drawn[0]?.key ?? 0, root);
  return drawn;
}

/** A card that waits is always drawn, however old. */
function oldestWith(conversation: Conversation, ids: readonly string[]): number {
  const holds = (chunk: Chunk): boolean => chunk.entries.some((entry) => ids.includes(entry.id));
  return (ids.length === 0 ? undefined : conversation.find(holds)?.key) ?? Number.POSITIVE_INFINITY;
}
