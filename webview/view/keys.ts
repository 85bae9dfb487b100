type EnterEvent = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey' | 'isComposing' | 'keyCode'>;

/** The Enter that sends: no modifier, and not the one that ends an input method's composition. */
export function isPlainEnter(event: EnterEvent): boolean {
  return !event.altKey && isEnter(event);
}

/** In the composer: Enter sends with the next step, Alt+Enter after the turn. */
export function sendsAt(event: EnterEvent): 'next-step' | 'after-turn' | null {
  if (!isEnter(event)) return null;
  return event.altKey ? 'after-turn' : 'next-step';
}

function isEnter(event: EnterEvent): boolean {
  const modified = event.shiftKey || event.ctrlKey || event.metaKey;
  // 229: the key was for the input method, in browsers that end the composition first.
  return event.key === 'Enter' && !modified && !event.isComposing && event.keyCode !== 229;
}

/** By the place of the key: with Alt, a Mac types another letter. */
export function isCardShortcut(event: Pick<KeyboardEvent, 'code' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>): boolean {
  return event.code === 'KeyA' && event.altKey && event.shiftKey && !event.ctrlKey && !event.metaKey;
}

/** Escape leaves a card for the composer. The editor has a meaning of its own for it, to stop: it must not hear it. */
export function leavesCard(event: Pick<KeyboardEvent, 'key' | 'isComposing' | 'stopPropagation'>): boolean {
  if (event.key !== 'Escape' || event.isComposing) return false;
  event.stopPropagation();
  return true;
}
