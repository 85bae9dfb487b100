import type { ComponentChildren } from 'preact';
import type { Status } from '../protocol/state.ts';
import { isBusy } from '../state/chat-state.ts';
import type { When } from './actions.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { MenuButton, type MenuItem } from './menu-button.tsx';

export interface SendButtonProps {
  readonly status: Status;
  readonly written: boolean;
  /** Why it cannot be sent; empty where it can. */
  readonly hindrance: string;
  readonly onSend: (when: When) => void;
  readonly onStop: () => void;
}

const whens: readonly MenuItem[] = [
  { id: 'next-step', label: 'Send with the next step', meaning: 'The model reads it before it goes on', keys: 'Enter', kind: 'command' },
  { id: 'after-turn', label: 'Send after this turn', meaning: 'It waits until the work is done', keys: 'Alt+Enter', kind: 'command' },
  { id: 'stop', label: 'Stop', meaning: '', keys: 'Esc', kind: 'command', apart: true },
];

/** Sends, and while the agent works: with its next step or after the turn, or stops it. */
export function SendButton({ status, written, hindrance, onSend, onStop }: SendButtonProps): ComponentChildren {
  const busy = isBusy(status);
  const choose = (id: string): void => {
    if (id === 'stop') onStop();
    else onSend(id === 'after-turn' ? 'after-turn' : 'next-step');
  };
  const label = hindrance !== '' ? `Send: ${hindrance}` : busy ? 'Send with the next step (Enter)' : 'Send (Enter)';
  return (
    <span class="composer-end">
      {busy && <IconButton icon="debug-stop" label="Stop (Escape)" state={status.activity === 'stopping' || status.readOnly ? 'off' : 'on'} onPress={onStop} />}
      {(!busy || written) && (
        <span class={busy ? 'split' : undefined}>
          <IconButton icon="arrow-up" look="primary" label={label} state={hindrance === '' ? 'on' : 'off'} onPress={() => onSend('next-step')} />
          {busy && (
            <MenuButton name="When to send" title="When to send" look="icon-button primary split-end" side="right" state={hindrance === '' ? 'on' : 'off'} items={whens} onChoose={choose}>
              <Icon name="chevron-down" />
            </MenuButton>
          )}
        </span>
      )}
    </span>
  );
}
