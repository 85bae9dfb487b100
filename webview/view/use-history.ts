import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { goBack, goForward, type Walk } from '../state/history.ts';

/** Up and Down go through what was sent; true where the key was for that. The caret has to stand on the first line, or the last. */
export function useHistory(history: readonly string[], field: RefObject<HTMLTextAreaElement | null>, write: (text: string) => void): (event: KeyboardEvent) => boolean {
  const walk = useRef<Walk | null>(null);
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current === null) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });

  const put = (text: string, next: Walk | null, at: number): true => {
    walk.current = next;
    caret.current = at;
    write(text);
    return true;
  };
  return (event) => {
    const box = field.current;
    if (box === null || event.isComposing || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || box.selectionStart !== box.selectionEnd) return false;
    const { value, selectionStart } = box;
    if (event.key === 'ArrowUp' && !value.slice(0, selectionStart).includes('\n')) {
      const next = goBack(history, walk.current, value);
      // On the first line of several, so that Up goes on and Down goes through its lines.
      return next !== null && put(next.shown, next, next.shown.includes('\n') ? 0 : next.shown.length);
    }
    if (event.key === 'ArrowDown' && !value.slice(selectionStart).includes('\n')) {
      const next = goForward(history, walk.current, value);
      return next !== null && put(next.text, next.walk, next.text.length);
    }
    return false;
  };
}
