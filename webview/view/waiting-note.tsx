import type { ComponentChildren } from 'preact';
import type { UserEntry } from '../protocol/state.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';
import { focusComposer } from './focus.ts';
import { Icon } from './icon.tsx';
import { useIdle } from './idle.ts';
import { useLock } from './lock.ts';
import { useOnce } from './use-once.ts';

export interface WaitingNoteProps {
  readonly entry: UserEntry;
  readonly when: 'next-step' | 'after-turn';
  readonly waitsForCard: boolean;
}

/** When a message goes out that waits, and what can be done about it until then. */
export function WaitingNote({ entry, when, waitsForCard }: WaitingNoteProps): ComponentChildren {
  const { post, unqueue } = useActions();
  const lock = useLock();
  const idle = useIdle();
  const [pressed, press] = useOnce(entry);
  const state = pressed || lock !== '' ? 'off' : 'on';
  const hint = lock === '' ? undefined : lock;
  // Both buttons go away once it is done; the focus must not go with them.
  const leaving = (act: () => void): void => press(() => {
    focusComposer();
    act();
  });
  return (
    <div class="queued-note">
      <span class="queued-when"><Icon name="watch" />{timeOf(when, waitsForCard, idle)}</span>
      <span class="queued-actions">
        {(idle || when === 'after-turn') && <Button look="quiet" icon="arrow-up" label="Send now" title={hint ?? (idle ? 'Send it alone' : 'Send with the next step')} state={state} onPress={() => leaving(() => post({ type: 'sendNow', id: entry.id }))} />}
        <Button look="quiet" icon="edit" label="Edit" title={hint ?? 'Take it back into the composer'} state={state} onPress={() => leaving(() => unqueue(entry))} />
      </span>
    </div>
  );
}

function timeOf(when: WaitingNoteProps['when'], waitsForCard: boolean, idle: boolean): string {
  if (waitsForCard) return 'Waiting until the card is answered';
  // After a stop or a reload: then it goes out with whatever is sent next.
  if (idle) return 'With your next message';
  return when === 'after-turn' ? 'After this turn' : 'With the next step';
}
