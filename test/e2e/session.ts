import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openEditor, type EditorPage } from '../../scripts/editor-page.ts';
import { endOnSignal } from '../../scripts/end-on-signal.ts';
import { personAt, type Person } from '../../scripts/person.ts';
import { vsixFile } from '../../scripts/project-paths.ts';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { startVscodeServer, type ServerOptions, type Settings, type VscodeServer } from '../../scripts/vscode-server.ts';
import { scriptOf, startModelServer, type ModelServer, type ModelServerOptions } from '../model-server/server.ts';

export interface SessionOptions {
  /** On top of the address and name of the scripted model. */
  readonly settings?: Settings;
  /** As a new user finds it: no model is set up. */
  readonly model?: 'set up' | 'not set up';
  readonly modelServer?: ModelServerOptions;
  readonly trust?: ServerOptions['trust'];
}

export interface Workspace {
  /** Its absolute, real path. */
  readonly path: string;
  /** The file's text as it is on disk now. */
  text(name: string): Promise<string>;
  /** Waits until the file on disk has this text, as after a save by the editor itself. */
  holds(name: string, text: string): Promise<void>;
  bytes(name: string): Promise<Buffer>;
  /** Writes a file behind the editor's back. */
  write(name: string, content: string | Uint8Array): Promise<void>;
}

/**
 * The packed extension in a real VS Code, with a scripted model and a person. Make one a test file (a cold start takes ten
 * seconds and more), and a session a test:
 *
 *     const session = await startSession();
 *     after(() => session.close());
 *     test('…', async () => {
 *       const { person, workspace } = await session.open({ 'a.txt': 'one\n' });
 *       session.model.setScript(scriptOf([propose(call('read_file', { path: 'a.txt' })), say('Done.')]));
 *       await person.say('Read it');
 *       …
 *     });
 */
export interface Session {
  readonly server: VscodeServer;
  readonly model: ModelServer;
  /**
   * A workspace with these files, and the chat in it with a new session. The first opens the editor; those after it empty the same
   * folder and close its editors, which saves a window's reload each. What a test leaves unsaved it has to revert.
   */
  open(files: Readonly<Record<string, string | Uint8Array>>): Promise<{ readonly person: Person; readonly workspace: Workspace }>;
  /** Opens a folder that exists already, or a `.code-workspace` file, and the chat in it. */
  openFolder(path: string): Promise<Person>;
  /** Ends everything and removes every folder that it made. */
  close(): Promise<void>;
}

export async function startSession(options: SessionOptions = {}): Promise<Session> {
  endOnSignal();
  const home = await temporaryFolder('e2e');
  const model = await startModelServer(scriptOf([]), options.modelServer);
  const modelSettings = options.model === 'not set up' ? {} : { 'countersign.models': [{ protocol: 'openai-chat', baseUrl: model.baseUrl, model: 'scripted' }] };
  const server = await startVscodeServer({
    extensions: [vsixFile],
    settings: { ...modelSettings, ...options.settings },
    ...(options.trust === undefined ? {} : { trust: options.trust }),
  });
  let editor: EditorPage | undefined;
  let opened: { readonly person: Person; readonly workspace: Workspace } | undefined;

  async function openFolder(path: string): Promise<Person> {
    if (editor === undefined) editor = await openEditor({ server, folder: path });
    else await editor.openFolder(path);
    const person = personAt(editor);
    await person.openChat();
    return person;
  }

  return {
    server,
    model,
    async open(files) {
      const workspace = workspaceAt(join(home.path, 'workspace'));
      await mkdir(workspace.path, { recursive: true });
      for (const name of await readdir(workspace.path)) await rm(join(workspace.path, name), { recursive: true });
      for (const [name, content] of Object.entries(files)) await workspace.write(name, content);
      if (opened === undefined) opened = { person: await openFolder(workspace.path), workspace };
      else {
        await opened.person.editor.runCommand('View: Close All Editors');
        await opened.person.newSession();
      }
      return opened;
    },
    openFolder,
    async close() {
      await editor?.close();
      await server.close();
      await model.close();
      await home.remove();
    },
  };
}

function workspaceAt(path: string): Workspace {
  return {
    path,
    text: (name) => readFile(join(path, name), 'utf8'),
    async holds(name, text) {
      const end = performance.now() + 30_000;
      while (await readFile(join(path, name), 'utf8') !== text) {
        if (performance.now() > end) throw new Error(`${name} never held\n${text}\nIt holds\n${await readFile(join(path, name), 'utf8')}`);
        await setTimeout(50);
      }
    },
    bytes: (name) => readFile(join(path, name)),
    async write(name, content) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), content);
    },
  };
}
