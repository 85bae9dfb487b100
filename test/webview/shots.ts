import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostMessage } from '../../webview/protocol/messages.ts';
import type { Entry, Status } from '../../webview/protocol/state.ts';
import { ChatPage, launchBrowser } from './chat-page.ts';
import { serveChatPage } from './chat-page-server.ts';
import { answer, asking, assistant, call, conversation, editCard, outsideCard, status, user } from './scenes.ts';
import { themeNames } from './theme.ts';

/** Draws every state of the chat to pictures, to be looked at: `node test/webview/shots.ts DIR [SCENE… or THEME…]`. */
interface Scene {
  readonly name: string;
  readonly entries: readonly Entry[];
  readonly status?: Partial<Status>;
  readonly width?: number;
  readonly height?: number;
  readonly then?: (chat: ChatPage) => Promise<void>;
}

const busy: Partial<Status> = { activity: 'asking', text: 'Waiting for your answer' };
const changed = call('c6', { tool: 'edit_file', title: 'Edit src/session/store.ts', summary: '+7 −3', detail: 'Wrote src/session/store.ts', card: editCard('c6') });
const whole: readonly Entry[] = [...conversation, changed, assistant('a2', answer)];

const scenes: readonly Scene[] = [
  { name: 'empty', entries: [] },
  { name: 'no-model', entries: [], status: { modelReady: false, model: '' } },
  { name: 'no-folder', entries: [], status: { hasWorkspace: false } },
  { name: 'hint', entries: [user('u', 'Hello'), assistant('a', 'Hello.')], status: { modelReady: false, model: '' }, height: 420, then: (chat) => chat.page.fill('.composer-input', 'What does this do?') },
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
  { name: 'queued', entries: [...conversation.slice(0, 3), asking('c6', outsideCard('c6')), user('u2', 'And please also fix the typo in the README.', true)], status: busy, then: (chat) => chat.untilRested() },
  {
    name: 'question', entries: [...conversation.slice(0, 3), call('q', {
      tool: 'ask_user', title: 'Asks you', status: 'running', summary: '',
      question: { callId: 'q', question: 'Should a damaged session be kept for inspection, or deleted at once?', options: ['Keep it for 30 days', 'Delete it', 'Leave it where it is'] },
    })], status: { activity: 'running', text: 'Waiting for your reply' }, then: (chat) => chat.untilRested(),
  },
  {
    name: 'errors', entries: [
      user('u1', 'Rename the flag everywhere.'),
      call('c1', { title: 'Edit src/flags.ts', status: 'denied', summary: 'denied: keep the old name as an alias', detail: 'DENIED_BY_PERSON', card: editCard('c1'), canAskAgain: true }),
      call('c2', { title: 'Edit src/main.ts', status: 'interrupted', summary: 'the window was closed', card: editCard('c2'), canAskAgain: true }),
      { kind: 'notice', id: 'n1', level: 'info', text: 'Stopped. What was done so far stays.', actions: [] },
      { kind: 'notice', id: 'n2', level: 'warning', text: 'The model stopped at its length limit. Its last call was cut off and was not run.', actions: [] },
      { kind: 'notice', id: 'n3', level: 'error', text: 'The server refused the key (401). Set the key of api.openai.com anew, then try again.', actions: [{ id: 'setKey', label: 'Set Key…' }, { id: 'retry', label: 'Try Again' }] },
    ], status: { activity: 'waiting', text: 'Waiting 12 s: the server is busy (429). Attempt 2 of 5' },
  },
  { name: 'expanded', entries: whole.slice(2, 9), height: 1000, then: async (chat) => { for (const n of [1, 6]) await chat.page.locator('button.call-row').nth(n - 1).click(); } },
  {
    name: 'long', entries: Array.from({ length: 30 }, (_, n) => whole.map((entry) => ({ ...entry, id: `${entry.id}-${n}` }))).flat(),
    then: async (chat) => { await chat.page.mouse.move(200, 300); await chat.page.mouse.wheel(0, -900); await chat.page.locator('.pill').waitFor(); },
  },
  {
    name: 'pill', entries: [...whole, asking('c9', editCard('c9'))], status: busy, then: async (chat) => {
      await chat.untilRested();
      await chat.page.mouse.move(200, 300);
      await chat.page.mouse.wheel(0, -1500);
      await chat.page.locator('.pill').waitFor();
    },
  },
  { name: 'mode-menu', entries: [user('u', 'Hello'), assistant('a', 'Hello.')], status: { demonstration: true, model: 'demonstration' }, height: 420, then: (chat) => chat.page.getByRole('button', { name: /^Mode/ }).click() },
  { name: 'narrow', entries: [...conversation, asking('c6', editCard('c6', { warnings: ['This is outside the workspace.'] }))], status: { ...busy, demonstration: true }, width: 280, then: (chat) => chat.untilRested() },
  { name: 'narrow-empty', entries: [], status: { modelReady: false, model: '' }, width: 260 },
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
      const state: HostMessage = { type: 'state', sessionId: 's', entries: scene.entries, status: { ...status, ...scene.status } };
      await chat.sendValid(state);
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
