import type { ComponentChildren } from 'preact';
import type { Models, Status } from '../protocol/state.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

const examples: readonly { readonly icon: IconName; readonly text: string }[] = [
  { icon: 'book', text: 'Explain how this project is laid out and where to start reading' },
  { icon: 'search', text: 'Find what is left unfinished here and say what matters most' },
  { icon: 'beaker', text: 'Write a test for the trickiest function that has none' },
];

/** What a person sees first: what this is, what is missing, and what one might ask. */
export function EmptyState({ status, models, onExample }: { readonly status: Status; readonly models: Models; readonly onExample: (text: string) => void }): ComponentChildren {
  return (
    <div class="empty">
      <div class="empty-inner">
        <Seal />
        <h1>Countersign</h1>
        <p class="empty-lead">A coding agent that proposes. Nothing happens that you, or a rule you can point at, did not sign.</p>
        {models.current === null && <NoModel />}
        {!status.hasWorkspace && <NoFolder />}
        {status.hasWorkspace && (
          <ul class="examples" aria-label="Examples">
            {examples.map(({ icon, text }) => (
              <li key={text}><button type="button" class="example" onClick={() => onExample(text)}><Icon name={icon} /><span>{text}</span></button></li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function NoFolder(): ComponentChildren {
  const { post } = useActions();
  return (
    <section class="set-up" aria-label="Open a folder">
      <h2><Icon name="folder-opened" />No folder is open</h2>
      <p>You can chat all the same. Paths are absolute then, and everything outside a workspace asks first.</p>
      <div class="set-up-actions">
        <Button look="secondary" label="Open a folder" onPress={() => post({ type: 'action', id: 'openFolder' })} />
      </div>
    </section>
  );
}

function NoModel(): ComponentChildren {
  const { post } = useActions();
  return (
    <section class="set-up" aria-label="Set up a model">
      <h2><Icon name="settings-gear" />Set up a model</h2>
      <p>See how it works with the demonstration: a script plays the model, and nothing is sent anywhere. Or add a model of your own, also one on this machine.</p>
      <div class="set-up-actions">
        <Button look="primary" icon="play" label="Try the demonstration" onPress={() => post({ type: 'action', id: 'useDemonstration' })} />
        <Button look="secondary" label="Add a model" onPress={() => post({ type: 'action', id: 'addModel' })} />
      </div>
    </section>
  );
}

function Seal(): ComponentChildren {
  return (
    <svg class="seal" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 2.8 19.5 5.6v6.1c0 4.6-3.1 7.9-7.5 9.5-4.4-1.6-7.5-4.9-7.5-9.5V5.6z" />
      <path d="M8 13.2c1.2-2.6 2.6-4.2 3.4-3.8 1 .5-1.2 4.2-.1 4.5.9.2 1.6-2 2.4-1.8.7.2.1 1.5 1 1.6.5.1.9-.2 1.3-.6" />
    </svg>
  );
}
