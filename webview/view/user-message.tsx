import type { ComponentChildren } from 'preact';
import { capped } from '../markdown/cap.ts';
import { visibleText } from '../markdown/visible-text.ts';
import type { UserEntry } from '../protocol/state.ts';
import { Icon } from './icon.tsx';

export function UserMessage({ entry, waitsForCard }: { readonly entry: UserEntry; readonly waitsForCard: boolean }): ComponentChildren {
  return (
    <div class={entry.queued ? 'user queued' : 'user'}>
      <span class="visually-hidden">You: </span>
      <div class="user-text">{visibleText(capped(entry.text))}</div>
      {entry.queued && <div class="queued-note"><Icon name="watch" />{waitsForCard ? 'Waiting until the card is answered' : 'Queued: goes out with the next request'}</div>}
    </div>
  );
}
