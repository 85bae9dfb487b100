import { chromium, type Browser, type Frame, type Locator, type Page } from 'playwright-core';
import { ensureBrowser } from './install-browser.ts';
import type { VscodeServer } from './vscode-server.ts';

export interface EditorOptions {
  readonly server: VscodeServer;
  /** An absolute path, of a folder or of a `.code-workspace` file; without it no folder is open. */
  readonly folder?: string;
  /** What the embedder tells the editor: development and test paths. */
  readonly payload?: readonly (readonly [string, string])[];
  readonly viewport?: { readonly width: number; readonly height: number };
  /** By default hidden, of a fixed size. */
  readonly window?: 'hidden' | 'visible';
  /** Called before the page loads: the place to expose functions to it. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export interface EditorPage {
  readonly page: Page;
  /** Clicks the icon in the activity bar, unless its view is open. */
  openView(title: string): Promise<void>;
  /** Runs a command as a person would: F1, its title, Enter. */
  runCommand(title: string): Promise<void>;
  /** The frame inside the webviews of which this selector matches something. */
  frameWith(selector: string): Promise<Frame>;
  /** Opens another folder in the same browser, as a reload would. */
  openFolder(folder: string): Promise<void>;
  /** Drags the side bar's edge by so many pixels. */
  widenSideBar(pixels: number): Promise<void>;
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
}

export type ColourTheme = 'light' | 'dark' | 'high contrast dark' | 'high contrast light';

/** For `workbench.colorTheme`. */
export const themeSettings: Readonly<Record<ColourTheme, string>> = {
  light: 'Light 2026',
  dark: 'Dark 2026',
  'high contrast dark': 'Default High Contrast',
  'high contrast light': 'Default High Contrast Light',
};

/** The class of the workbench under each theme. */
export const themeClasses: Readonly<Record<ColourTheme, string>> = {
  light: 'vs', dark: 'vs-dark', 'high contrast dark': 'hc-black', 'high contrast light': 'hc-light',
};

export const browserFlags: readonly string[] = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** Generous: a cold start on a busy machine takes a quarter of it. */
const patienceMs = 60_000;

/** Opens VS Code in a browser of its own and waits until its workbench stands. */
export async function openEditor(options: EditorOptions): Promise<EditorPage> {
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: [...browserFlags], headless: options.window !== 'visible' });
  try {
    return await openPage(browser, options);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function openPage(browser: Browser, options: EditorOptions): Promise<EditorPage> {
  const context = await browser.newContext({ viewport: options.window === 'visible' ? null : options.viewport ?? { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  await options.prepare?.(page);
  const go = async (address: string): Promise<void> => {
    await page.goto(address);
    await page.locator('.monaco-workbench .activitybar').waitFor();
  };
  await go(editorAddress(options));
  return {
    page,
    async openView(title) {
      const tab = page.locator('.activitybar').getByRole('tab', { name: title, exact: false });
      await tab.waitFor();
      if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
    },
    async runCommand(title) {
      await page.keyboard.press('F1');
      const input = page.locator('.quick-input-widget input[type="text"]');
      await input.fill(`>${title}`);
      await quickPickRow(page, title).click();
      await input.waitFor({ state: 'hidden' }).catch(() => {});
    },
    frameWith: (selector) => frameWith(page, selector),
    openFolder: (folder) => go(editorAddress({ ...options, folder })),
    async widenSideBar(pixels) {
      const box = await page.locator('.part.sidebar').boundingBox();
      if (box === null) throw new Error('No side bar is open.');
      const [x, y] = [box.x + box.width + 1, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + pixels, y, { steps: 5 });
      await page.mouse.up();
    },
    async screenshot(path) {
      // The pointer rests where nothing shows a hover.
      const height = page.viewportSize()?.height ?? 800;
      await page.mouse.move(600, height - 3);
      await page.waitForTimeout(300);
      await page.screenshot({ path, caret: 'initial' });
    },
    async close() {
      await browser.close();
    },
  };
}

export function editorAddress(options: Pick<EditorOptions, 'server' | 'folder' | 'payload'>): string {
  const address = new URL(options.server.url);
  if (options.folder !== undefined) address.searchParams.set(options.folder.endsWith('.code-workspace') ? 'workspace' : 'folder', options.folder);
  if (options.payload !== undefined) address.searchParams.set('payload', JSON.stringify(options.payload));
  return address.href;
}

function quickPickRow(page: Page, title: string): Locator {
  return page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
}

async function frameWith(page: Page, selector: string): Promise<Frame> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    for (const frame of page.frames()) {
      // A frame may go away while it is looked at.
      const count = frame === page.mainFrame() ? 0 : await frame.locator(selector).count().catch(() => 0);
      if (count > 0) return frame;
    }
    if (Date.now() > deadline) throw new Error(`No webview shows ${selector}; its frames: ${page.frames().map((frame) => frame.url()).join(', ')}`);
    await page.waitForTimeout(50);
  }
}
