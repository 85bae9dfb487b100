import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ensureEditor } from './install-editor.ts';
import { runCommand } from './run-command.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type Settings = Readonly<Record<string, unknown>>;

export interface ServerOptions {
  /** On top of settings that keep the editor quiet. */
  readonly settings?: Settings;
  /** `as installed`: without those, as a new user finds it. */
  readonly look?: 'quiet' | 'as installed';
  /** VSIX files to install before the start. */
  readonly extensions?: readonly string[];
  /** Folders of further extensions, which need no packing: they are copied to where installed ones stand. */
  readonly extensionFolders?: readonly string[];
  /** `ask`: a folder opens in Restricted Mode, as in the desktop's editor. By default every folder is trusted. */
  readonly trust?: 'everything' | 'ask';
  /** Added to the environment, which the extension host inherits. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface VscodeServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Where the editor keeps settings and what extensions store. */
  readonly userData: string;
  /** What the server and the extension hosts wrote so far. */
  readonly log: () => string;
  /** Settings changed by a person: merged into the user's and the machine's settings files, which the editor watches. */
  changeSettings(settings: Settings): Promise<void>;
  /** Ends the server with all of its processes and removes its folders. */
  close(): Promise<void>;
}

const quietSettings: Settings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'security.workspace.trust.untrustedFiles': 'open',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.menuBarVisibility': 'compact',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

const startDeadlineMs = 60_000;

/** Starts a real VS Code on a free port, with folders of its own for settings and extensions. */
export async function startVscodeServer(options: ServerOptions = {}): Promise<VscodeServer> {
  const entry = await ensureEditor();
  const home = await temporaryFolder('vscode');
  const folders = ['--user-data-dir', join(home.path, 'user'), '--extensions-dir', join(home.path, 'extensions')];
  let settings: Settings = { ...(options.look === 'as installed' ? {} : quietSettings), ...options.settings };
  // Machine-scoped settings count in one file, the others in the other; each file's reader passes over what is not its own.
  const writeSettings = async (): Promise<void> => {
    for (const folder of ['User', 'Machine']) {
      await mkdir(join(home.path, 'user', folder), { recursive: true });
      await writeFile(join(home.path, 'user', folder, 'settings.json'), JSON.stringify(settings, null, 2));
    }
  };
  try {
    await writeSettings();
    // Before anything is installed: only the first look takes up what merely lies there.
    for (const folder of options.extensionFolders ?? []) await cp(folder, join(home.path, 'extensions', basename(folder)), { recursive: true });
    for (const vsix of options.extensions ?? []) await runCommand(process.execPath, [entry, '--install-extension', vsix, '--force', ...folders]);
    const running = await launch(entry, [...folders, ...(options.trust === 'ask' ? [] : ['--disable-workspace-trust'])], options.env ?? {});
    return {
      url: running.url,
      userData: join(home.path, 'user'),
      log: running.log,
      async changeSettings(changes) {
        settings = { ...settings, ...changes };
        await writeSettings();
      },
      async close() {
        await running.end();
        await home.remove();
      },
    };
  } catch (error) {
    await home.remove();
    throw error;
  }
}

interface Running {
  readonly url: string;
  readonly log: () => string;
  end(): Promise<void>;
}

async function launch(entry: string, flags: readonly string[], env: Readonly<Record<string, string>>): Promise<Running> {
  const child = spawn(process.execPath, [
    entry, '--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms',
    '--enable-smoke-test-driver', '--disable-telemetry', ...flags,
  ], {
    env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that one signal also reaches the extension hosts.
    detached: process.platform !== 'win32',
  });
  const killNow = (): void => signalGroup(child, 'SIGKILL');
  // Before the handlers that remove folders: it would write into them to the last.
  process.prependOnceListener('exit', killNow);
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let log = '';
  const end = async (): Promise<void> => {
    signalGroup(child, 'SIGTERM');
    const timer = setTimeout(killNow, 5000);
    await exited;
    clearTimeout(timer);
    // The server is gone; what it started may still be on its way out.
    killNow();
    process.off('exit', killNow);
  };
  try {
    const port = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`VS Code did not start within a minute:\n${log}`)), startDeadlineMs);
      const collect = (chunk: Buffer): void => {
        log += chunk.toString('utf8');
        const found = /Extension host agent listening on (\d+)/.exec(log)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`VS Code ended with ${code} as it started:\n${log}`)));
    });
    return { url: `http://127.0.0.1:${port}`, log: () => log, end };
  } catch (error) {
    await end();
    throw error;
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}
