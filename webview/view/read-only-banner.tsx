import type { ComponentChildren } from 'preact';
import { elsewhere } from '../state/sending.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** The session is written by another window: it can be watched here, taken over, or left. */
export function ReadOnlyBanner(): ComponentChildren {
  const { post } = useActions();
  return (
    <section class="banner" aria-label="Read-only">
      <p><Icon name="lock" /><span>{elsewhere}</span></p>
      <div class="banner-actions">
        <Button look="primary" label="Take it over" title="It goes on here; the other window only shows it then" onPress={() => post({ type: 'action', id: 'takeOver' })} />
        <Button look="secondary" label="New session" onPress={() => post({ type: 'newSession' })} />
      </div>
    </section>
  );
}
