import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call, hold, propose, say, type Reply } from '../../test/model-server/replies.ts';
import { scriptOf, startModelServer, type ModelServer } from '../../test/model-server/server.ts';
import { openEditor, type EditorPage } from '../editor-page.ts';
import { personAt, type Person } from '../person.ts';
import { flatPng } from '../png.ts';
import { root, vsixFile } from '../project-paths.ts';
import { quickInputOf } from '../quick-input.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startVscodeServer, type VscodeServer } from '../vscode-server.ts';
import { shootLooks } from './looks.ts';

interface Stage {
  readonly person: Person;
  readonly editor: EditorPage;
  readonly server: VscodeServer;
  readonly model: ModelServer;
  /** The workspace. */
  readonly workspace: string;
  /** `before` is done again before each picture: what it opens closes as the window changes its look. */
  readonly shoot: (state: string, before?: () => Promise<void>) => Promise<void>;
  /** A picture of another window. */
  readonly shootOther: (person: Person, state: string) => Promise<void>;
}

const key = 'a-right-key-1';
const source = ['export function greet(name) {', '  return `Hello, ${name}`;', '}', ''].join('\n');

/** Pictures of models, of a session while it runs, and of what it keeps. */
export async function takeSessionShots(folder: string): Promise<void> {
  const home = await temporaryFolder('shots');
  const model = await startModelServer(scriptOf([]));
  const server = await startVscodeServer({ extensions: [vsixFile] });
  const workspace = join(home.path, 'greetings');
  try {
    await mkdir(workspace);
    await writeFile(join(workspace, 'greet.js'), source);
    const editor = await openEditor({ server, folder: workspace, viewport: { width: 1280, height: 900 } });
    const person = personAt(editor);
    try {
      await person.openChat();
      const shootOther: Stage['shootOther'] = (other, state) => shootLooks({ person: other, server, folder }, `session-${state}`);
      await play({ person, editor, server, model, workspace, shootOther, shoot: (state, before) => shootLooks({ person, server, folder }, `session-${state}`, before) });
    } catch (error) {
      await editor.screenshot(join(folder, 'session-where-it-failed.png'));
      throw error;
    } finally {
      await editor.close();
    }
  } finally {
    await server.close();
    await model.close();
    await home.remove();
  }
}

async function play(stage: Stage): Promise<void> {
  await shootModels(stage);
  await shootImages(stage);
  await shootWhileItRuns(stage);
  await shootReload(stage);
  await shootContext(stage);
  await shootSecondWindow(stage);
}

async function shootModels(stage: Stage): Promise<void> {
  const { person, server, model, shoot } = stage;
  await shoot('01-no-model');
  const guarded = await startModelServer(scriptOf([]), { key, models: ['quill-large', 'quill-small', 'quill-embed'] });
  try {
    await shootKeyForm(stage, guarded.baseUrl);
  } finally {
    await guarded.close();
  }
  const profile = { protocol: 'openai-chat', baseUrl: model.baseUrl };
  await server.changeSettings({
    'countersign.modelCapabilities': { 'quill-large': { images: true, contextTokens: 200_000 }, 'quill-small': { contextTokens: 9000, outputTokens: 1000 } },
    'countersign.models': [{ ...profile, model: 'quill-large', thinking: 'medium' }, { ...profile, model: 'quill-small' }, { protocol: 'anthropic', model: 'claude-sonnet-4-5' }],
  });
  // Another server of that name: the one that was chosen is gone.
  await (await person.frame()).locator('.model-button').filter({ hasText: 'Set up a model' }).waitFor();
  await person.chooseModel('quill-large');
  await shoot('05-model-picker', () => opened(person, '.model-button'));
  await person.press('Escape');
}

async function shootKeyForm({ person, editor, shoot }: Stage, baseUrl: string): Promise<void> {
  const box = quickInputOf(editor.page);
  await person.pressButton('Add a model');
  await box.sees('OpenRouter');
  await shoot('02-where-the-model-runs');
  await box.pick('Another server');
  await box.enter(baseUrl);
  await box.sees('A key for');
  await shoot('03-key-form');
  await box.enter('a-wrong-key');
  await box.sees(/does not take this key/);
  await shoot('03-key-form-refused');
  await box.enter(key);
  await box.sees('quill-large');
  await shoot('04-models-of-the-server');
  await box.pick('quill-large');
  await box.gone();
  await editor.runCommand('Notifications: Clear All Notifications');
}

async function shootImages({ person, model, shoot }: Stage): Promise<void> {
  const chat = await person.frame();
  await chat.locator('.file-input').setInputFiles([
    { name: 'sketch.png', mimeType: 'image/png', buffer: flatPng(640, 400, [40, 110, 190]) }, { name: 'icon.png', mimeType: 'image/png', buffer: await readFile(join(root, 'media/icon.png')) },
  ]);
  await chat.locator('.draft-images img').nth(1).waitFor();
  await person.type('Make the page look like this sketch');
  await shoot('06-images-in-the-composer');
  const gate = hold();
  model.setScript(scriptOf([{
    kind: 'answer', reasoning: 'The sketch has two bars on blue. The first is shorter, so it may be a heading; the second could be a field.\n\nI should look at the page first.',
    text: ['It shows two bars on a coloured ground. ', 'Which of the two colours do you want?'], holdAfter: { chunks: 2, until: gate.until },
  }]));
  await person.press('Enter');
  await person.sees('I should look at the page first.');
  await shoot('07-thinking');
  gate.release();
  await person.sees('Which of the two colours');
  await person.idle();
  await shoot('08-images-in-the-chat');
}

const plan = (...statuses: readonly string[]): Reply => propose(call('update_plan', {
  items: ['Read what greets now', 'Greet by the time of day', 'Write a test for it', 'Say so in the README'].map((text, n) => ({ text, status: statuses[n] })),
}));

async function shootWhileItRuns({ person, model, shoot }: Stage): Promise<void> {
  await person.newSession();
  model.setScript(scriptOf([
    plan('active', 'pending', 'pending', 'pending'), propose(call('read_file', { path: 'greet.js' })), plan('done', 'active', 'pending', 'pending'),
    propose(call('edit_file', { path: 'greet.js', edits: [{ oldText: '`Hello, ${name}`', newText: '`Good morning, ${name}`' }] })), say('Good.'), say('Good.'),
  ]));
  await person.say('Greet by the time of day, and test it');
  await person.seesCard();
  await person.sayLater('Then look for other greetings in this project');
  await person.say('Use the time zone of the server');
  await shoot('09-steer-and-queue-with-a-card-open');
  await person.pressButton(/^Plan: 1 of 4/);
  await person.type('And one more thing');
  await shoot('10-plan-and-sending-while-it-runs');
  await (await person.frame()).locator('.composer textarea').fill('');
  await person.pressButton(/^Stop/);
  await person.sees('Stopped.');
}

async function shootReload({ person, model, shoot }: Stage): Promise<void> {
  await person.newSession();
  const gate = hold();
  model.setScript(scriptOf([{ kind: 'answer', text: ['There are three ways to greet: ', 'by the hour.'], holdAfter: { chunks: 2, until: gate.until } }, say('By the hour, by name, or not at all.')]));
  await person.say('How could one greet?');
  await person.sees('three ways');
  await person.sayLater('And how is it done in French?');
  await shoot('11-answer-in-mid-stream');
  await person.reload();
  gate.release();
  await person.sees('in the middle of this turn');
  await shoot('12-after-a-reload-in-mid-stream');
}

async function shootContext({ person, model, shoot }: Stage): Promise<void> {
  await person.newSession();
  await person.chooseModel('quill-small');
  const long = 'A greeting is what one says first, and it is said again and again. '.repeat(120);
  model.setScript(({ raw }) => (raw.includes('Your context is nearly full')
    ? say('The task is to collect greetings. Found so far: greet.js says hello. Nothing was changed. What remains: the other languages.')
    // Without a count of the provider's, ours is gone by.
    : { ...say(long), usage: null }));
  for (const [n, text] of ['Tell me all about greetings', 'And about farewells', 'And about both'].entries()) {
    await person.say(text);
    await (await person.frame()).locator('.assistant-entry').nth(n).waitFor();
    await person.idle();
  }
  await person.say('And what have we found?');
  await person.sees('had grown too long for the model');
  await person.idle();
  const notice = (await person.frame()).locator('.notice').filter({ hasText: 'had grown too long' });
  await shoot('13-summary', () => notice.scrollIntoViewIfNeeded());
  await shoot('14-context-meter', () => opened(person, '.meter-button'));
  await person.press('Escape');
}

async function shootSecondWindow({ person, server, model, workspace, shoot, shootOther }: Stage): Promise<void> {
  await person.newSession();
  await person.chooseModel('quill-large');
  model.setScript(scriptOf([
    propose(call('read_file', { path: 'greet.js' })), propose(call('edit_file', { path: 'greet.js', edits: [{ oldText: 'Hello', newText: 'Good morning' }] })), say('Then not.'),
  ]));
  await person.say('Greet with good morning');
  await person.seesCard();
  const editor = await openEditor({ server, folder: workspace, viewport: { width: 1280, height: 900 } });
  try {
    const other = personAt(editor);
    await other.openChat();
    await other.sees('goes on in another window');
    await shootOther(other, '15-second-window');
    await other.pressButton('Take it over');
    await person.sees('goes on in another window');
    await shoot('16-taken-over-by-the-second-window');
  } finally {
    await editor.close();
  }
}

/** Opens what a button of the chat opens, unless it is open. */
async function opened(person: Person, button: string): Promise<void> {
  const chat = await person.frame();
  if (await chat.locator(button).getAttribute('aria-expanded') !== 'true') await chat.locator(button).click();
}
