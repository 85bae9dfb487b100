import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { call, propose, say } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession } from './session.ts';

const session = await startSession();
const home = await temporaryFolder('multi-root');
after(async () => {
  await session.close();
  await home.remove();
});

test('with several folders open, a path begins with its folder; one that does not is refused, and the folders are named', async () => {
  // The last folder is gone: the others are worked in all the same.
  const workspace = join(home.path, 'both.code-workspace');
  await writeFile(workspace, JSON.stringify({ folders: [{ path: 'one' }, { path: 'two' }, { path: 'gone' }] }));
  for (const [folder, file] of [['one', 'a.txt'], ['two', 'b.txt']] as const) {
    await mkdir(join(home.path, folder));
    await writeFile(join(home.path, folder, file), `in ${folder}\n`);
  }
  const edits = [{ oldText: 'in two', newText: 'changed' }];
  session.model.setScript(scriptOf([
    propose(call('read_file', { path: 'one/a.txt' }), call('read_file', { path: 'two/b.txt' }), call('read_file', { path: 'a.txt' }), call('write_file', { path: 'b.txt', content: 'new\n' })),
    propose(call('edit_file', { path: 'two/b.txt', edits })), say('That is all.'),
  ]));
  const person = await session.openFolder(workspace);
  await person.say('Change it');
  const card = await person.seesCard();
  assert.match(card.title, /two\/b\.txt/);
  assert.deepEqual(card.diff.filter((line) => /^[+-]/.test(line)), ['-in two', '+changed']);
  await person.allow();
  await person.sees('That is all.');

  const asked = session.model.requests.at(-1)?.raw ?? '';
  assert.match(asked, /in one/);
  for (const path of ['a.txt', 'b.txt']) assert.match(asked, new RegExp(`FS_NOT_FOUND[^{}]*one/…, two/…[^{}]*${path}`));
  assert.equal(await readFile(join(home.path, 'two', 'b.txt'), 'utf8'), 'changed\n');
  assert.equal(await readFile(join(home.path, 'one', 'a.txt'), 'utf8'), 'in one\n');
  assert.deepEqual((await readdir(home.path, { recursive: true })).sort(), ['both.code-workspace', 'one', 'one/a.txt', 'two', 'two/b.txt'], 'nothing was written anywhere else');
});

test('folders of one name get a number: both are searched, and the second is changed and undone by its own', async () => {
  const workspace = join(home.path, 'twins.code-workspace');
  await writeFile(workspace, JSON.stringify({ folders: [{ path: 'left/app' }, { path: 'right/app' }] }));
  const files = { 'left/app/main.txt': 'needle left\n', 'right/app/main.txt': 'needle right\n', 'right/app/app/main.txt': 'needle below\n' };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home.path, path)), { recursive: true });
    await writeFile(join(home.path, path), text);
  }
  const onDisk = async (): Promise<Readonly<Record<string, string>>> => Object.fromEntries(await Promise.all(Object.keys(files).map(async (path) => [path, await readFile(join(home.path, path), 'utf8')] as const)));
  const change = (path: string) => call('edit_file', { path, edits: [{ oldText: 'needle', newText: 'thread' }] });
  session.model.setScript(scriptOf([
    propose(call('search_text', { query: 'needle' })), propose(call('read_file', { path: 'app-2/main.txt' }), call('read_file', { path: 'app-2/app/main.txt' })),
    propose(change('app-2/main.txt'), change('app-2/app/main.txt')), say('Both are changed.'),
  ]));
  const person = await session.openFolder(workspace);
  await person.say('Change them');
  await person.sees('app-2/main.txt');
  await person.allow();
  await person.allow();
  await person.sees('Both are changed.');
  const asked = session.model.requests.at(-1)?.raw ?? '';
  for (const [path, word] of [['app/main.txt', 'left'], ['app-2/main.txt', 'right'], ['app-2/app/main.txt', 'below']] as const) assert.match(asked, new RegExp(`${path}[^"]*needle ${word}`));
  assert.deepEqual(await onDisk(), { ...files, 'right/app/main.txt': 'thread right\n', 'right/app/app/main.txt': 'thread below\n' });

  await person.undo('Edit app-2/app/main.txt');
  await person.allow();
  await person.seesCall('Undo changes of', /undone/);
  assert.deepEqual(await onDisk(), { ...files, 'right/app/main.txt': 'thread right\n' });
});
