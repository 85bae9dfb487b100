import type { Frame, Locator } from 'playwright-core';
import type { EditorPage } from './editor-page.ts';

/** An open approval card, as far as a person can read it. */
export interface SeenCard {
  readonly title: string;
  readonly warnings: readonly string[];
  /** The lines of its diff, each after its sign: ` `, `+` or `-`; a gap is `…`. */
  readonly diff: readonly string[];
  /** All of its text. */
  readonly text: string;
}

/**
 * Someone who uses the extension: sees what the view shows, and acts with keys and clicks only. Everything that waits does
 * so for a minute and then says what it waited for.
 */
export interface Person {
  readonly editor: EditorPage;
  /** Clicks the icon in the activity bar and waits until the chat can be typed into. */
  openChat(): Promise<void>;
  /** Leaves the conversation for a new one, and waits until it stands empty. */
  newSession(): Promise<void>;
  /** Types into the composer, without sending. */
  type(text: string): Promise<void>;
  /** Types, presses Enter and waits until the message stands in the chat. */
  say(text: string): Promise<void>;
  /** Types, presses Alt+Enter and waits until the message stands in the chat: while the agent works, it waits for the turn's end. */
  sayLater(text: string): Promise<void>;
  /** What stands in the composer. */
  draft(): Promise<string>;
  /** Reloads the window, and opens the chat in it. */
  reload(): Promise<void>;
  /** Presses a key wherever the focus is: `Enter`, `Alt+Shift+A`. */
  press(key: string): Promise<void>;
  /** Everything that stands in the chat now, as text. */
  chatText(): Promise<string>;
  /** Waits until the chat shows this text, or text that matches. */
  sees(text: string | RegExp): Promise<void>;
  /** Waits for an open card and reads it. */
  seesCard(): Promise<SeenCard>;
  /** Whether a card is open now. */
  hasCard(): Promise<boolean>;
  /** Answers the open card by its button, once it has rested, and waits until that card is gone. */
  allow(): Promise<void>;
  deny(reason?: string): Promise<void>;
  /** Presses a button of the chat by its label. */
  pressButton(label: string | RegExp): Promise<void>;
  /** Waits until the editor has told this by a notification, and puts it away. */
  isTold(text: string): Promise<void>;
  /** Waits until the last call whose line holds this title says something that matches: `Done: Edit a.txt 1 edit`. */
  seesCall(title: string, says: RegExp): Promise<void>;
  /** Presses "Undo" on the last call whose line holds this title. */
  undo(title: string): Promise<void>;
  /** Presses "Undo since here" below a message. */
  undoSince(message: string): Promise<void>;
  /** Opens the proposed change in a diff editor from the open card. */
  openDiff(): Promise<void>;
  /** Answers from the title of the diff editor. */
  allowInDiff(): Promise<void>;
  denyInDiff(): Promise<void>;
  /** Titles of the editor's open tabs. */
  tabs(): Promise<readonly string[]>;
  /** Opens a file of the workspace by its name, as with Ctrl+P; with a line, scrolled to it. */
  openFile(name: string, line?: number): Promise<void>;
  /** Types where a file's text begins, in the editor. */
  typeInto(name: string, text: string): Promise<void>;
  /** Waits until the active editor shows exactly these lines; empty ones are not counted. */
  seesInEditor(lines: readonly string[]): Promise<void>;
  /** The lines that the active editor shows: the right side of a diff. */
  editorLines(): Promise<string>;
  /** What the line above the composer says; empty while nothing happens. */
  status(): Promise<string>;
  chooseMode(label: 'Ask' | 'Plan'): Promise<void>;
  /** Chooses in the composer's menu of models. */
  chooseModel(label: string): Promise<void>;
  /** Waits until nothing streams, runs or waits for an answer. */
  idle(): Promise<void>;
  /** The chat's frame, for what this interface does not say. Found anew: a view that was hidden may have got another. */
  frame(): Promise<Frame>;
}

const chatSelector = 'body.chat #root';
const composer = '.composer textarea';
/** The host has sent its state: the empty chat's name, or an entry. */
const connected = '#root :is(h1, [data-entry])';
const openCard = '[data-open-card]';
const on = ':not([aria-disabled="true"])';

export function personAt(editor: EditorPage): Person {
  const frame = (): Promise<Frame> => editor.frameWith(chatSelector);
  const inChat = async (selector: string): Promise<Locator> => (await frame()).locator(selector);

  /** The attribute tells one card from the next, which may appear at once in its place. */
  async function answerCard(act: (card: Locator) => Promise<void>): Promise<void> {
    const card = (await inChat(openCard)).first();
    await card.waitFor();
    const entry = (await inChat('[data-entry]')).filter({ has: card }).first();
    const id = await entry.getAttribute('data-entry');
    await act(card);
    await (await inChat(`[data-entry="${id ?? ''}"] ${openCard}`)).waitFor({ state: 'detached' });
  }

  async function send(text: string, key: string): Promise<void> {
    const field = await inChat(composer);
    await field.fill(text);
    await field.press(key);
    await (await inChat('.user-text')).filter({ hasText: text.split('\n', 1)[0] ?? '' }).last().waitFor();
  }

  async function choose(menu: string, label: string): Promise<void> {
    const chat = await frame();
    await chat.locator(menu).click();
    await chat.getByRole('menuitemradio', { name: label }).click();
    await chat.locator(menu).filter({ hasText: label }).waitFor();
  }

  const person: Person = {
    editor,
    frame,
    async openChat() {
      await editor.openView('Countersign');
      await (await inChat(composer)).waitFor();
      await (await inChat(connected)).first().waitFor();
    },
    async newSession() {
      await editor.runCommand('Countersign: New Session');
      await (await inChat('#root h1')).waitFor();
      await (await inChat(composer)).fill('');
    },
    async type(text) {
      const field = await inChat(composer);
      await field.click();
      await field.pressSequentially(text);
    },
    say: (text) => send(text, 'Enter'),
    sayLater: (text) => send(text, 'Alt+Enter'),
    async draft() {
      return (await inChat(composer)).inputValue();
    },
    async reload() {
      await editor.page.reload();
      await editor.page.locator('.monaco-workbench .activitybar').waitFor();
      await person.openChat();
    },
    press: (key) => editor.page.keyboard.press(key),
    async chatText() {
      return (await inChat('#root')).innerText();
    },
    async sees(text) {
      const chat = await frame();
      await chat.locator('#root').filter({ hasText: text }).waitFor().catch(async (cause: unknown) => {
        throw new Error(`The chat never showed ${String(text)}. It shows:\n${await person.chatText()}`, { cause });
      });
    },
    async seesCard() {
      const card = (await inChat(openCard)).first();
      await card.waitFor();
      return {
        title: (await card.locator('h2').innerText()).replace(/^(Approval needed|Question):\s*/, '').trim(),
        warnings: await card.locator('.card-warnings li').allInnerTexts(),
        diff: (await card.locator('.diff-line').evaluateAll((lines) => lines.map((line) => ({ kind: line.className, text: line.querySelector('.diff-text')?.textContent ?? '' })))).map(signed),
        text: await card.innerText(),
      };
    },
    async hasCard() {
      return (await (await inChat(openCard)).count()) > 0;
    },
    allow: () => answerCard((card) => card.locator(`button${on}`).filter({ hasText: /^Allow$/ }).click()),
    deny: (reason) => answerCard(async (card) => {
      if (reason === undefined) return card.locator(`button${on}`).filter({ hasText: /^Deny$/ }).click();
      await card.locator(`button${on}`).filter({ hasText: 'Deny with a reason' }).click();
      await card.locator('textarea').fill(reason);
      await card.locator('textarea').press('Enter');
    }),
    async pressButton(label) {
      await (await frame()).getByRole('button', { name: label }).first().click();
    },
    async isTold(text) {
      // With the driver for its own smoke tests the editor keeps notifications in their centre and shows none by itself.
      await editor.runCommand('Notifications: Show Notifications');
      const told = editor.page.locator('.notifications-center .notification-list-item').filter({ hasText: text });
      await told.first().waitFor();
      await editor.runCommand('Notifications: Clear All Notifications');
      await told.first().waitFor({ state: 'detached' });
    },
    async seesCall(title, says) {
      const calls = (await inChat('.call')).filter({ hasText: title });
      await calls.last().waitFor();
      await calls.filter({ hasText: says }).last().waitFor().catch(async (cause: unknown) => {
        throw new Error(`No call ${title} ever said ${String(says)}. The last one says: ${await calls.last().innerText()}`, { cause });
      });
    },
    async undo(title) {
      await (await inChat('.call')).filter({ hasText: title }).last().locator(`button${on}`).filter({ hasText: /^Undo$/ }).click();
    },
    async undoSince(message) {
      await (await inChat('.user')).filter({ hasText: message }).last().locator(`button${on}`).filter({ hasText: 'Undo since here' }).click();
    },
    async openDiff() {
      await (await inChat(`${openCard} button`)).filter({ hasText: 'Open diff' }).click();
      // Beside each other or inline: the side that is not drawn stays in the page, hidden.
      await editor.page.locator('.monaco-diff-editor .view-line:visible').first().waitFor();
    },
    allowInDiff: () => answerDiff(editor, 'Allow This Change'),
    denyInDiff: () => answerDiff(editor, 'Deny This Change'),
    tabs: () => editor.page.locator('.tabs-container .tab .monaco-icon-label-container').allInnerTexts(),
    async openFile(name, line) {
      // The box closes where something else takes the focus, as the composer of a new session does.
      const opens = async (timeout: number): Promise<void> => {
        await editor.page.keyboard.press('Control+p');
        await editor.page.locator('.quick-input-widget input[type="text"]').fill(line === undefined ? name : `${name}:${line}`, { timeout });
        await editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().click({ timeout });
      };
      await opens(5_000).catch(async () => {
        await person.press('Escape');
        await opens(60_000);
      });
      await editor.page.locator('.tab.active').filter({ hasText: name }).waitFor();
      await editor.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
    },
    async editorLines() {
      const lines = editor.page.locator('.editor-instance .view-lines').last().locator('.view-line');
      await lines.first().waitFor();
      // Monaco draws blanks as no-break spaces, and its lines in any order.
      const drawn = await lines.evaluateAll((elements) => elements.map((element) => ({ top: element.getBoundingClientRect().top, text: element.textContent ?? '' })));
      return drawn.sort((a, b) => a.top - b.top).map(({ text }) => text.replaceAll('\u00a0', ' ')).join('\n');
    },
    async typeInto(name, text) {
      await person.openFile(name);
      // A key goes to whatever has the focus; the chat may have it still.
      await editor.page.locator('.editor-instance .view-line:visible').first().click();
      await editor.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
      await person.press('Control+Home');
      await editor.page.keyboard.type(text);
    },
    async seesInEditor(lines) {
      const shown = async (): Promise<string> => (await person.editorLines()).split('\n').filter((line) => line !== '').join('\n');
      const wanted = lines.join('\n');
      let seen = await shown();
      for (let wait = 0; wait < 150 && seen !== wanted; wait += 1) {
        await editor.page.waitForTimeout(100);
        seen = await shown();
      }
      if (seen !== wanted) throw new Error(`The editor never showed\n${wanted}\nIt shows\n${seen}`);
    },
    async status() {
      const line = await inChat('.status-line');
      return (await line.count()) > 0 ? line.first().innerText() : '';
    },
    chooseMode: (label) => choose('.mode-button', label),
    chooseModel: (label) => choose('.model-button', label),
    async idle() {
      await (await inChat('.status-line')).waitFor({ state: 'detached' });
    },
  };
  return person;
}

function signed({ kind, text }: { readonly kind: string; readonly text: string }): string {
  if (kind.includes('gap')) return '…';
  return `${kind.includes('added') ? '+' : kind.includes('removed') ? '-' : ' '}${text}`;
}

/** An answer that comes before the diff has rested is refused with a warning; a person reads it, and answers again. */
async function answerDiff(editor: EditorPage, label: string): Promise<void> {
  const action = editor.page.locator(`.editor-actions a.action-label[aria-label^="${label}"]:not([aria-label*="Reason"])`);
  for (let attempt = 0; attempt < 3; attempt++) {
    await action.first().click();
    const counted = await action.first().waitFor({ state: 'detached', timeout: 3000 }).then(() => true, () => false);
    if (counted) return;
  }
  throw new Error(`The diff stays open after “${label}”.`);
}
