import type { ComponentChildren } from 'preact';
import type { Status } from '../protocol/state.ts';
import { useActions } from './actions.ts';
import { Icon } from './icon.tsx';
import { useLock } from './lock.ts';
import { MenuButton } from './menu-button.tsx';

type Mode = Status['mode'];
const modes: readonly { readonly mode: Mode; readonly label: string; readonly meaning: string }[] = [
  { mode: 'ask', label: 'Ask', meaning: 'Reads the workspace, and asks before anything else.' },
  { mode: 'plan', label: 'Plan', meaning: 'Reads the workspace. Changing anything is denied.' },
];

/** A menu button: the mode that the agent works in. */
export function ModeMenu({ mode }: { readonly mode: Mode }): ComponentChildren {
  const { post } = useActions();
  const lock = useLock();
  const label = modes.find((item) => item.mode === mode)?.label ?? mode;
  const choose = (id: string): void => {
    const chosen = modes.find((item) => item.mode === id)?.mode;
    if (chosen !== undefined && chosen !== mode) post({ type: 'setMode', mode: chosen });
  };
  return (
    <MenuButton
      name={`Mode: ${label}`} title={lock === '' ? 'Mode' : lock} look="bar-button mode-button" state={lock === '' ? 'on' : 'off'}
      items={modes.map((item) => ({ id: item.mode, label: item.label, meaning: item.meaning, kind: item.mode === mode ? 'chosen' : 'choice' }))}
      onChoose={choose}
    >
      <span class="bar-label">{label}</span><Icon name="chevron-down" />
    </MenuButton>
  );
}
