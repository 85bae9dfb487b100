import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface StickToBottom {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** The person has scrolled up. */
  readonly away: boolean;
  readonly jump: () => void;
}

const near = 8;

/** Stays at the end while the person is there, whatever grows; never moves a person who has scrolled up. */
export function useStickToBottom(): StickToBottom {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const [away, setAway] = useState(false);

  const jump = useCallback((): void => {
    stuck.current = true;
    setAway(false);
    const box = scroller.current;
    if (box !== null) box.scrollTop = box.scrollHeight;
  }, []);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (box === null || inner === null) return;
    let lastTop = box.scrollTop;
    const onScroll = (): void => {
      const distance = box.scrollHeight - box.clientHeight - box.scrollTop;
      // At the very end a smaller offset only means that the box has grown; elsewhere it means that a person scrolled up.
      if (distance <= 1) stuck.current = true;
      else if (box.scrollTop < lastTop) stuck.current = false;
      else if (distance <= near) stuck.current = true;
      lastTop = box.scrollTop;
      setAway(!stuck.current && distance > box.clientHeight / 4);
    };
    // Called after layout and before painting: the end never flickers.
    const observer = new ResizeObserver(() => {
      if (!stuck.current) return onScroll();
      box.scrollTop = box.scrollHeight;
      // A person's scroll may arrive in one event with this one, and then has to be seen against it.
      lastTop = box.scrollTop;
    });
    observer.observe(box);
    observer.observe(inner);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, []);

  return { scroller, content, away, jump };
}
