import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { visibleText } from '../markdown/visible-text.ts';
import type { Question } from '../protocol/state.ts';
import type { Reply } from '../state/chat-state.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';
import { focusComposer } from './focus.ts';
import { Icon } from './icon.tsx';
import { isPlainEnter, leavesCard } from './keys.ts';
import { useLock } from './lock.ts';
import { useCard } from './use-card.ts';

/** A question of the model's to the person: one of its options, or words of their own. */
export function QuestionCard({ question, reply }: { readonly question: Question; readonly reply: Reply | null }): ComponentChildren {
  const actions = useActions();
  const lock = useLock();
  const { element, resting } = useCard(`${question.callId} ${lock}`, () => undefined);
  const [text, setText] = useState('');
  const titleId = useId();
  const sending = reply?.state === 'sent';
  const state = resting || sending || lock !== '' ? 'off' : 'on';
  const hint = lock === '' ? undefined : lock;
  const send = (answer: string): void => { if (state === 'on' && answer.trim() !== '') actions.reply(question.callId, answer.trim()); };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (!isPlainEnter(event)) return;
    event.preventDefault();
    if (!event.repeat) send(text);
  };
  return (
    <section
      ref={element} class={`card question${resting ? ' resting' : ''}`} role="group" aria-labelledby={titleId} tabIndex={-1} data-open-card=""
      onKeyDown={(event) => { if (leavesCard(event)) focusComposer(); }}
    >
      <header class="card-head">
        <Icon name="question" />
        <h2 id={titleId} class="question-text"><span class="visually-hidden">Question: </span>{visibleText(question.question)}</h2>
      </header>
      {question.options.length > 0 && (
        <div class="options">
          {question.options.map((option, n) => <Button key={n} look="secondary" label={visibleText(option)} state={state} title={hint} first={n === 0} onPress={() => send(option)} />)}
        </div>
      )}
      <div class="reply">
        <textarea
          class="field" rows={1} maxLength={100_000} value={text} aria-label="Your answer" placeholder={question.options.length > 0 ? 'Or answer in your own words' : 'Your answer'}
          data-first-control={question.options.length === 0 ? '' : undefined} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={onKeyDown}
        />
        <Button look="primary" label={sending ? 'Sending…' : 'Send'} state={state === 'on' && text.trim() !== '' ? 'on' : 'off'} title={hint} onPress={() => send(text)} />
      </div>
      {reply?.state === 'refused' && <p class="card-refused" role="alert"><Icon name="info" /><span>{visibleText(reply.why)}</span></p>}
    </section>
  );
}
