import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ChatState } from '../state/chat-state.ts';
import type { Store } from '../state/store.ts';
import { ActionsContext, type Actions } from './actions.ts';
import { Composer } from './composer.tsx';
import { EmptyState } from './empty-state.tsx';
import { focusComposer, focusOpenCard } from './focus.ts';
import { isCardShortcut } from './keys.ts';
import { LiveRegions } from './live-regions.tsx';
import { StatusLine } from './status-line.tsx';
import { Transcript } from './transcript.tsx';

export interface AppProps {
  readonly store: Store;
  readonly actions: Actions;
  readonly draft: string;
  /** Keeps the draft for the next time that the page is loaded. */
  readonly keepDraft: (draft: string) => void;
}

export function App({ store, actions, draft: keptDraft, keepDraft }: AppProps): ComponentChildren {
  const [state, setState] = useState<ChatState>(store.current);
  const [draft, setDraft] = useState(keptDraft);
  useEffect(() => store.subscribe(setState), [store]);
  useLayoutEffect(focusComposer, [state.focusRequests]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isCardShortcut(event) && focusOpenCard()) event.preventDefault();
    };
    const onFocus = (): void => {
      if (document.activeElement === document.body) focusComposer();
    };
    document.addEventListener('keydown', onKeyDown);
    window.addEventListener('focus', onFocus);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('focus', onFocus);
    };
  }, []);
  const write = useCallback((text: string): void => {
    setDraft(text);
    keepDraft(text);
  }, [keepDraft]);
  const useExample = useCallback((text: string): void => {
    write(text);
    focusComposer();
  }, [write]);

  const empty = state.conversation.length === 0;
  return (
    <ActionsContext.Provider value={actions}>
      <main class="view">
        {!empty && <Transcript key={state.generation} conversation={state.conversation} open={state.open} replies={state.replies} />}
        {empty && (state.connected ? <EmptyState status={state.status} onExample={useExample} /> : <div class="empty" />)}
        <footer class="dock">
          <StatusLine status={state.status} />
          <Composer status={state.status} draft={draft} onDraft={write} />
        </footer>
      </main>
      <LiveRegions state={state} />
    </ActionsContext.Provider>
  );
}
