import type { TargetedClipboardEvent, TargetedKeyboardEvent } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { ContextMeter as Meter, Models, Status } from '../protocol/state.ts';
import { isBusy } from '../state/chat-state.ts';
import { isEmptyDraft, type Draft } from '../state/drafts.ts';
import { hindranceOf, hindranceText, maxMessage } from '../state/sending.ts';
import { useActions, type When } from './actions.ts';
import { AttachButton } from './attach-button.tsx';
import { ComposerHints } from './composer-hints.tsx';
import { ContextMeter } from './context-meter.tsx';
import { DraftImages } from './draft-images.tsx';
import { sendsAt } from './keys.ts';
import { memo } from './memo.tsx';
import { ModeMenu } from './mode-menu.tsx';
import { ModelMenu } from './model-menu.tsx';
import { SendButton } from './send-button.tsx';
import { useHistory } from './use-history.ts';
import { pastedFiles, type ImageIntake } from './use-images.ts';

export interface ComposerProps {
  /** The host has answered. */
  readonly connected: boolean;
  readonly status: Status;
  readonly models: Models;
  readonly context: Meter | null;
  readonly history: readonly string[];
  readonly draft: Draft;
  readonly refusal: string;
  readonly imagesLost: boolean;
  readonly intake: ImageIntake;
  /** Files are being dragged over the view. */
  readonly dragged: boolean;
}

/** Where the person writes. It sends chat text and images, and nothing here answers a card. */
export const Composer = memo(({ connected, status, models, context, history, draft, refusal, imagesLost, intake, dragged }: ComposerProps) => {
  const { post, write, send } = useActions();
  const field = useRef<HTMLTextAreaElement>(null);
  const [tried, setTried] = useState(false);
  const hintId = useId();
  const goThroughHistory = useHistory(history, field, write);
  const busy = isBusy(status);
  const written = !isEmptyDraft(draft);
  const hindrance = hindranceOf({ connected, draft, status, models, reading: intake.reading });
  const why = hindrance === null ? '' : hindranceText(hindrance, models);
  const hinted = hindrance === 'no-images' || hindrance === 'too-long' || (hindrance === 'no-model' && written) || (tried && hindrance !== 'nothing' && hindrance !== null);

  const trySend = (when: When): void => {
    setTried(hindrance !== null);
    if (hindrance !== null) return;
    intake.clearRefusals();
    send(busy ? when : 'next-step');
  };
  const stop = (): void => post({ type: 'stop' });
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    const when = sendsAt(event);
    if (when !== null) {
      event.preventDefault();
      // A key that is still held down was meant for something else.
      if (!event.repeat) trySend(when);
    } else if (event.key === 'Escape' && !event.isComposing) {
      // Escape stops only where it cannot have been meant for the text; the editor would stop in any case.
      event.stopPropagation();
      if (busy && !written && !status.readOnly) stop();
    } else if (goThroughHistory(event)) event.preventDefault();
  };
  const onPaste = (event: TargetedClipboardEvent<HTMLTextAreaElement>): void => {
    const files = pastedFiles(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    intake.add(files);
  };

  return (
    <div class="composer-area">
      <ComposerHints id={hintId} hindrance={hinted ? why : ''} lacksModel={hindrance === 'no-model'} refusal={refusal} imagesLost={imagesLost} imageRefusals={intake.refusals} onSeen={intake.clearRefusals} />
      <div class={dragged ? 'composer dragged' : 'composer'}>
        <DraftImages images={draft.images} reading={intake.reading} />
        <textarea
          ref={field} class="composer-input" rows={Math.min(12, draft.text.split('\n').length)} maxLength={maxMessage} value={draft.text} spellcheck={false}
          aria-label="Message" aria-describedby={hinted ? hintId : undefined} placeholder={placeholderOf(status, dragged)}
          onInput={(event) => write(event.currentTarget.value)} onKeyDown={onKeyDown} onPaste={onPaste}
        />
        <div class="composer-bar">
          <ModeMenu mode={status.mode} />
          <ModelMenu connected={connected} models={models} />
          {context !== null && <ContextMeter context={context} />}
          <AttachButton onFiles={intake.add} />
          <SendButton status={status} written={written} hindrance={why} onSend={trySend} onStop={stop} />
        </div>
      </div>
    </div>
  );
});

function placeholderOf(status: Status, dragged: boolean): string {
  if (dragged) return 'Drop images here';
  if (status.readOnly) return 'It goes on in another window';
  return isBusy(status) ? 'Add something for the next step' : 'Ask, or describe a change';
}
