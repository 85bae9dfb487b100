import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openEditor } from '../../scripts/editor-page.ts';
import { personAt, type Person } from '../../scripts/person.ts';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { call, propose, say } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession } from './session.ts';

const session = await startSession();
const home = await temporaryFolder('no-folder');
after(async () => {
  await session.close();
  await home.remove();
});

async function windowWith(payload: readonly (readonly [string, string])[]): Promise<Person> {
  const editor = await openEditor({ server: session.server, payload });
  after(() => editor.close());
  const person = personAt(editor);
  await person.openChat();
  return person;
}

test('without a folder the chat can be used: every read and every change asks, by its whole path', async () => {
  const file = join(home.path, 'note.txt');
  await writeFile(file, 'one\ntwo\n');
  session.model.setScript(scriptOf([
    propose(call('read_file', { path: 'note.txt' })), propose(call('read_file', { path: file })),
    propose(call('edit_file', { path: file, edits: [{ oldText: 'two', newText: 'TWO' }] })), say('It is changed.'),
  ]));
  // A file is open, and no folder.
  const person = await windowWith([['openFile', `vscode-remote://${new URL(session.server.url).host}${file}`]]);
  await person.editor.page.locator('.tab.active').filter({ hasText: 'note.txt' }).waitFor();
  await person.say('Change the note');
  const read = await person.seesCard();
  assert.match(read.text, /note\.txt/);
  assert.match(read.text, /outside the workspace|no folder/i);
  await person.allow();
  await person.allow();
  await person.sees('It is changed.');
  assert.equal(await readFile(file, 'utf8'), 'one\nTWO\n');
  assert.match(session.model.requests.at(-1)?.raw ?? '', /FS_NOT_FOUND/, 'a path without a folder to begin at names no file');
  await person.undo('Edit');
  await person.allow();
  await person.seesCall('Undo changes of note.txt', /undone/);
  assert.equal(await readFile(file, 'utf8'), 'one\ntwo\n');
});
