import type { Page } from 'playwright-core';

/** What happened in the editor's page or in a frame of it, with the page's own clock: milliseconds since 1970. */
export interface PageEvent {
  /** `click`, `keydown` with the key, `typed` with the field's value, or `drawn` with the new text, once the frame is drawn. */
  readonly what: string;
  readonly at: number;
  readonly text: string;
}

export interface PageClock {
  /** The first event from now on, or since `from`, for which this holds; throws after a minute. */
  next(holds: (event: PageEvent) => boolean, from?: number): Promise<PageEvent>;
}

const patienceMs = 60_000;

/**
 * Notes in the page itself when keys and clicks arrive and when text is drawn, so that no figure holds the way to the driver and back.
 * To be called before the page loads.
 */
export async function pageClock(page: Page): Promise<PageClock> {
  const events: PageEvent[] = [];
  const waiting = new Set<() => void>();
  await page.exposeBinding('notePageEvent', (_source, event: PageEvent) => {
    events.push(event);
    for (const wake of waiting) wake();
  });
  await page.addInitScript(noteEvents);
  return {
    async next(holds, from = Date.now()) {
      const end = performance.now() + patienceMs;
      for (;;) {
        const found = events.find((event) => event.at >= from && holds(event));
        if (found !== undefined) return found;
        if (performance.now() > end) throw new Error('What was waited for never happened in the page.');
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake);
            clearTimeout(timer);
            resolve();
          };
          const timer = setTimeout(wake, 1000);
          waiting.add(wake);
        });
      }
    },
  };
}

/** Runs in the page and in each of its frames. */
function noteEvents(): void {
  const note = (what: string, text: string): void => {
    (globalThis as unknown as { notePageEvent(event: PageEvent): void }).notePageEvent({ what, at: Date.now(), text });
  };
  const onClick = (): void => note('click', '');
  const onKey = ({ key }: KeyboardEvent): void => note('keydown', key);
  const onInput = ({ target }: Event): void => note('typed', target instanceof HTMLTextAreaElement ? target.value : '');
  // A second time they count once.
  const listen = (): void => {
    addEventListener('click', onClick, true);
    addEventListener('keydown', onKey, true);
    addEventListener('input', onInput, true);
  };
  listen();
  // The workbench's own page draws all the time, and nothing that is measured.
  if (window === window.top) return;
  const observer = new MutationObserver((records) => {
    listen();
    const text = records.flatMap(({ type, target, addedNodes }) => (type === 'characterData' ? [target] : [...addedNodes])).map((node) => node.textContent ?? '').join(' ');
    // Before the next frame's drawing; what it takes to draw is in the one after.
    if (text.trim() !== '' && document.querySelector('textarea') !== null) requestAnimationFrame(() => setTimeout(() => note('drawn', text.slice(-2000))));
  });
  // A webview's frame begins empty, gets a document in the same window, and that is written anew, which takes its listeners away.
  let seen: Document | null = null;
  const timer = setInterval(() => {
    if (seen !== document) observer.observe(document, { subtree: true, childList: true, characterData: true });
    seen = document;
    listen();
    if (document.querySelector('textarea') !== null) clearInterval(timer);
  }, 4);
}
