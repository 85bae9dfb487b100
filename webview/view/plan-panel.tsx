import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { visibleText } from '../markdown/visible-text.ts';
import type { PlanItem } from '../protocol/state.ts';
import { activeItem, planTitle } from '../state/plan.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import { memo } from './memo.tsx';

/** What the agent means to do, and how far it is. */
export const PlanPanel = memo(({ plan }: { readonly plan: readonly PlanItem[] }) => <Panel plan={plan} />);

function Panel({ plan }: { readonly plan: readonly PlanItem[] }): ComponentChildren {
  const [open, setOpen] = useState(false);
  const listId = useId();
  if (plan.length === 0) return null;
  const active = activeItem(plan);
  return (
    <section class="plan" aria-label="Plan">
      <button type="button" class="plan-head" aria-expanded={open} aria-controls={open ? listId : undefined} onClick={() => setOpen(!open)}>
        <Icon name="chevron-right" />
        <span class="plan-title">{planTitle(plan)}</span>
        {!open && active !== null && <span class="plan-active">{visibleText(active.text)}</span>}
      </button>
      {open && (
        <ol class="plan-items" id={listId} tabIndex={0}>
          {plan.map((item, n) => {
            const [icon, word] = marks(item.status);
            return <li key={n} class={item.status}><Icon name={icon} /><span><span class="visually-hidden">{word}: </span>{visibleText(item.text)}</span></li>;
          })}
        </ol>
      )}
    </section>
  );
}

function marks(status: PlanItem['status']): readonly [IconName, string] {
  switch (status) {
    case 'pending': return ['circle-large', 'To do'];
    case 'active': return ['arrow-right', 'Being done'];
    case 'done': return ['pass-filled', 'Done'];
  }
}
