import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openEditor } from '../../scripts/editor-page.ts';
import { personAt } from '../../scripts/person.ts';
import { vsixFile } from '../../scripts/project-paths.ts';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { startVscodeServer } from '../../scripts/vscode-server.ts';
import { call, httpError, propose, say } from '../model-server/replies.ts';
import { scriptOf, startModelServer } from '../model-server/server.ts';

const home = await temporaryFolder('witness');
after(() => home.remove());

test('a whole session connects to the model server that was set up, and to nothing else', async () => {
  const written = join(home.path, 'connections.txt');
  const folder = join(home.path, 'workspace');
  await mkdir(folder);
  await writeFile(join(folder, 'a.txt'), 'one\n');
  const model = await startModelServer(scriptOf([
    propose(call('read_file', { path: 'a.txt' }), call('edit_file', { path: 'a.txt', edits: [{ oldText: 'one', newText: 'ONE' }] })),
    say('Done. ![an image](https://example.invalid/i.png) and [a link](https://example.invalid/).'), httpError(401),
  ]));
  after(() => model.close());
  const server = await startVscodeServer({
    extensions: [vsixFile], env: { COUNTERSIGN_WITNESS: written },
    settings: { 'countersign.models': [{ protocol: 'openai-chat', baseUrl: model.baseUrl, model: 'scripted' }] },
  });
  after(() => server.close());
  const witness = `vscode-remote://${new URL(server.url).host}${join(import.meta.dirname, 'connection-witness')}`;
  const asked: string[] = [];
  const editor = await openEditor({
    server, folder, payload: [['extensionDevelopmentPath', witness]],
    prepare: async (page) => { page.context().on('request', (request) => asked.push(request.url())); },
  });
  after(() => editor.close());
  const person = personAt(editor);
  await person.openChat();
  await person.say('Change it');
  await person.seesCard();
  await person.allow();
  await person.sees('Done.');
  await person.say('And once more');
  await person.sees(/401/);
  await person.idle();

  const [first, ...connections] = (await readFile(written, 'utf8')).trim().split('\n');
  assert.equal(first, 'watching', 'the witness stood before the extension was used');
  const { port } = new URL(model.baseUrl);
  assert.ok(connections.length > 0, 'the witness saw the model being asked');
  assert.deepEqual([...new Set(connections)].filter((address) => address !== `127.0.0.1:${port}`), []);
  assert.deepEqual(asked.filter((url) => url.includes('example.invalid')), [], 'nothing in the page followed the model\'s text');
});
