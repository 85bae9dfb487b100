import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { visibleText } from '../markdown/visible-text.ts';
import type { ContextMeter as Meter } from '../protocol/state.ts';
import { fillOf, percent, tokens } from '../state/context.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';

/** How full the model's context is. It opens by a click, under the pointer and with the focus, and says what fills it. */
export function ContextMeter({ context }: { readonly context: Meter }): ComponentChildren {
  const { post } = useActions();
  const [open, setOpen] = useState(false);
  // A click that follows the focus or the pointer would close what they have just opened.
  const openedBy = useRef<'none' | 'passing' | 'click'>('none');
  const popoverId = useId();
  const fill = fillOf(context);
  const show = (by: 'passing' | 'click'): void => {
    if (openedBy.current !== 'click') openedBy.current = by;
    setOpen(true);
  };
  const close = (): void => {
    openedBy.current = 'none';
    setOpen(false);
  };
  return (
    <div
      class="meter" onPointerEnter={(event) => { if (event.pointerType === 'mouse') show('passing'); }}
      onPointerLeave={(event) => { if (!event.currentTarget.contains(document.activeElement)) close(); }}
      onFocusOut={(event) => { if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) close(); }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        type="button" class={`bar-button meter-button ${fill.level}`} aria-expanded={open} aria-controls={open ? popoverId : undefined}
        aria-label={`Context: ${percent(fill.share)} used, ${tokens(context.used)} of ${tokens(context.limit)} tokens`}
        onFocus={(event) => { if (event.currentTarget.matches(':focus-visible')) show('passing'); }}
        onClick={() => { if (open && openedBy.current === 'click') close(); else show('click'); }}
      >
        <Ring share={fill.share} />
        <span class="meter-label">{percent(fill.share)}</span>
      </button>
      {open && (
        <div class="popover" id={popoverId} role="group" aria-label="What fills the context">
          <div class="popover-inner">
            <div class="meter-head"><span>Context</span><span>{tokens(context.used)} of {tokens(context.limit)} tokens</span></div>
            <svg class={`meter-bar ${fill.level}`} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect class="meter-track" width="100" height="4" /><rect class="meter-fill" width={Math.min(100, fill.share * 100)} height="4" />
            </svg>
            <table class="meter-parts">
              <tbody>
                {context.parts.map((part, n) => (
                  <tr key={n}><th scope="row">{visibleText(part.label)}</th><td>{tokens(part.tokens)}</td><td>{percent(context.used === 0 ? 0 : part.tokens / context.used)}</td></tr>
                ))}
              </tbody>
            </table>
            {context.cachedShare !== null && <p class="meter-note">{percent(context.cachedShare)} of the last request came from the provider’s cache.</p>}
            <Button look="quiet" icon="eye" label="Show what the model sees" onPress={() => post({ type: 'showModelContext' })} />
          </div>
        </div>
      )}
    </div>
  );
}

const around = 2 * Math.PI * 6;

function Ring({ share }: { readonly share: number }): ComponentChildren {
  return (
    <svg class="ring" viewBox="0 0 16 16" aria-hidden="true">
      <circle class="ring-track" cx="8" cy="8" r="6" />
      <circle class="ring-fill" cx="8" cy="8" r="6" stroke-dasharray={`${Math.min(1, share) * around} ${around}`} transform="rotate(-90 8 8)" />
    </svg>
  );
}
