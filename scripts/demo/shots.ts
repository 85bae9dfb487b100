import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { httpError } from '../../test/model-server/replies.ts';
import { startModelServer } from '../../test/model-server/server.ts';
import { openEditor, themeClasses, themeSettings, type ColourTheme } from '../editor-page.ts';
import { personAt, type Person } from '../person.ts';
import { vsixFile } from '../project-paths.ts';
import { quickInputOf } from '../quick-input.ts';
import { startVscodeServer, type VscodeServer } from '../vscode-server.ts';
import { takeFileShots } from './file-shots.ts';
import { copySample } from './sample.ts';
import { takeSessionShots } from './session-shots.ts';

type Shoot = (state: string) => Promise<void>;

interface Stage {
  readonly person: Person;
  readonly server: VscodeServer;
  readonly shoot: Shoot;
}

/** Plays the demonstration as a person would, and saves a picture of each state: all of them in light and dark, a card in high contrast. */
export async function takeShots(directory: string): Promise<void> {
  const folder = resolve(directory);
  await mkdir(folder, { recursive: true });
  await inTheme('light', folder, playEverything);
  await inTheme('dark', folder, playEverything);
  await inTheme('high contrast dark', folder, playUntilCard);
  await inTheme('high contrast light', folder, playUntilCard);
  await takeFileShots(folder);
  await takeSessionShots(folder);
  console.log(`The pictures are in ${folder}`);
}

async function playEverything(stage: Stage): Promise<void> {
  const { person, shoot } = stage;
  await shoot('empty');
  await person.pressButton('Try the demonstration');
  await person.type('Show me what you do');
  await shoot('typed');
  await person.press('Enter');
  await person.sees(/a script, not/);
  await shoot('answer-in-mid-stream');
  await seesRestedCard(person);
  await shoot('card-of-a-new-file');
  await person.openDiff();
  await shoot('diff-editor');
  await person.deny('Shorter, please.');
  await seesRestedCard(person);
  await shoot('denied-and-how-the-model-took-it');
  await person.allow();
  await person.sees('a change of one line');
  await seesRestedCard(person);
  await shoot('card-with-its-diff');
  await person.allow();
  await person.sees('one line changed');
  await person.idle();
  await person.openFile('countersign-demo.md');
  await shoot('changed-file');
  await person.say('Go on');
  await seesRestedCard(person);
  await shoot('protected-file');
  await person.deny();
  await person.sees('A good habit');
  await person.idle();
  await person.say('And outside?');
  await seesRestedCard(person);
  await shoot('outside-the-workspace');
  await person.deny();
  await person.idle();
  await showRefusals(stage);
}

/** What a person sees of a model server that refuses the key, and of one that is not there. */
async function showRefusals({ person, server, shoot }: Stage): Promise<void> {
  const model = await startModelServer(() => httpError(401));
  try {
    await server.changeSettings({ 'countersign.models': [{ protocol: 'openai-chat', baseUrl: model.baseUrl, model: 'scripted' }] });
    await chooseModel(person, 'scripted', shoot);
    await person.say('And with a key that the server refuses?');
    await person.sees(/401/);
    await person.idle();
    await shoot('refused-key');
  } finally {
    await model.close();
  }
  await person.say('And without a server?');
  await person.sees(/127\.0\.0\.1/);
  await shoot('no-server');
}

async function chooseModel(person: Person, label: string, shoot: Shoot): Promise<void> {
  const box = quickInputOf(person.editor.page);
  await box.run('Countersign: Choose Model…');
  await box.sees('Choose a model');
  await shoot('choose-a-model');
  await box.pick(label);
}

async function playUntilCard({ person, shoot }: Stage): Promise<void> {
  await person.pressButton('Try the demonstration');
  await person.say('Show me what you do');
  await seesRestedCard(person);
  await shoot('card-of-a-new-file');
}

/** Its buttons rest for half a second; in a picture they should look as they do when they may be pressed. */
async function seesRestedCard(person: Person): Promise<void> {
  await person.seesCard();
  await (await person.frame()).locator('[data-open-card] button:not([aria-disabled="true"])').filter({ hasText: /^Allow$/ }).waitFor();
}

async function inTheme(theme: ColourTheme, folder: string, play: (stage: Stage) => Promise<void>): Promise<void> {
  const sample = await copySample();
  const server = await startVscodeServer({ extensions: [vsixFile], settings: { 'workbench.colorTheme': themeSettings[theme] } });
  try {
    const editor = await openEditor({ server, folder: sample.folder, viewport: { width: 1600, height: 960 } });
    try {
      await editor.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
      const person = personAt(editor);
      await person.openChat();
      await editor.widenSideBar(200);
      let count = 0;
      const shoot: Shoot = async (state) => {
        count++;
        const file = `${theme.replaceAll(' ', '-')}-${String(count).padStart(2, '0')}-${state}.png`;
        await editor.screenshot(join(folder, file));
        console.log(file);
      };
      await play({ person, server, shoot });
    } catch (error) {
      await editor.screenshot(join(folder, `${theme.replaceAll(' ', '-')}-where-it-failed.png`));
      throw error;
    } finally {
      await editor.close();
    }
  } finally {
    await server.close();
    await sample.remove();
  }
}
