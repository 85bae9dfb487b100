import type { ComponentChildren } from 'preact';
import { visibleText } from '../markdown/visible-text.ts';
import type { ModelChoice, Models } from '../protocol/state.ts';
import { currentModel } from '../state/sending.ts';
import { useActions } from './actions.ts';
import { Icon } from './icon.tsx';
import { useLock } from './lock.ts';
import { MenuButton, type MenuItem } from './menu-button.tsx';

// Of the menu alone: a model's id has a prefix there.
const add = 'add';
const demonstrate = 'demonstrate';

/** A menu button: the model that answers, the others that are set up, and the way to set up another one. */
export function ModelMenu({ connected, models }: { readonly connected: boolean; readonly models: Models }): ComponentChildren {
  const { post } = useActions();
  const lock = useLock();
  const current = currentModel(models);
  // Nothing is claimed to be missing before the host has said so.
  if (!connected) return null;
  const label = current !== null ? visibleText(current.label) : models.current === null ? 'Set up a model' : visibleText(models.current);
  const choose = (id: string): void => {
    if (id === add) return post({ type: 'addModel' });
    if (id === demonstrate) return post({ type: 'action', id: 'useDemonstration' });
    const chosen = models.choices.find((choice) => keyOf(choice) === id);
    if (chosen !== undefined && chosen.id !== models.current) post({ type: 'setModel', id: chosen.id });
  };
  return (
    <MenuButton
      name={models.current === null ? label : `Model: ${label}`} title={lock !== '' ? lock : current === null ? 'Model' : `Model: ${label}, ${meaningOf(current)}`}
      look="bar-button model-button" state={lock === '' ? 'on' : 'off'} items={itemsOf(models)} onChoose={choose}
    >
      <span class="bar-label">{label}</span>
      {current?.demonstration === true && <span class="badge">script</span>}
      <Icon name="chevron-down" />
    </MenuButton>
  );
}

function itemsOf({ choices, current }: Models): readonly MenuItem[] {
  const set = choices.map((choice): MenuItem => ({
    id: keyOf(choice), label: visibleText(choice.label), meaning: meaningOf(choice), kind: choice.id === current ? 'chosen' : 'choice',
  }));
  const demonstration: readonly MenuItem[] = current !== null || choices.some((choice) => choice.demonstration)
    ? [] : [{ id: demonstrate, label: 'Try the demonstration', meaning: 'A script, nothing is sent', kind: 'command' }];
  return [...set, ...demonstration, { id: add, label: 'Add a model…', meaning: '', kind: 'command', apart: set.length + demonstration.length > 0 }];
}

function meaningOf(choice: ModelChoice): string {
  if (choice.demonstration) return 'A script, nothing is sent';
  return `${visibleText(choice.detail)}${choice.images ? '' : ' · no images'}`;
}

function keyOf({ id }: ModelChoice): string {
  return `model ${id}`;
}
