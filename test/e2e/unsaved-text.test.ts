import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, propose, say } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession } from './session.ts';

// In a browser the editor saves by itself after a second.
const session = await startSession({ settings: { 'files.autoSave': 'off' } });
after(() => session.close());

const edit = (path: string, oldText: string, newText: string) => [
  propose(call('read_file', { path })), propose(call('edit_file', { path, edits: [{ oldText, newText }] })), say('That is all.'),
];

test('what a person has typed and not saved is what is read and changed: in the editor, on top of it, and nothing is saved', async () => {
  const { person, workspace } = await session.open({ 'notes.txt': 'first\nsecond\n' });
  await person.typeInto('notes.txt', 'typed ');
  session.model.setScript(scriptOf(edit('notes.txt', 'second', 'changed')));
  await person.openChat();
  await person.say('Change it');
  const card = await person.seesCard();
  assert.deepEqual(card.diff.filter((line) => !line.startsWith('…')), [' typed first', '-second', '+changed']);
  assert.match(card.text, /notes\.txt has unsaved changes: it is changed in the editor, on top of them, and not saved/);
  await person.allow();
  await person.sees('That is all.');
  assert.match(session.model.requests.at(-1)?.raw ?? '', /1\\\\?ttyped first[^]*changed in the editor and not saved/);

  await person.openFile('notes.txt');
  await person.seesInEditor(['typed first', 'changed']);
  await person.editor.page.locator('.tab.active.dirty').waitFor();
  assert.equal(await workspace.text('notes.txt'), 'first\nsecond\n');
  // One undo takes back what the model did, and not what the person typed.
  await person.press('Control+Z');
  await person.seesInEditor(['typed first', 'second']);
  await person.editor.runCommand('File: Revert File');
});

test('keys that are pressed while the card is open are kept, and the edit is not made', async () => {
  const { person, workspace } = await session.open({ 'notes.txt': 'first\nsecond\n' });
  await person.typeInto('notes.txt', 'typed ');
  session.model.setScript(scriptOf(edit('notes.txt', 'second', 'changed')));
  await person.openChat();
  await person.say('Change it');
  await person.seesCard();
  await person.typeInto('notes.txt', 'still ');
  await person.allow();
  await person.sees('That is all.');
  await person.seesCall('Edit notes.txt', /changed meanwhile, nothing written/);
  assert.match(session.model.requests.at(-1)?.raw ?? '', /STALE_PERMIT/);
  await person.openFile('notes.txt');
  await person.seesInEditor(['still typed first', 'second']);
  assert.equal(await workspace.text('notes.txt'), 'first\nsecond\n');
  await person.editor.runCommand('File: Revert File');
});

test('with mixed line ends on disk, unsaved text is not changed: the model is told why, and nobody is asked', async () => {
  const mixed = 'first\r\nsecond\nthird\r\n';
  const { person, workspace } = await session.open({ 'mixed.txt': mixed });
  await person.typeInto('mixed.txt', 'typed ');
  session.model.setScript(scriptOf(edit('mixed.txt', 'second', 'changed')));
  await person.openChat();
  await person.say('Change it');
  await person.sees('That is all.');
  assert.match(session.model.requests.at(-1)?.raw ?? '', /FS_DIRTY: mixed\.txt has unsaved changes in the editor and cannot be changed there: its line ends are mixed on disk/);
  await person.seesCall('Edit mixed.txt', /unsaved in the editor/);
  await person.openFile('mixed.txt');
  await person.seesInEditor(['typed first', 'second', 'third']);
  assert.equal(await workspace.text('mixed.txt'), mixed);
  await person.editor.runCommand('File: Revert File');
});

test('an edit of unsaved text is undone in the editor too, and what was typed since stays', async () => {
  const { person, workspace } = await session.open({ 'notes.txt': 'first\nsecond\nthird\n' });
  await person.typeInto('notes.txt', 'typed ');
  session.model.setScript(scriptOf(edit('notes.txt', 'third', 'changed')));
  await person.openChat();
  await person.say('Change it');
  await person.allow();
  await person.sees('That is all.');
  await person.typeInto('notes.txt', 'still ');
  await person.openChat();
  await person.undo('Edit notes.txt');
  const card = await person.seesCard();
  assert.deepEqual(card.diff.filter((line) => !line.startsWith('…')), [' still typed first', ' second', '-changed', '+third']);
  assert.match(card.text, /it is changed in the editor, on top of them, and not saved/);
  await person.allow();
  await person.seesCall('Undo changes of notes.txt', /undone/);
  await person.openFile('notes.txt');
  await person.seesInEditor(['still typed first', 'second', 'third']);
  assert.equal(await workspace.text('notes.txt'), 'first\nsecond\nthird\n');
  await person.editor.runCommand('File: Revert File');
});

test('where the editor saves by itself, an edit lands on disk on top of what was typed; what is typed before the answer is kept', async () => {
  await session.server.changeSettings({ 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 300 });
  const { person, workspace } = await session.open({ 'notes.txt': 'first\nsecond\nthird\n' });
  await person.typeInto('notes.txt', 'typed ');
  await workspace.holds('notes.txt', 'typed first\nsecond\nthird\n');
  session.model.setScript(scriptOf(edit('notes.txt', 'second', 'changed')));
  await person.openChat();
  await person.say('Change it');
  await person.allow();
  await person.sees('That is all.');
  assert.equal(await workspace.text('notes.txt'), 'typed first\nchanged\nthird\n');
  await person.seesInEditor(['typed first', 'changed', 'third']);

  session.model.setScript(scriptOf([propose(call('edit_file', { path: 'notes.txt', edits: [{ oldText: 'third', newText: 'last' }] })), say('And that too.')]));
  await person.say('Once more');
  await person.seesCard();
  await person.typeInto('notes.txt', 'still ');
  await workspace.holds('notes.txt', 'still typed first\nchanged\nthird\n');
  await person.allow();
  await person.sees('And that too.');
  await person.seesCall('Edit notes.txt', /changed meanwhile, nothing written/);
  assert.equal(await workspace.text('notes.txt'), 'still typed first\nchanged\nthird\n');
});
