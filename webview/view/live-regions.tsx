import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce, type Announcement } from '../state/announce.ts';
import type { ChatState } from '../state/chat-state.ts';

/** Says changes to a screen reader: what happens politely, what waits for the person at once. */
export function LiveRegions({ state }: { readonly state: ChatState }): ComponentChildren {
  const before = useRef(state);
  const [said, setSaid] = useState<Announcement>({ polite: '', assertive: '' });
  useEffect(() => {
    const { polite, assertive } = announce(before.current, state);
    before.current = state;
    if (polite === '' && assertive === '') return;
    setSaid((last) => ({ polite: again(last.polite, polite), assertive: again(last.assertive, assertive) }));
  }, [state]);
  return (
    <>
      <div class="visually-hidden" role="status" aria-live="polite">{said.polite}</div>
      <div class="visually-hidden" role="alert" aria-live="assertive">{said.assertive}</div>
    </>
  );
}

/** A text that is the same as before would not be said again. */
function again(before: string, text: string): string {
  return text !== '' && text === before ? `${text}\u00A0` : text;
}
