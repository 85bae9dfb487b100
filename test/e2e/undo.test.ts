import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { call, hold, propose, say } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession } from './session.ts';

const session = await startSession({ settings: { 'files.autoSave': 'off' } });
after(() => session.close());

const read = (...paths: readonly string[]) => propose(...paths.map((path) => call('read_file', { path })));
const edit = (path: string, oldText: string, newText: string) => call('edit_file', { path, edits: [{ oldText, newText }] });
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join('');
const changed = (diff: readonly string[]) => diff.filter((line) => /^[+-]/.test(line));

test('one call is taken back by its own button and card, and the undo itself can be taken back', async () => {
  const { person, workspace } = await session.open({ 'a.txt': '\uFEFFone\r\ntwo\r\nthree' });
  session.model.setScript(scriptOf([
    read('a.txt'), propose(edit('a.txt', 'two', 'TWO'), call('write_file', { path: 'sub/new.txt', content: 'new\n' })), say('Both are done.'), say('I see.'),
  ]));
  await person.say('Change them');
  await person.allow();
  await person.allow();
  await person.sees('Both are done.');
  await person.idle();
  const afterwards = await workspace.bytes('a.txt');

  // As before, byte for byte.
  await person.undo('Edit a.txt');
  const card = await person.seesCard();
  assert.equal(card.title, 'Undo changes of a.txt');
  assert.deepEqual(changed(card.diff), ['-TWO', '+two']);
  assert.deepEqual(await workspace.bytes('a.txt'), afterwards, 'nothing is written before the answer');
  await person.allow();
  await person.seesCall('Undo changes of a.txt', /undone/);
  assert.equal(await workspace.text('a.txt'), '\uFEFFone\r\ntwo\r\nthree');

  // A denied undo leaves everything, and can be asked for again; of a created file nothing is left.
  await person.undo('sub/new.txt');
  assert.match((await person.seesCard()).text, /Deleted file/i);
  await person.deny('I still want it');
  await person.seesCall('Undo changes of new.txt', /denied: I still want it/);
  assert.equal(await workspace.text('sub/new.txt'), 'new\n');
  await person.undo('sub/new.txt');
  await person.allow();
  await person.seesCall('Undo changes of new.txt', /undone/);
  assert.equal(existsSync(join(workspace.path, 'sub/new.txt')), false);

  // And back.
  for (const name of ['new.txt', 'a.txt']) {
    await person.idle();
    await person.undo(`Undo changes of ${name}`);
    await person.allow();
  }
  await person.idle();
  await person.seesCall('Undo changes of a.txt', /undone/);
  assert.equal(await workspace.text('sub/new.txt'), 'new\n');
  assert.deepEqual(await workspace.bytes('a.txt'), afterwards);

  // The model reads all of it, as what the person did.
  await person.say('Look what I did');
  await person.sees('I see.');
  const told = session.model.requests.at(-1)?.raw ?? '';
  assert.match(told, /\[I undid changes of yours[^\]]*\]\\nUndone: a\.txt \(as it was before\)/);
  assert.match(told, /\[I tried to undo changes of yours\]\\nIt failed:\\nDENIED_BY_PERSON[^"]*I still want it/);
  assert.match(told, /Undone: sub\/new\.txt \(deleted\)/);
  assert.match(told, /Undone: sub\/new\.txt \(there again\)/);
});

test('what a person changed since, in the editor or behind it, is kept; where both changed the same lines nothing is', async () => {
  const { person, workspace } = await session.open({ 'a.txt': numbered(12), 'b.txt': numbered(12) });
  session.model.setScript(scriptOf([read('a.txt', 'b.txt'), propose(edit('a.txt', 'line 5\n', 'FIVE\n'), edit('b.txt', 'line 5\n', 'FIVE\n')), say('Both are done.')]));
  await person.say('Change them');
  await person.allow();
  await person.allow();
  await person.sees('Both are done.');

  // Near it, and saved; and further down, on disk behind the editor.
  await person.typeInto('a.txt', 'mine: ');
  await person.editor.runCommand('File: Save');
  await person.editor.page.locator('.tab.active:not(.dirty)').waitFor();
  await workspace.write('a.txt', (await workspace.text('a.txt')).replace('line 8', 'line 8, also mine'));
  await person.openChat();
  await person.undo('Edit a.txt');
  const card = await person.seesCard();
  assert.deepEqual(changed(card.diff), ['-FIVE', '+line 5']);
  assert.ok(card.diff.includes(' line 8, also mine'), 'what is kept is seen beside what goes');
  await person.allow();
  await person.seesCall('Undo changes of a.txt', /undone/);
  assert.equal(await workspace.text('a.txt'), numbered(12).replace('line 1\n', 'mine: line 1\n').replace('line 8', 'line 8, also mine'));

  // In the same place.
  const mine = numbered(12).replace('line 5', 'FIVE, as I want it');
  await workspace.write('b.txt', mine);
  await person.undo('Edit b.txt');
  await person.seesCall('Undo changes of b.txt', /Failed/);
  await person.sees(/b\.txt was changed since in the same place/);
  assert.equal(await person.hasCard(), false);
  assert.equal(await workspace.text('b.txt'), mine);
});

test('"Undo since here" takes back all that came after a message, over several calls and files, on one card', async () => {
  const { person, workspace } = await session.open({ 'a.txt': 'one\ntwo\n', 'b.txt': 'one\n' });
  session.model.setScript(scriptOf([
    read('a.txt', 'b.txt'), propose(edit('a.txt', 'one', 'ONE')), say('The first is done.'),
    propose(edit('a.txt', 'two', 'TWO'), edit('b.txt', 'one', 'ONE')), propose(call('write_file', { path: 'c.txt', content: 'new\n' })), say('The rest is done.'),
  ]));
  await person.say('First this');
  await person.allow();
  await person.sees('The first is done.');
  await person.say('And now the rest');
  for (const _ of ['a.txt', 'b.txt', 'c.txt']) await person.allow();
  await person.sees('The rest is done.');
  await person.idle();

  await person.undoSince('And now the rest');
  const card = await person.seesCard();
  for (const name of ['a.txt', 'b.txt', 'c.txt']) assert.match(card.title, new RegExp(name.replace('.', '\\.')));
  assert.match(card.text, /3 files, \+2 −3/);
  await person.allow();
  await person.seesCall('Undo changes of', /undone/);
  assert.equal(await workspace.text('a.txt'), 'ONE\ntwo\n', 'what was done before the message stays');
  assert.equal(await workspace.text('b.txt'), 'one\n');
  assert.equal(existsSync(join(workspace.path, 'c.txt')), false);

  await person.undoSince('First this');
  assert.deepEqual(changed((await person.seesCard()).diff), ['-ONE', '+one']);
  await person.allow();
  await person.idle();
  assert.equal(await workspace.text('a.txt'), 'one\ntwo\n');
});

test('in Plan mode an undo is denied by the rule, while a turn runs it waits for the end, and after a reload it still works', async () => {
  const { person, workspace } = await session.open({ 'a.txt': 'one\ntwo\n' });
  const gate = hold();
  session.model.setScript(scriptOf([read('a.txt'), propose(edit('a.txt', 'two', 'TWO')), say('Changed.'), { kind: 'answer', text: ['Thinking', ' it over.'], holdAfter: { chunks: 2, until: gate.until } }]));
  await person.say('Change it');
  await person.allow();
  await person.sees('Changed.');
  await person.idle();

  await person.chooseMode('Plan');
  await person.undo('Edit a.txt');
  await person.seesCall('Undo changes of a.txt', /denied by a rule/);
  assert.equal(await person.hasCard(), false);
  await person.chooseMode('Ask');

  await person.say('Think it over');
  await person.sees('Thinking');
  await person.undo('Edit a.txt');
  await person.isTold('Undo once this turn has ended, or stop it first.');
  gate.release();
  await person.idle();
  assert.equal(await workspace.text('a.txt'), 'one\nTWO\n');

  await person.reload();
  await person.undo('Edit a.txt');
  assert.deepEqual(changed((await person.seesCard()).diff), ['-TWO', '+two']);
  await person.allow();
  await person.seesCall('Undo changes of a.txt', /undone/);
  assert.equal(await workspace.text('a.txt'), 'one\ntwo\n');
});
