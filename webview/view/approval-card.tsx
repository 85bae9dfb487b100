import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { visibleText } from '../markdown/visible-text.ts';
import type { Card } from '../protocol/state.ts';
import type { Reply } from '../state/chat-state.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';
import { CardBody } from './card-body.tsx';
import { focusComposer } from './focus.ts';
import { Icon } from './icon.tsx';
import { leavesCard } from './keys.ts';
import { useLock } from './lock.ts';
import { ReasonForm } from './reason-form.tsx';
import { useCard } from './use-card.ts';

/** An open card. Only its own buttons answer it; chat text never does. */
export function ApprovalCard({ card, reply }: { readonly card: Card; readonly reply: Reply | null }): ComponentChildren {
  const { post, answer } = useActions();
  const { callId, digest } = card;
  const lock = useLock();
  const { element, resting, restKey } = useCard(`${digest} ${lock}`, () => { if (lock === '') post({ type: 'cardShown', callId, digest }); });
  const [denying, setDenying] = useState(false);
  const titleId = useId();
  const sending = reply?.state === 'sent';
  const state = resting || sending || lock !== '' ? 'off' : 'on';
  // The form goes away with the focus in it; the card keeps it, not one of its buttons.
  const closeForm = (): void => {
    element.current?.focus();
    setDenying(false);
  };
  const deny = (reason: string): void => {
    element.current?.focus();
    answer(callId, digest, 'deny', reason);
  };
  const hint = lock !== '' ? lock : sending ? 'Sent; waiting for the editor' : resting ? 'Answers count half a second after the card appears' : undefined;

  return (
    <section
      ref={element} class={`card approval${resting ? ' resting' : ''}${lock === '' ? '' : ' locked'}`} role="group" aria-labelledby={titleId} tabIndex={-1} data-open-card=""
      onKeyDown={(event) => { if (leavesCard(event)) focusComposer(); }}
    >
      <header class="card-head">
        <Icon name="shield" />
        <h2 id={titleId}><span class="visually-hidden">Approval needed: </span>{visibleText(card.title)}</h2>
      </header>
      <CardBody card={card} stage="open" />
      {reply?.state === 'refused' && <p class="card-refused" role="alert"><Icon name="info" /><span>{visibleText(reply.why)}</span></p>}
      {denying && !sending
        ? <ReasonForm state={state} onDeny={deny} onCancel={closeForm} />
        : (
          <div class="card-actions">
            <Button look="primary" label={sending ? 'Sending…' : 'Allow'} state={state} title={hint} first onPress={() => answer(callId, digest, 'allow', '')}>
              {resting && !sending && lock === '' && <span key={restKey} class="rest" />}
            </Button>
            <Button look="secondary" label="Deny" state={state} title={hint} onPress={() => deny('')} />
            <Button look="secondary" label="Deny with a reason…" state={state} title={hint} onPress={() => setDenying(true)} />
          </div>
        )}
    </section>
  );
}
