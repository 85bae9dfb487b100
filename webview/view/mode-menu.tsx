import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Status } from '../protocol/state.ts';
import { useActions } from './actions.ts';
import { Icon } from './icon.tsx';

type Mode = Status['mode'];
const modes: readonly { readonly mode: Mode; readonly label: string; readonly meaning: string }[] = [
  { mode: 'ask', label: 'Ask', meaning: 'Reads the workspace, and asks before anything else.' },
  { mode: 'plan', label: 'Plan', meaning: 'Reads the workspace. Changing anything is denied.' },
];

/** A menu button: the mode that the agent works in. */
export function ModeMenu({ mode }: { readonly mode: Mode }): ComponentChildren {
  const { post } = useActions();
  const [open, setOpen] = useState(false);
  const menuId = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const items = (): readonly HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitemradio]') ?? [])];

  // Before the next key arrives.
  useLayoutEffect(() => {
    if (open) (items().find((item) => item.ariaChecked === 'true') ?? items()[0])?.focus();
  }, [open]);
  useEffect(() => {
    if (!open) return;
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [open]);

  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab') setOpen(false);
    else if (step !== 0) {
      event.preventDefault();
      all[(at + step + all.length) % all.length]?.focus();
    }
  };
  const choose = (chosen: Mode): void => {
    if (chosen !== mode) post({ type: 'setMode', mode: chosen });
    close();
  };

  return (
    <div class="mode" ref={root}>
      <button
        ref={button} type="button" class="mode-button" aria-haspopup="menu" aria-expanded={open} aria-controls={open ? menuId : undefined}
        aria-label={`Mode: ${labelOf(mode)}`} title="Mode" onClick={() => setOpen(!open)}
        onKeyDown={(event) => { if (event.key === 'ArrowDown' || event.key === 'ArrowUp') { event.preventDefault(); setOpen(true); } }}
      >
        <span>{labelOf(mode)}</span><Icon name="chevron-down" />
      </button>
      {open && (
        <div class="menu" id={menuId} role="menu" aria-label="Mode" onKeyDown={onKeyDown}>
          {modes.map((item) => (
            <button key={item.mode} type="button" role="menuitemradio" aria-checked={item.mode === mode} tabIndex={-1} class="menu-item" onClick={() => choose(item.mode)}>
              <span class="menu-check">{item.mode === mode && <Icon name="check" />}</span>
              <span class="menu-text"><span class="menu-label">{item.label}</span><span class="menu-meaning">{item.meaning}</span></span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function labelOf(mode: Mode): string {
  return modes.find((item) => item.mode === mode)?.label ?? mode;
}
