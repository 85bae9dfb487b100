import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openEditor } from '../../scripts/editor-page.ts';
import { vsixFile } from '../../scripts/project-paths.ts';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { startVscodeServer } from '../../scripts/vscode-server.ts';
import { countHands, demonstrationFile, firstSteps, type Hands } from './first-steps.ts';

test('in an editor as it is installed, six clicks lead from nothing to a first change that was allowed, and it is on disk', async () => {
  const folder = await temporaryFolder('first-use');
  after(() => folder.remove());
  const server = await startVscodeServer({ extensions: [vsixFile], trust: 'ask', look: 'as installed' });
  after(() => server.close());
  let hands: Hands = { clicks: 0, keys: 0 };
  const editor = await openEditor({ server, folder: folder.path, prepare: async (page) => { hands = await countHands(page); } });
  after(() => editor.close());
  const file = join(folder.path, demonstrationFile);
  const card = await firstSteps(editor);
  assert.ok(hands.clicks >= 3 && hands.clicks <= 6, `${hands.clicks} clicks`);
  assert.ok(hands.keys > 0, 'keys are counted too');
  const signed = card.diff.map((line) => line.replace(/^\+/, ''));
  assert.deepEqual((await readFile(file, 'utf8')).trimEnd().split('\n'), signed);
});
