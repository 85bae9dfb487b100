import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { isPlainEnter } from './keys.ts';

/** A denial in words. Enter sends it, Escape goes back, Shift+Enter breaks the line. */
export function ReasonForm({ state, onDeny, onCancel }: { readonly state: 'on' | 'off'; readonly onDeny: (reason: string) => void; readonly onCancel: () => void }): ComponentChildren {
  const [reason, setReason] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next key arrives.
  useLayoutEffect(() => field.current?.focus(), []);
  const deny = (): void => { if (state === 'on') onDeny(reason.trim()); };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      // The editor has a meaning of its own for it: stop.
      event.stopPropagation();
      onCancel();
    } else if (isPlainEnter(event)) {
      event.preventDefault();
      if (!event.repeat) deny();
    }
  };
  return (
    <div class="reason">
      <textarea
        ref={field} class="field" rows={2} maxLength={10_000} value={reason} aria-label="Reason for the denial" placeholder="What should it do instead?"
        onInput={(event) => setReason(event.currentTarget.value)} onKeyDown={onKeyDown}
      />
      <div class="card-actions">
        <Button look="primary" label="Deny" state={state} onPress={deny} />
        <Button look="secondary" label="Cancel" onPress={onCancel} />
        <span class="keys-hint">Enter to deny, Esc to go back</span>
      </div>
    </div>
  );
}
