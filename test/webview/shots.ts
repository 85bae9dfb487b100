import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ChatPage, launchBrowser } from './chat-page.ts';
import { serveChatPage } from './chat-page-server.ts';
import { answer, asking, assistant, call, context, conversation, editCard, models, noModel, outsideCard, plan, renameCard, stateOf, thumbnail, user, type Shown } from './scenes.ts';
import { themeNames } from './theme.ts';

/** Draws every state of the chat to pictures, to be looked at: `node test/webview/shots.ts DIR [SCENE… or THEME…]`. */
interface Scene extends Shown {
  readonly name: string;
  readonly width?: number;
  readonly height?: number;
  readonly then?: (chat: ChatPage) => Promise<void>;
}

const busy: NonNullable<Shown['status']> = { activity: 'asking', text: 'Waiting for your approval' };
const changed = call('c6', { tool: 'edit_file', title: 'Edit src/session/store.ts', summary: '+7 −3', detail: 'Wrote src/session/store.ts', card: editCard('c6') });
const whole = [...conversation, changed, assistant('a2', answer)];

async function addImages(chat: ChatPage): Promise<void> {
  await chat.page.fill('.composer-input', 'And this one?');
  await chat.page.setInputFiles('.file-input', [{ name: 'dialog.png', mimeType: 'image/png', buffer: Buffer.from(thumbnail.slice(22), 'base64') }, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }]);
  await chat.page.locator('.draft-images img').waitFor();
}

const scenes: readonly Scene[] = [
  { name: 'empty', entries: [] },
  { name: 'no-model', entries: [], models: noModel },
  { name: 'no-folder', entries: [], status: { hasWorkspace: false } },
  { name: 'hint', entries: [user('u', 'Hello'), assistant('a', 'Hello.')], models: noModel, height: 420, then: (chat) => chat.page.fill('.composer-input', 'What does this do?') },
  { name: 'streaming', entries: [...conversation, call('c7', { title: 'Read src/jobs/expire.ts', status: 'running', summary: '' }), assistant('a2', answer.slice(0, 420), true)], status: { activity: 'streaming' } },
  { name: 'answer', entries: whole, height: 900 },
  { name: 'card-diff', entries: [...conversation.slice(0, 4), asking('c6', editCard('c6'))], status: busy, then: (chat) => chat.untilRested() },
  { name: 'card-resting', entries: [...conversation.slice(0, 4), asking('c6', editCard('c6'))], status: busy },
  { name: 'card-sending', entries: [asking('c6', editCard('c6'))], status: busy, then: async (chat) => { await chat.untilRested(); await chat.page.getByRole('button', { name: 'Allow' }).click(); } },
  { name: 'card-outside', entries: [...conversation.slice(0, 3), asking('c6', outsideCard('c6'))], status: busy, then: (chat) => chat.untilRested() },
  {
    name: 'card-protected', entries: [asking('c6', editCard('c6', {
      warnings: ['This file is protected: it can change what the editor runs.', 'It has two hard links: the other one is /srv/shared/settings.json.'],
      why: 'Files that can run code are never written without asking, whatever a rule says.', rule: 'built-in: protected files',
      details: [{ label: 'Reason given by the model', text: 'Turns format-on-save off for this folder.' }],
    }))], status: busy, then: (chat) => chat.untilRested(),
  },
  {
    name: 'deny-reason', entries: [...conversation.slice(0, 4), asking('c6', editCard('c6'))], status: busy, then: async (chat) => {
      await chat.untilRested();
      await chat.page.getByRole('button', { name: 'Deny with a reason…' }).click();
      await chat.page.keyboard.type('Use the logger of the request, not this.log');
    },
  },
  {
    name: 'card-refused', entries: [asking('c6', editCard('c6'))], status: busy, then: async (chat) => {
      await chat.untilRested();
      await chat.sendValid({ type: 'answerRefused', callId: 'c6', why: 'The file changed while you read. This is what would be done now: please look again.' });
    },
  },
  { name: 'queued', entries: [...conversation.slice(0, 3), asking('c6', outsideCard('c6')), user('u2', 'And please also fix the typo in the README.', { queued: 'next-step' }), user('u3', 'Then write the release note.', { queued: 'after-turn' })], status: busy, then: (chat) => chat.untilRested() },
  {
    name: 'question', entries: [...conversation.slice(0, 3), call('q', {
      tool: 'ask_user', title: 'Asks you', status: 'running', summary: '',
      question: { callId: 'q', question: 'Should a damaged session be kept for inspection, or deleted at once?', options: ['Keep it for 30 days', 'Delete it', 'Leave it where it is'] },
    })], status: { activity: 'running', text: 'Waiting for your answer' }, then: (chat) => chat.untilRested(),
  },
  {
    name: 'errors', entries: [
      user('u1', 'Rename the flag everywhere.'),
      call('c1', { title: 'Edit src/flags.ts', status: 'denied', summary: 'denied: keep the old name as an alias', detail: 'DENIED_BY_PERSON', card: editCard('c1'), canAskAgain: true }),
      call('c2', { title: 'Edit src/main.ts', status: 'interrupted', summary: 'the window was closed', card: editCard('c2'), canAskAgain: true }),
      { kind: 'notice', id: 'n1', level: 'info', text: 'Stopped.', actions: [] },
      { kind: 'notice', id: 'n2', level: 'warning', text: 'The model stopped at its length limit. Its last call was cut off and was not run.', actions: [] },
      { kind: 'notice', id: 'n3', level: 'error', text: 'The server refused the key (401). Set the key of api.openai.com anew, then try again.', actions: [{ id: 'setKey', label: 'Set the key…' }, { id: 'retry', label: 'Try again' }] },
    ], status: { activity: 'waiting', text: 'Waiting 12 s: the server is busy (429). Attempt 2 of 5' },
  },
  { name: 'expanded', entries: whole.slice(2, 9), height: 1000, then: async (chat) => { for (const n of [1, 6]) await chat.page.locator('button.call-row').nth(n - 1).click(); } },
  {
    name: 'long', entries: Array.from({ length: 30 }, (_, n) => whole.map((entry) => ({ ...entry, id: `${entry.id}-${n}` }))).flat(),
    then: async (chat) => { await chat.page.locator('.chunk').nth(9).waitFor(); await chat.page.mouse.move(200, 300); await chat.page.mouse.wheel(0, -900); await chat.page.locator('.pill').waitFor(); },
  },
  {
    name: 'pill', entries: [...whole, asking('c9', editCard('c9'))], status: busy, then: async (chat) => {
      await chat.untilRested();
      await chat.page.mouse.move(200, 300);
      await chat.page.mouse.wheel(0, -1500);
      await chat.page.locator('.pill').waitFor();
    },
  },
  { name: 'mode-menu', entries: [user('u', 'Hello'), assistant('a', 'Hello.')], models: { ...models, current: 'demo' }, height: 420, then: (chat) => chat.page.getByRole('button', { name: /^Mode:/ }).click() },
  { name: 'model-menu', entries: [user('u', 'Hello'), assistant('a', 'Hello.')], height: 460, then: (chat) => chat.page.getByRole('button', { name: /^Model:/ }).click() },
  { name: 'model-none', entries: [user('u', 'Hello'), assistant('a', 'Hello.')], models: noModel, height: 460, then: (chat) => chat.page.getByRole('button', { name: 'Set up a model' }).click() },
  { name: 'send-menu', entries: [user('u', 'Hello'), assistant('a', 'Hel', true)], status: { activity: 'streaming' }, context, height: 460, then: async (chat) => { await chat.page.fill('.composer-input', 'And the README too'); await chat.page.getByRole('button', { name: 'When to send' }).click(); } },
  { name: 'meter', entries: [user('u', 'Hello'), assistant('a', 'Hello.')], context, height: 460, then: (chat) => chat.page.locator('.meter-button').click() },
  { name: 'meter-high', entries: [user('u', 'Hello'), assistant('a', 'Hello.')], context: { ...context, used: 173_000 }, height: 460, then: (chat) => chat.page.locator('.meter-button').click() },
  { name: 'narrow-meter', entries: [user('u', 'Hello'), assistant('a', 'Hel', true)], status: { activity: 'streaming' }, context: { ...context, used: 196_000 }, width: 280, height: 460, then: async (chat) => { await chat.page.fill('.composer-input', 'And'); await chat.page.locator('.meter-button').click(); } },
  { name: 'narrow-send', entries: [user('u', 'Hello'), assistant('a', 'Hel', true)], status: { activity: 'streaming' }, context, width: 280, height: 460, then: async (chat) => { await chat.page.fill('.composer-input', 'And'); await chat.page.getByRole('button', { name: 'When to send' }).click(); } },
  { name: 'plan', entries: conversation, plan, context, status: { activity: 'running', text: 'Running edit_file' } },
  { name: 'plan-open', entries: conversation, plan, context, status: { activity: 'running', text: 'Running edit_file' }, then: (chat) => chat.page.locator('.plan-head').click() },
  {
    name: 'thinking', entries: [...conversation.slice(0, 2), assistant('t', '', true, { thinking: 'The store throws in two places.\n\nThe first is `load`, which reads the row and parses it. The second is `close`, but that is not what was asked for. I should see who calls `load` before I change what it returns, because a caller may rely on the error to answer with 401.' })],
    status: { activity: 'streaming', text: 'Thinking' },
  },
  { name: 'thought', entries: [...conversation.slice(0, 1), assistant('t', answer.slice(0, 250), false, { thinking: 'The store throws in two places.' }), ...conversation.slice(2, 4), changed], then: (chat) => chat.page.locator('.thinking-head').click() },
  { name: 'images', entries: [user('u', 'What is wrong with this dialog?', { images: [{ thumbnail: thumbnail, label: 'image/png, 320 kB' }, { thumbnail: thumbnail, label: 'image/jpeg, 1.2 MB' }] }), assistant('a', 'The button overlaps the text.')], models: { ...models, current: 'qwen' }, height: 560, then: addImages },
  { name: 'narrow-images', entries: [user('u', '', { images: [{ thumbnail, label: 'image/png, 1 kB' }] })], width: 280, height: 560, then: addImages },
  {
    name: 'undo', entries: [user('u1', 'Rename load to find everywhere.', { canUndoSince: true }), call('c6', { ...changed, canUndo: true }), assistant('a', 'Done.'), user('u2', 'And the docs?', { canUndoSince: true }), assistant('b', 'Yes.')],
    height: 420, then: (chat) => chat.page.locator('.user').first().hover(),
  },
  { name: 'card-files', entries: [asking('c6', renameCard('c6'))], status: busy, height: 900, then: (chat) => chat.untilRested() },
  { name: 'narrow-files', entries: [asking('c6', renameCard('c6'))], status: busy, width: 280, height: 900, then: (chat) => chat.untilRested() },
  { name: 'read-only', entries: [...conversation.slice(0, 3), asking('c6', outsideCard('c6'))], status: { ...busy, readOnly: true }, context },
  { name: 'narrow-read-only', entries: conversation.slice(0, 3), status: { readOnly: true }, context, width: 280 },
  { name: 'older', entries: conversation, older: 1240, height: 600, then: async (chat) => { await chat.page.locator('.scroller').evaluate((box) => { box.scrollTop = 0; }); } },
  { name: 'refused', entries: conversation.slice(0, 2), height: 460, then: async (chat) => { await chat.sendValid({ type: 'sendRefused', text: 'And the README too', why: 'The session’s log cannot be written: the disk is full.' }); } },
  { name: 'narrow', entries: [...conversation, asking('c6', editCard('c6', { warnings: ['This is outside the workspace.'] }))], status: busy, models: { ...models, current: 'demo' }, context, plan, width: 280, then: (chat) => chat.untilRested() },
  { name: 'narrow-empty', entries: [], models: noModel, width: 260 },
  { name: 'wide', entries: [...whole.slice(0, 7), asking('c6', editCard('c6'))], status: busy, width: 1100, height: 900, then: (chat) => chat.untilRested() },
  { name: 'focus', entries: [asking('c6', editCard('c6'))], status: busy, then: async (chat) => { await chat.untilRested(); await chat.page.keyboard.press('Alt+Shift+KeyA'); } },
];

const [dir, ...words] = process.argv.slice(2);
if (dir === undefined) throw new Error('Say where the pictures go: node test/webview/shots.ts DIR [SCENE… or THEME…]');
const isTheme = (word: string): boolean => themeNames.some((theme) => theme === word);
const wantedThemes = words.filter(isTheme);
const wanted = words.filter((word) => !isTheme(word));
await mkdir(dir, { recursive: true });
const server = await serveChatPage();
const browser = await launchBrowser();
try {
  for (const scene of scenes.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)))) {
    for (const theme of themeNames.filter((name) => wantedThemes.length === 0 || wantedThemes.includes(name))) {
      const chat = await ChatPage.open(browser, server.origin, { theme, width: scene.width ?? 420, height: scene.height ?? 760, zoom: 1.5 });
      const { name: _name, width: _width, height: _height, then: _then, ...shown } = scene;
      await chat.sendValid(stateOf(shown));
      await scene.then?.(chat);
      await chat.settle();
      await chat.page.screenshot({ path: join(dir, `${scene.name}-${theme}.png`) });
      await chat.close();
    }
  }
} finally {
  await browser.close();
  await server.close();
}
