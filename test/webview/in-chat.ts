import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { Entry, Status } from '../../webview/protocol/state.ts';
import { ChatPage, launchBrowser, type PageOptions } from './chat-page.ts';
import { serveChatPage, type ChatPageServer } from './chat-page-server.ts';
import { stateOf, type Shown } from './scenes.ts';

let server: ChatPageServer;
let browser: Browser;
before(async () => {
  server = await serveChatPage();
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await server.close();
});

/** A test in a page of its own, which must not have thrown, broken its policy, or asked for anything but itself. */
export function inChat(does: string, run: (chat: ChatPage) => Promise<void>, options: PageOptions = {}): void {
  test(does, async () => {
    const chat = await ChatPage.open(browser, server.origin, options);
    try {
      await run(chat);
      assert.deepEqual(chat.faults, []);
      assert.deepEqual(server.strayRequests, []);
      assert.equal(new URL(chat.page.url()).origin, server.origin);
      assert.equal(await chat.page.locator('[style]').count(), 0, 'the policy of the host forbids style attributes');
    } finally {
      await chat.close();
    }
  });
}

export const show = (chat: ChatPage, entries: readonly Entry[], status: Partial<Status> = {}, rest: Omit<Shown, 'entries' | 'status'> = {}): Promise<void> =>
  chat.sendValid(stateOf({ entries, status, ...rest }));
export const allow = (chat: ChatPage) => chat.page.getByRole('button', { name: 'Allow' });
export const composer = (chat: ChatPage) => chat.page.getByRole('textbox', { name: 'Message' });
export const focusedIn = (chat: ChatPage, selector: string): Promise<boolean> =>
  chat.page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector);
