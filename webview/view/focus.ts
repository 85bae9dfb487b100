const composer = 'textarea.composer-input';
const openCard = '[data-open-card]';

function all(selector: string): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)];
}

export function focusComposer(): void {
  all(composer)[0]?.focus();
}

/** The first control of the oldest open card, or of the one after that which has the focus. */
export function focusOpenCard(): boolean {
  const cards = all(openCard);
  const current = cards.findIndex((card) => card.contains(document.activeElement));
  const card = cards[(current + 1) % cards.length];
  if (card === undefined) return false;
  card.scrollIntoView({ block: 'end' });
  (card.querySelector<HTMLElement>('[data-first-control]') ?? card).focus({ preventScroll: true });
  return true;
}

/** Where the focus goes from a card that closes: to the next card as a whole, never onto one of its buttons; else to the composer. */
export function focusAfterCard(): void {
  const card = all(openCard)[0];
  if (card === undefined) focusComposer();
  else card.focus();
}
