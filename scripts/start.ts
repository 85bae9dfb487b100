import { parseArgs } from 'node:util';
import { copySample } from './demo/sample.ts';
import { takeShots } from './demo/shots.ts';
import { findDesktopEditor, openDesktopEditor } from './desktop-editor.ts';
import { editorAddress, openEditor } from './editor-page.ts';
import { endOnSignal } from './end-on-signal.ts';
import { packageExtension } from './package.ts';
import { vsixFile } from './project-paths.ts';
import { startVscodeServer, type ServerOptions } from './vscode-server.ts';

const usage = `npm start [-- OPTIONS]
  Opens a real VS Code with Countersign installed: the desktop one where "code" is on the PATH, else one in a browser.
  --base-url URL, --model NAME   a model server (or COUNTERSIGN_BASE_URL, COUNTERSIGN_MODEL); without them none is
                                 set up, and the chat offers a scripted demonstration
  --protocol NAME                what that server speaks: openai-chat (so without it), openai-responses, anthropic, gemini
  --browser                      in a browser, also where a desktop VS Code is installed
  --folder DIR                   the workspace; without it a fresh copy of a small sample
  --shots DIR                    drives the demonstration by itself and saves a picture of each state`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string' }, model: { type: 'string' }, protocol: { type: 'string', default: 'openai-chat' }, folder: { type: 'string' }, shots: { type: 'string' },
      browser: { type: 'boolean', default: false }, help: { type: 'boolean' },
    },
  });
  if (values.help === true) return console.log(usage);
  await packageExtension();
  if (values.shots !== undefined) return takeShots(values.shots);

  const baseUrl = values['base-url'] ?? process.env['COUNTERSIGN_BASE_URL'];
  const model = values.model ?? process.env['COUNTERSIGN_MODEL'];
  if ((baseUrl === undefined) !== (model === undefined)) throw new Error('A model needs both its address and its name.\n' + usage);
  const sample = values.folder === undefined ? await copySample() : undefined;
  const start: Start = {
    folder: values.folder ?? sample?.folder ?? '',
    settings: baseUrl === undefined ? {} : { 'countersign.models': [{ protocol: values.protocol, baseUrl, model }] },
    trust: sample === undefined ? 'ask' : 'everything',
  };
  console.log(baseUrl === undefined ? 'No model is set up: the chat offers a scripted demonstration, which shows a short tour.' : `The model is ${String(model)} at ${baseUrl}.`);
  console.log(`The workspace is ${start.folder}${sample === undefined ? '' : ', a fresh copy that is removed at the end'}.`);
  const desktop = values.browser ? null : findDesktopEditor();
  if (desktop === null) return openInBrowser(start);
  console.log(`Opening ${desktop}, with settings and extensions of its own; its icon is the shield in the activity bar. Closing its window ends this.`);
  const trusted = start.trust === 'everything' ? { 'security.workspace.trust.enabled': false } : {};
  await openDesktopEditor({ program: desktop, vsix: vsixFile, folder: start.folder, settings: { ...start.settings, ...trusted } });
  process.exit();
}

interface Start extends Required<Pick<ServerOptions, 'settings' | 'trust'>> {
  readonly folder: string;
}

async function openInBrowser({ folder, settings, trust }: Start): Promise<void> {
  const server = await startVscodeServer({ extensions: [vsixFile], settings, trust });
  console.log(`\n  ${editorAddress({ server, folder })}\n`);
  if (process.env['DISPLAY'] !== undefined || process.env['WAYLAND_DISPLAY'] !== undefined) {
    await openEditor({ server, folder, window: 'visible' });
    console.log('A browser window is open on it; its icon is the shield in the activity bar. Ctrl-C ends everything.');
  } else {
    console.log('Open it in a browser; its icon is the shield in the activity bar. Ctrl-C ends everything.');
  }
}

endOnSignal();
await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
