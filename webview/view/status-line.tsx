import type { ComponentChildren } from 'preact';
import { visibleText } from '../markdown/visible-text.ts';
import type { Status } from '../protocol/state.ts';
import { cardShortcut, statusText } from '../state/announce.ts';
import { isBusy } from '../state/chat-state.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

/** What happens now, in a few words. Nothing while nothing happens. */
export function StatusLine({ status }: { readonly status: Status }): ComponentChildren {
  if (!isBusy(status)) return null;
  return (
    <div class={`status-line ${status.activity}`}>
      <Icon name={iconOf(status)} />
      <span class="status-text">{visibleText(statusText(status))}</span>
      {status.activity === 'asking' && !status.readOnly && <kbd class="keys-hint" title="Goes to the card">{cardShortcut}</kbd>}
    </div>
  );
}

function iconOf({ activity }: Status): IconName {
  switch (activity) {
    case 'waiting': return 'watch';
    case 'asking': return 'shield';
    default: return 'loading';
  }
}
