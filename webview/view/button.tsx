import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

export interface ButtonProps {
  readonly label: string;
  readonly look: 'primary' | 'secondary' | 'quiet';
  readonly icon?: IconName | undefined;
  /** `off` stays reachable and says why in its title, and does nothing. */
  readonly state?: 'on' | 'off';
  readonly title?: string | undefined;
  readonly first?: boolean;
  readonly children?: ComponentChildren;
  readonly onPress: () => void;
}

/** A button that a held key presses once. */
export function Button({ label, look, icon, state = 'on', title, first, children, onPress }: ButtonProps): ComponentChildren {
  return (
    <button
      type="button" class={`button ${look}`} aria-disabled={state === 'off'} title={title} data-first-control={first === true ? '' : undefined}
      onKeyDown={(event) => { if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault(); }}
      onClick={() => { if (state === 'on') onPress(); }}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span class="button-label">{label}</span>
      {children}
    </button>
  );
}

export function IconButton({ label, icon, look = 'quiet', state = 'on', onPress }: {
  readonly label: string; readonly icon: IconName; readonly look?: 'primary' | 'quiet'; readonly state?: 'on' | 'off'; readonly onPress: () => void;
}): ComponentChildren {
  return (
    <button type="button" class={`icon-button ${look}`} aria-label={label} title={label} aria-disabled={state === 'off'} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}
