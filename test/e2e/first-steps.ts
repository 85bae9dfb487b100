import type { Frame, Page } from 'playwright-core';
import type { EditorPage } from '../../scripts/editor-page.ts';
import { personAt, type SeenCard } from '../../scripts/person.ts';

/** What a person's hands did in a window. */
export interface Hands {
  clicks: number;
  keys: number;
}

/** Counts every click and every key that reaches the page; to be called before the page loads. A webview's frame is counted from when the chat is open. */
export async function countHands(page: Page): Promise<Hands> {
  const hands: Hands = { clicks: 0, keys: 0 };
  await page.context().exposeBinding('countersignHand', (_source, kind: unknown) => {
    if (kind === 'click') hands.clicks += 1;
    else hands.keys += 1;
  });
  await page.addInitScript(tellHands);
  return hands;
}

/** The editor writes a webview's document anew, and with it goes what listened before. */
async function watchHands(frame: Frame): Promise<void> {
  await frame.evaluate(tellHands);
}

/** Runs in the page. */
function tellHands(): void {
  const tell = (kind: string) => (event: Event): void => {
    const count: unknown = Reflect.get(window, 'countersignHand');
    if (event.isTrusted && typeof count === 'function') count(kind);
  };
  window.addEventListener('pointerdown', tell('click'), true);
  window.addEventListener('keydown', tell('key'), true);
}

export const demonstrationFile = 'countersign-demo.md';

/**
 * What someone does who has just installed the extension and opened a folder, up to the first change that they have allowed: open the chat,
 * take the demonstration, ask for something, read the card, allow. Resolves, with that card, once it is done. A folder that is not trusted yet
 * needs no other answer first.
 */
export async function firstSteps(editor: EditorPage): Promise<SeenCard> {
  const person = personAt(editor);
  await person.openChat();
  await watchHands(await person.frame());
  await person.pressButton('Try the demonstration');
  await person.type('Show me');
  await person.press('Enter');
  const card = await person.seesCard();
  await person.allow();
  await person.sees('Signed, and written');
  return card;
}
