import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { HostMessage, ViewMessage } from '../../webview/protocol/messages.ts';

declare global {
  interface Window { posted: readonly ViewMessage[] }
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

export interface PageOptions {
  readonly theme?: string;
  readonly width?: number;
  readonly height?: number;
  readonly zoom?: number;
}

/** The chat in a browser, with the test in the host's place. */
export class ChatPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Exceptions, and breaches of the content security policy. */
  readonly faults: string[] = [];
  readonly warnings: string[] = [];

  private constructor(page: Page, context: BrowserContext) {
    this.page = page;
    this.context = context;
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'warning') this.warnings.push(message.text());
      else if (message.type() === 'error') this.faults.push(message.text());
    });
  }

  static async open(browser: Browser, origin: string, options: PageOptions = {}): Promise<ChatPage> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 420, height: options.height ?? 760 }, deviceScaleFactor: options.zoom ?? 1,
    });
    const page = await context.newPage();
    const chat = new ChatPage(page, context);
    await page.goto(`${origin}/?theme=${options.theme ?? 'dark'}`);
    await chat.untilPosted('ready');
    return chat;
  }

  /** As the host does. Anything can be sent: the view has to check it. */
  async send(...messages: readonly unknown[]): Promise<void> {
    await this.page.evaluate((all) => { for (const message of all) window.postMessage(message, '*'); }, messages);
    await this.settle();
  }

  sendValid(...messages: readonly HostMessage[]): Promise<void> {
    return this.send(...messages);
  }

  /** Until what was sent is drawn. */
  async settle(): Promise<void> {
    await this.page.evaluate(() => new Promise<void>((resolve) => {
      setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())), 0);
    }));
  }

  posted(): Promise<readonly ViewMessage[]> {
    return this.page.evaluate(() => window.posted);
  }

  async postedOf<T extends ViewMessage['type']>(type: T): Promise<readonly Extract<ViewMessage, { type: T }>[]> {
    const isOf = (message: ViewMessage): message is Extract<ViewMessage, { type: T }> => message.type === type;
    return (await this.posted()).filter(isOf);
  }

  async untilPosted(type: ViewMessage['type'], times = 1): Promise<void> {
    await this.page.waitForFunction(([name, count]) => window.posted.filter((message) => message.type === name).length >= count, [type, times] as const);
  }

  /** Until the buttons of the open card answer. */
  async untilRested(): Promise<void> {
    await this.page.locator('.card:not(.resting)').first().waitFor();
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
