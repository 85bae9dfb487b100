import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { isBusy, type ChatState } from '../state/chat-state.ts';
import { elsewhere } from '../state/sending.ts';
import type { Store } from '../state/store.ts';
import { ActionsContext, type Actions } from './actions.ts';
import { Composer } from './composer.tsx';
import { EmptyState } from './empty-state.tsx';
import { focusComposer, focusOpenCard } from './focus.ts';
import { IdleContext } from './idle.ts';
import { isCardShortcut } from './keys.ts';
import { LiveRegions } from './live-regions.tsx';
import { LockContext } from './lock.ts';
import { PlanPanel } from './plan-panel.tsx';
import { ReadOnlyBanner } from './read-only-banner.tsx';
import { StatusLine } from './status-line.tsx';
import { Transcript } from './transcript.tsx';
import { useDrop, useImages } from './use-images.ts';

export interface AppProps {
  readonly store: Store;
  readonly actions: Actions;
}

export function App({ store, actions }: AppProps): ComponentChildren {
  const [state, setState] = useState<ChatState>(store.current);
  useEffect(() => store.subscribe(setState), [store]);
  useLayoutEffect(focusComposer, [state.focusRequests]);
  useKeys();
  const draft = state.drafts.current;
  const intake = useImages(draft.images, actions);
  const dragged = useDrop(intake.add);
  const useExample = useCallback((text: string): void => {
    actions.write(text);
    focusComposer();
  }, [actions]);

  const { status, models } = state;
  const empty = state.conversation.length === 0;
  return (
    <ActionsContext.Provider value={actions}>
      <LockContext.Provider value={status.readOnly ? `${elsewhere} Take it over to do this here.` : ''}>
        <main class="view">
          {!empty && (
            <IdleContext.Provider value={!isBusy(status)}>
              <Transcript key={state.generation} conversation={state.conversation} older={state.older} open={state.open} replies={state.replies} />
            </IdleContext.Provider>
          )}
          {empty && (state.connected ? <EmptyState status={status} models={models} onExample={useExample} /> : <div class="empty" />)}
          <footer class="dock">
            <StatusLine status={status} />
            <PlanPanel plan={state.plan} />
            {status.readOnly && <ReadOnlyBanner />}
            <Composer connected={state.connected} status={status} models={models} context={state.context} history={state.history} draft={draft} refusal={state.refusal} imagesLost={state.imagesLost} intake={intake} dragged={dragged} />
          </footer>
        </main>
      </LockContext.Provider>
      <LiveRegions state={state} />
    </ActionsContext.Provider>
  );
}

/** The way to an open card from anywhere, and the composer's focus when the view gets it. */
function useKeys(): void {
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
}
