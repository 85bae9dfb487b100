import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { capped } from '../markdown/cap.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { Icon } from './icon.tsx';

/** Characters of the end that are shown while it grows: laying out all of it in every frame would stop the page. */
const liveEnd = 20_000;

/** What the model thought before it answered. `live` while nothing else has come: then it is open, unless the person says otherwise. */
export function Thinking({ text, live }: { readonly text: string; readonly live: boolean }): ComponentChildren {
  const [wish, setWish] = useState<boolean | null>(null);
  const bodyId = useId();
  const body = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  const open = wish ?? live;
  useLayoutEffect(() => {
    const box = body.current;
    if (box !== null && live && atEnd.current) box.scrollTop = box.scrollHeight;
  }, [text, open, live]);
  return (
    <div class={live ? 'thinking live' : 'thinking'}>
      <button type="button" class="thinking-head" aria-expanded={open} aria-controls={open ? bodyId : undefined} onClick={() => setWish(!open)}>
        <Icon name={live ? 'loading' : 'lightbulb'} /><span>Thinking</span><Icon name="chevron-right" />
      </button>
      {open && (
        <pre
          ref={body} id={bodyId} tabIndex={0} aria-label="Thinking"
          onScroll={({ currentTarget: box }) => { atEnd.current = box.scrollHeight - box.clientHeight - box.scrollTop < 8; }}
        >{visibleText(live ? text.slice(-liveEnd) : capped(text))}</pre>
      )}
    </div>
  );
}
