import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keeps what is read where it is when something is put above it: `first` falls then. The browser does so by itself, but not
 * at the very top, where a person waits for what came before.
 */
export function useKeptPlace(first: number, scroller: RefObject<HTMLElement | null>): void {
  const before = useRef(first);
  /** From the top of the window onto the content to the content's end. */
  const toEnd = useRef(0);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box !== null && first < before.current) box.scrollTop = box.scrollHeight - toEnd.current;
    before.current = first;
  }, [first]);
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const measure = (): void => { toEnd.current = box.scrollHeight - box.scrollTop; };
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    for (const inner of box.children) observer.observe(inner);
    box.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', measure);
    };
  }, []);
}
