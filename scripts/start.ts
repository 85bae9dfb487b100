import { parseArgs } from 'node:util';
import { copySample } from './demo/sample.ts';
import { demonstrationModel, serveTour } from './demo/serve-tour.ts';
import { takeShots } from './demo/shots.ts';
import { editorAddress, openEditor } from './editor-page.ts';
import { endOnSignal } from './end-on-signal.ts';
import { packageExtension } from './package.ts';
import { vsixFile } from './project-paths.ts';
import { startVscodeServer } from './vscode-server.ts';

const usage = `npm start [-- OPTIONS]
  Opens a real VS Code, with Countersign installed, in a browser.
  --base-url URL, --model NAME   an OpenAI-compatible model server (or COUNTERSIGN_BASE_URL, COUNTERSIGN_MODEL);
                                 without them a scripted demonstration plays the model
  --folder DIR                   the workspace; without it a fresh copy of a small sample
  --shots DIR                    drives the demonstration by itself and saves a picture of each state`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'base-url': { type: 'string' }, model: { type: 'string' }, folder: { type: 'string' }, shots: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help === true) return console.log(usage);
  await packageExtension();
  if (values.shots !== undefined) return takeShots(values.shots);

  const baseUrl = values['base-url'] ?? process.env['COUNTERSIGN_BASE_URL'];
  const model = values.model ?? process.env['COUNTERSIGN_MODEL'];
  if ((baseUrl === undefined) !== (model === undefined)) throw new Error('A model needs both its address and its name.\n' + usage);
  const demonstration = baseUrl === undefined ? await serveTour() : undefined;
  const sample = values.folder === undefined ? await copySample() : undefined;
  const folder = values.folder ?? sample?.folder ?? '';
  const server = await startVscodeServer({
    extensions: [vsixFile],
    settings: {
      'countersign.model.baseUrl': demonstration?.baseUrl ?? baseUrl,
      'countersign.model.name': demonstration === undefined ? model : demonstrationModel,
    },
    trust: sample === undefined ? 'ask' : 'everything',
  });
  const address = editorAddress({ server, folder });
  console.log(demonstration === undefined ? `The model is ${String(model)} at ${String(baseUrl)}.` : 'The model is a scripted demonstration: it shows a short tour, whatever you write.');
  console.log(`The workspace is ${folder}${sample === undefined ? '' : ', a fresh copy that is removed at the end'}.`);
  console.log(`\n  ${address}\n`);
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
