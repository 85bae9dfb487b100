import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { capped } from '../markdown/cap.ts';
import { visibleText } from '../markdown/visible-text.ts';
import type { CallEntry, CallStatus } from '../protocol/state.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';
import { CardBody } from './card-body.tsx';
import { focusComposer } from './focus.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import { useLock } from './lock.ts';
import { useOnce } from './use-once.ts';

/** One line a call. It opens on what the model read of the result, and on what the person was shown. */
export function CallRow({ entry }: { readonly entry: CallEntry }): ComponentChildren {
  const { post } = useActions();
  const [chosen, choose] = useState<boolean | null>(null);
  const open = chosen ?? opensItself(entry);
  const bodyId = useId();
  const expandable = entry.detail !== '' || entry.card !== null;
  const [icon, word] = marks(entry.status);
  const lock = useLock();
  const [pressed, press] = useOnce(entry);
  const state = pressed || lock !== '' ? 'off' : 'on';
  // The button goes away once the host has taken it up; the focus must not go with it.
  const ask = (type: 'askAgain' | 'undo'): void => press(() => {
    focusComposer();
    post({ type, callId: entry.card?.callId ?? entry.id });
  });
  const line = (
    <>
      <Icon name={icon} />
      <span class="visually-hidden">{word}: </span>
      <span class="call-title">{visibleText(entry.title)}</span>
      <span class="call-summary">{visibleText(entry.summary)}</span>
    </>
  );
  return (
    <div class={`call ${entry.status}`}>
      <div class="call-line">
        {expandable
          ? <button type="button" class="call-row" aria-expanded={open} aria-controls={open ? bodyId : undefined} onClick={() => choose(!open)}>{line}<Icon name="chevron-right" /></button>
          : <div class="call-row">{line}</div>}
        {entry.canUndo && <Button look="quiet" icon="discard" label="Undo" title={lock === '' ? 'Undo this call' : lock} state={state} onPress={() => ask('undo')} />}
        {entry.canAskAgain && <Button look="quiet" icon="refresh" label="Ask again" title={lock === '' ? 'Ask again' : lock} state={state} onPress={() => ask('askAgain')} />}
      </div>
      {open && expandable && (
        <div class="call-body" id={bodyId}>
          {entry.detail !== '' && (
            <section>
              <h3 class="card-label">What the model read</h3>
              <pre tabIndex={0} aria-label="What the model read">{visibleText(capped(entry.detail))}</pre>
            </section>
          )}
          {entry.card !== null && <section class="shown"><h3 class="card-label">What was shown</h3><CardBody card={entry.card} stage="closed" /></section>}
        </div>
      )}
    </div>
  );
}

/** Why a person's undo failed is an answer to them: it is not for them to look for it. */
function opensItself({ tool, status }: CallEntry): boolean {
  return tool === 'undo_changes' && status === 'failed';
}

function marks(status: CallStatus): readonly [IconName, string] {
  switch (status) {
    case 'receiving': return ['loading', 'Being written'];
    case 'waiting': return ['loading', 'Waiting'];
    case 'asking': return ['shield', 'Asking'];
    case 'running': return ['loading', 'Running'];
    case 'done': return ['check', 'Done'];
    case 'failed': return ['warning', 'Failed'];
    case 'denied': return ['circle-slash', 'Denied'];
    case 'interrupted': return ['debug-disconnect', 'Interrupted'];
  }
}
