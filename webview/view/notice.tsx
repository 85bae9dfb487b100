import type { ComponentChildren } from 'preact';
import { visibleText } from '../markdown/visible-text.ts';
import type { NoticeEntry } from '../protocol/state.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

export function Notice({ entry }: { readonly entry: NoticeEntry }): ComponentChildren {
  const { post } = useActions();
  return (
    <div class={`notice ${entry.level}`}>
      <Icon name={entry.level} />
      <div class="notice-body">
        <span class="visually-hidden">{entry.level}: </span>
        <div class="notice-text">{visibleText(entry.text)}</div>
        {entry.actions.length > 0 && (
          <div class="notice-actions">
            {entry.actions.map(({ id, label }) => <Button key={id} look="secondary" label={visibleText(label)} onPress={() => post({ type: 'action', id })} />)}
          </div>
        )}
      </div>
    </div>
  );
}
