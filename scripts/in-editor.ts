import { join } from 'node:path';
import { openEditor } from './editor-page.ts';
import { vscodeTestsDirectory } from './vscode-tests-bundle.ts';
import type { VscodeServer } from './vscode-server.ts';

export interface InEditorRun {
  readonly server: VscodeServer;
  readonly folder: string;
  /** The folder of the extension under development. */
  readonly extension: string;
  /** A file of `out/vscode-tests` whose `run()` the extension host calls. */
  readonly module: string;
}

const deadlineMs = 180_000;

/** Has a module run in the extension host of a real VS Code; resolves when it has ended, whatever came of it. */
export async function runInEditor({ server, folder, extension, module }: InEditorRun): Promise<void> {
  const remote = (path: string): string => `vscode-remote://${new URL(server.url).host}${path}`;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => { finish = resolve; });
  const editor = await openEditor({
    server, folder,
    payload: [
      ['extensionDevelopmentPath', remote(extension)], ['extensionTestsPath', remote(join(vscodeTestsDirectory, module))], ['skipWelcome', 'true'],
    ],
    async prepare(page) {
      await page.exposeFunction('codeAutomationLog', () => {});
      await page.exposeFunction('codeAutomationExit', () => finish());
    },
  });
  const timer = setTimeout(finish, deadlineMs);
  try {
    await finished;
  } finally {
    clearTimeout(timer);
    await editor.close();
  }
}
