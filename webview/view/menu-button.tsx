import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { typeAhead, type Typed } from './type-ahead.ts';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly meaning: string;
  /** One of several of which one holds, or something to do. */
  readonly kind: 'choice' | 'chosen' | 'command';
  /** `Alt+Enter` */
  readonly keys?: string | undefined;
  /** Stands below a line. */
  readonly apart?: boolean | undefined;
}

export interface MenuButtonProps {
  /** Of the menu, and of the button together with what it shows. */
  readonly name: string;
  readonly title: string;
  readonly look: string;
  readonly side?: 'left' | 'right';
  readonly state?: 'on' | 'off';
  readonly items: readonly MenuItem[];
  readonly onChoose: (id: string) => void;
  /** What the button shows; in words it is in `name`. */
  readonly children: ComponentChildren;
}

/** A button with a menu: arrows, Home, End and the first letters move, Escape and Tab close, and the focus comes back to the button. */
export function MenuButton({ name, title, look, side = 'left', state = 'on', items, onChoose, children }: MenuButtonProps): ComponentChildren {
  const [open, setOpen] = useState(false);
  const menuId = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const typed = useRef<Typed>({ letters: '', at: 0 });
  const elements = (): readonly HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>('.menu-item') ?? [])];
  const shown = open && state === 'on';

  // Before the next key arrives.
  useLayoutEffect(() => {
    if (shown) (elements().find((item) => item.ariaChecked === 'true') ?? elements()[0])?.focus();
  }, [shown]);
  useEffect(() => {
    if (!shown) return;
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [shown]);

  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const all = elements();
    const at = all.findIndex((item) => item === document.activeElement);
    if (event.key === 'Escape') {
      event.stopPropagation();
      return close();
    }
    if (event.key === 'Tab') return setOpen(false);
    const next = targetOf(event, at, all.length) ?? wordTarget(event, at);
    if (next === null) return;
    event.preventDefault();
    all[next]?.focus();
  };
  const wordTarget = (event: KeyboardEvent, at: number): number | null => {
    if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return null;
    const { found, next } = typeAhead(items.map(({ label }) => label), at, typed.current, { letter: event.key, at: event.timeStamp });
    typed.current = next;
    return found;
  };

  return (
    <div class={`menu-root ${side}`} ref={root}>
      <button
        ref={button} type="button" class={look} aria-haspopup="menu" aria-expanded={shown} aria-controls={shown ? menuId : undefined} aria-disabled={state === 'off'}
        aria-label={name} title={title} onClick={() => setOpen(!open)}
        onKeyDown={(event) => { if (event.key === 'ArrowDown' || event.key === 'ArrowUp') { event.preventDefault(); setOpen(true); } }}
      >{children}</button>
      {shown && (
        <div class="menu" id={menuId} role="menu" aria-label={title} onKeyDown={onKeyDown}>
          {items.map((item) => (
            <button
              key={item.id} type="button" role={item.kind === 'command' ? 'menuitem' : 'menuitemradio'} aria-checked={item.kind === 'command' ? undefined : item.kind === 'chosen'}
              tabIndex={-1} class={`menu-item${item.apart === true ? ' apart' : ''}`}
              onClick={() => { close(); onChoose(item.id); }}
            >
              <span class="menu-check">{item.kind === 'chosen' && <Icon name="check" />}</span>
              <span class="menu-text">
                <span class="menu-label">{item.label}</span>
                {item.meaning !== '' && <span class="menu-meaning">{item.meaning}</span>}
              </span>
              {item.keys !== undefined && <kbd class="menu-keys">{item.keys}</kbd>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function targetOf({ key }: KeyboardEvent, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown': return (at + 1) % count;
    case 'ArrowUp': return (Math.max(at, 0) - 1 + count) % count;
    case 'Home': return 0;
    case 'End': return count - 1;
    default: return null;
  }
}
