import type { ComponentChildren } from 'preact';
import { capped } from '../markdown/cap.ts';
import { visibleText } from '../markdown/visible-text.ts';
import type { UserEntry } from '../protocol/state.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';
import { focusComposer } from './focus.ts';
import { useLock } from './lock.ts';
import { Thumbnails } from './thumbnails.tsx';
import { useOnce } from './use-once.ts';
import { WaitingNote } from './waiting-note.tsx';

export function UserMessage({ entry, waitsForCard }: { readonly entry: UserEntry; readonly waitsForCard: boolean }): ComponentChildren {
  const { post } = useActions();
  const lock = useLock();
  const [pressed, press] = useOnce(entry);
  // The button goes away once it is done; the focus must not go with it.
  const undoSince = (): void => press(() => {
    focusComposer();
    post({ type: 'undoSince', entryId: entry.id });
  });
  return (
    <div class={entry.queued === 'no' ? 'user' : 'user queued'}>
      <span class="visually-hidden">You: </span>
      <Thumbnails images={entry.images} />
      {entry.text !== '' && <div class="user-text">{visibleText(capped(entry.text))}</div>}
      {entry.queued !== 'no' && <WaitingNote entry={entry} when={entry.queued} waitsForCard={waitsForCard} />}
      {entry.canUndoSince && (
        <div class="user-undo">
          <Button
            look="quiet" icon="discard" label="Undo since here" title={lock === '' ? 'Takes back every change of files since this message' : lock}
            state={pressed || lock !== '' ? 'off' : 'on'} onPress={undoSince}
          />
        </div>
      )}
    </div>
  );
}
