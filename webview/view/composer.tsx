import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { visibleText } from '../markdown/visible-text.ts';
import type { Status } from '../protocol/state.ts';
import { isBusy } from '../state/chat-state.ts';
import { useActions } from './actions.ts';
import { Button, IconButton } from './button.tsx';
import { isPlainEnter } from './keys.ts';
import { ModeMenu } from './mode-menu.tsx';

export interface ComposerProps {
  readonly status: Status;
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
}

/** Where the person writes. It sends chat text, and nothing here answers a card. */
export function Composer({ status, draft, onDraft }: ComposerProps): ComponentChildren {
  const { post } = useActions();
  const [refused, setRefused] = useState(false);
  const hintId = useId();
  const busy = isBusy(status);
  const lacks = !status.hasWorkspace ? 'folder' : !status.modelReady ? 'model' : 'nothing';
  const written = draft.trim() !== '';
  const hinted = lacks !== 'nothing' && (written || refused);

  const send = (): void => {
    setRefused(lacks !== 'nothing');
    if (!written || lacks !== 'nothing') return;
    post({ type: 'send', text: draft });
    onDraft('');
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (isPlainEnter(event)) {
      event.preventDefault();
      // A key that is still held down was meant for something else.
      if (!event.repeat) send();
    } else if (event.key === 'Escape' && !event.isComposing) {
      // Escape stops only where it cannot have been meant for the text; the editor would stop in any case.
      event.stopPropagation();
      if (busy && draft === '') post({ type: 'stop' });
    }
  };

  return (
    <div class="composer-area">
      {hinted && <MissingHint id={hintId} lacks={lacks} />}
      <div class="composer">
        <textarea
          class="composer-input" rows={Math.min(12, draft.split('\n').length)} maxLength={500_000} value={draft} spellcheck={false}
          aria-label="Message" aria-describedby={hinted ? hintId : undefined} placeholder={busy ? 'Add something; it goes out with the next request' : 'Ask, or describe a change'}
          onInput={(event) => onDraft(event.currentTarget.value)} onKeyDown={onKeyDown}
        />
        <div class="composer-bar">
          <ModeMenu mode={status.mode} />
          <button type="button" class="model" title={status.model === '' ? 'Set up a model' : `${visibleText(status.model)}: open settings`} onClick={() => post({ type: 'action', id: 'openSettings' })}>
            {status.model === '' ? 'No model' : visibleText(status.model)}
          </button>
          {status.demonstration && <span class="badge" title="A scripted model that shows how this works. It is no real one.">Demonstration</span>}
          <span class="composer-end">
            {busy && <IconButton icon="debug-stop" label="Stop (Escape)" state={status.activity === 'stopping' ? 'off' : 'on'} onPress={() => post({ type: 'stop' })} />}
            {(!busy || written) && <IconButton icon="arrow-up" look="primary" label={busy ? 'Queue for the next request (Enter)' : 'Send (Enter)'} state={written && lacks === 'nothing' ? 'on' : 'off'} onPress={send} />}
          </span>
        </div>
      </div>
    </div>
  );
}

function MissingHint({ id, lacks }: { readonly id: string; readonly lacks: 'folder' | 'model' }): ComponentChildren {
  const { post } = useActions();
  return (
    <div class="hint" id={id}>
      {lacks === 'folder'
        ? <span>Open a folder to send this: Countersign works in one.</span>
        : <><span>Set up a model to send this.</span><Button look="secondary" label="Set up a model" onPress={() => post({ type: 'action', id: 'openSettings' })} /></>}
    </div>
  );
}
