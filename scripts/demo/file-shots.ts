import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { call, propose, say } from '../../test/model-server/replies.ts';
import { scriptOf, startModelServer, type ModelServer } from '../../test/model-server/server.ts';
import { openEditor, type EditorPage } from '../editor-page.ts';
import { personAt, type Person } from '../person.ts';
import { vsixFile } from '../project-paths.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startVscodeServer, type VscodeServer } from '../vscode-server.ts';
import { shootLooks } from './looks.ts';

interface Stage {
  readonly person: Person;
  readonly editor: EditorPage;
  readonly model: ModelServer;
  /** Where the workspaces lie. */
  readonly home: string;
  readonly shoot: (state: string) => Promise<void>;
}

const source = ['export function greet(name) {', '  return `Hello, ${name}`;', '}', '', 'export function part(name) {', '  return `Goodbye, ${name}`;', '}', ''].join('\n');
const read = (...paths: readonly string[]) => propose(...paths.map((path) => call('read_file', { path })));
const edit = (path: string, oldText: string, newText: string) => call('edit_file', { path, edits: [{ oldText, newText }] });

/** Pictures of changes in files, and of what takes them back. */
export async function takeFileShots(folder: string): Promise<void> {
  const home = await temporaryFolder('shots');
  const model = await startModelServer(scriptOf([]));
  const server = await startVscodeServer({
    extensions: [vsixFile], settings: { 'files.autoSave': 'off', 'countersign.models': [{ protocol: 'openai-chat', baseUrl: model.baseUrl, model: 'scripted' }] },
  });
  try {
    await put(home.path, { 'one/greet.js': source, 'one/part.js': source, 'one/docs/words.md': '# Words\n\nHello and goodbye.\n', 'left/app/main.js': source, 'right/app/main.js': source });
    await writeFile(join(home.path, 'twins.code-workspace'), JSON.stringify({ folders: [{ path: 'left/app' }, { path: 'right/app' }] }));
    await inEditor({ server, model, home: home.path, folder }, play);
  } finally {
    await server.close();
    await model.close();
    await home.remove();
  }
}

async function play(stage: Stage): Promise<void> {
  await shootUndo(stage);
  await shootUndoSince(stage);
  await shootUnsaved(stage);
  await shootTwoRoots(stage);
}

async function shootUndo({ person, model, home, shoot }: Stage): Promise<void> {
  model.setScript(scriptOf([read('greet.js'), propose(edit('greet.js', '`Hello, ${name}`', '`Good morning, ${name}`')), say('`greet` says good morning now.')]));
  await person.say('Greet with good morning');
  await person.allow();
  await person.sees('says good morning now');
  await person.idle();
  await shoot('files-01-call-that-can-be-undone');
  const file = join(home, 'one/greet.js');
  await writeFile(file, source.replace('Hello', 'Good morning').replace('function part(name)', 'function part(name, day)'));
  await person.undo('Edit greet.js');
  await person.seesCard();
  await shoot('files-02-undo-beside-a-change-of-mine');
  await person.deny();
  await writeFile(file, source.replace('Hello', 'Good evening'));
  await person.idle();
  await person.undo('Edit greet.js');
  await person.sees(/was changed since in the same place/);
  await shoot('files-03-undo-refused');
}

async function shootUndoSince({ person, model, shoot }: Stage): Promise<void> {
  await person.newSession();
  model.setScript(scriptOf([
    read('greet.js', 'part.js'), propose(edit('greet.js', 'export function part', 'function part'), edit('part.js', 'export function greet', 'function greet')),
    propose(call('write_file', { path: 'docs/changes.md', content: '# Changes\n\n- `greet` and `part` have a file each.\n' })), say('Each function has a file of its own now.'),
  ]));
  await person.say('Give each function its file');
  for (const _ of ['greet.js', 'part.js', 'changes.md']) await person.allow();
  await person.sees('a file of its own now');
  await person.idle();
  await person.undoSince('Give each function');
  await person.seesCard();
  await shoot('files-04-undo-since-here');
  await person.deny();
}

async function shootUnsaved({ person, model, shoot }: Stage): Promise<void> {
  await person.newSession();
  await person.typeInto('words.md', '<!-- not saved yet -->\n');
  model.setScript(scriptOf([read('docs/words.md'), propose(edit('docs/words.md', 'Hello and goodbye.', 'Good morning and goodbye.')), say('Done, in the editor.')]));
  await person.openChat();
  await person.say('Say good morning in the words');
  await person.seesCard();
  await shoot('files-05-edit-of-unsaved-text');
  await person.deny();
  await person.openFile('words.md');
  await person.editor.runCommand('File: Revert File');
}

async function shootTwoRoots({ person, editor, model, home, shoot }: Stage): Promise<void> {
  await editor.openFolder(join(home, 'twins.code-workspace'));
  await person.openChat();
  model.setScript(scriptOf([
    propose(call('search_text', { query: 'Hello' })), read('app-2/main.js'), propose(edit('app-2/main.js', 'Hello', 'Good morning')), say('Changed in the second folder.'),
  ]));
  await person.say('Greet with good morning in the second app');
  await person.seesCard();
  await shoot('files-06-two-folders-of-one-name');
  await person.deny();
}

interface Place {
  readonly server: VscodeServer;
  readonly model: ModelServer;
  readonly home: string;
  readonly folder: string;
}

async function inEditor({ server, model, home, folder }: Place, work: (stage: Stage) => Promise<void>): Promise<void> {
  const editor = await openEditor({ server, folder: join(home, 'one'), viewport: { width: 1280, height: 900 } });
  const person = personAt(editor);
  try {
    await person.openChat();
    await work({ person, editor, model, home, shoot: (state) => shootLooks({ person, server, folder }, state) });
  } catch (error) {
    await editor.screenshot(join(folder, 'files-where-it-failed.png'));
    throw error;
  } finally {
    await editor.close();
  }
}

async function put(home: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  }
}
