import { accessSync, constants } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type { Settings } from './vscode-server.ts';

/** A desktop VS Code's command line, if this machine has one that can open a window: first found on the PATH. */
export function findDesktopEditor(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string | null {
  // A shell inside a remote window or a container has a `code` too: it would open a window of that editor, not one of ours.
  if (env['VSCODE_IPC_HOOK_CLI'] !== undefined) return null;
  if (platform === 'linux' && env['DISPLAY'] === undefined && env['WAYLAND_DISPLAY'] === undefined) return null;
  const names = platform === 'win32' ? ['code.cmd', 'code-insiders.cmd'] : ['code', 'code-insiders'];
  for (const name of names) {
    for (const folder of (env['PATH'] ?? '').split(delimiter)) {
      if (folder !== '' && isExecutable(join(folder, name))) return join(folder, name);
    }
  }
  return null;
}

export interface DesktopStart {
  readonly program: string;
  readonly vsix: string;
  readonly folder: string;
  readonly settings: Settings;
}

/** Opens a window with folders of its own for settings and extensions; resolves when that window is closed. */
export async function openDesktopEditor({ program, vsix, folder, settings }: DesktopStart): Promise<void> {
  const home = await temporaryFolder('desktop');
  try {
    const user = join(home.path, 'user');
    await mkdir(join(user, 'User'), { recursive: true });
    await writeFile(join(user, 'User', 'settings.json'), JSON.stringify(settings, null, 2));
    const own = ['--user-data-dir', user, '--extensions-dir', join(home.path, 'extensions')];
    await runCommand(program, [...own, '--install-extension', vsix], {});
    await runCommand(program, [...own, '--new-window', '--wait', '--skip-welcome', folder], {});
  } finally {
    await home.remove();
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
