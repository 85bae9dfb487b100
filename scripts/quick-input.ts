import type { Page } from 'playwright-core';

/** The editor's own box at the top of its window: a list to choose from, or a line to fill in. */
export interface QuickInput {
  /** Runs a command by its title, one that goes on asking in this box. */
  run(title: string): Promise<void>;
  /** Waits until this is said: the box's title, what it asks, or what is wrong with what was entered. */
  sees(text: string | RegExp): Promise<void>;
  /** Replaces what stands in the box and presses Enter. */
  enter(text: string): Promise<void>;
  /** Waits until this stands in the list and chooses it. */
  pick(label: string): Promise<void>;
  /** The labels of the list that are drawn. */
  labels(): Promise<readonly string[]>;
  /** Goes back to the step before. */
  back(): Promise<void>;
  /** What stands in the box. */
  value(): Promise<string>;
  isPassword(): Promise<boolean>;
  /** Waits until no box is open. */
  gone(): Promise<void>;
}

export function quickInputOf(page: Page): QuickInput {
  const box = page.locator('.quick-input-widget');
  const field = box.locator('input[type="text"], input[type="password"]').first();
  return {
    async run(title) {
      await page.keyboard.press('F1');
      await field.fill(`>${title}`);
      await box.locator('.monaco-list-row').filter({ hasText: title }).first().click();
      await box.filter({ hasNotText: title }).waitFor();
    },
    async sees(text) {
      await box.filter({ hasText: text, visible: true }).waitFor().catch(async (cause: unknown) => {
        throw new Error(`The box never showed ${String(text)}. It shows:\n${await box.innerText()}`, { cause });
      });
    },
    async enter(text) {
      await field.fill(text);
      await field.press('Enter');
    },
    async pick(label) {
      await box.locator('.monaco-list-row').filter({ hasText: label }).first().click();
    },
    labels: () => box.locator('.monaco-list-row .label-name').allInnerTexts(),
    back: () => box.getByRole('button', { name: /^Back/ }).click(),
    value: () => field.inputValue(),
    isPassword: async () => await field.getAttribute('type') === 'password',
    gone: () => box.waitFor({ state: 'hidden' }),
  };
}
