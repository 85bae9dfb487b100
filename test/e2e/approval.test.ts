import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { call, propose, say } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession } from './session.ts';

const session = await startSession({
  settings: { 'files.trimTrailingWhitespace': true, 'files.insertFinalNewline': true, 'editor.formatOnSave': true, 'files.autoSave': 'afterDelay' },
});
after(() => session.close());

/** A byte order mark, mixed line ends, trailing blanks, a tab, no final newline. */
const odd = '\uFEFFalpha  \r\nbeta\ngamma\t \r\ndelta\rone word   ';
const edit = (path: string, oldText: string, newText: string) => [
  propose(call('read_file', { path })), propose(call('edit_file', { path, edits: [{ oldText, newText }] })), say('That is all.'),
];

test('an allowed edit lands byte for byte as shown, whatever the editor does on save', async () => {
  const { person, workspace } = await session.open({ 'odd.txt': odd });
  await person.openFile('odd.txt');
  session.model.setScript(scriptOf(edit('odd.txt', 'beta', 'BETA  ')));
  await person.say('Change it');
  const card = await person.seesCard();
  assert.match(card.title, /odd\.txt/);
  assert.deepEqual(card.diff.filter((line) => /^[+-]/.test(line)), ['-beta‹LF›', '+BETA  ‹LF›'], 'where line ends differ, they are shown');
  assert.equal(await workspace.text('odd.txt'), odd, 'nothing is written before the answer');
  await person.allow();
  await person.sees('That is all.');
  assert.deepEqual(await workspace.bytes('odd.txt'), Buffer.from(odd.replace('beta', 'BETA  ')));
  // The editor shows what stands on disk now.
  await person.editor.page.locator('.view-line').filter({ hasText: 'BETA' }).first().waitFor();
});

test('a denied edit leaves bytes and time alone, and the model reads the reason', async () => {
  const { person, workspace } = await session.open({ 'a.txt': 'one\ntwo\n' });
  const before = await stat(join(workspace.path, 'a.txt'), { bigint: true });
  session.model.setScript(scriptOf(edit('a.txt', 'one', 'ONE')));
  await person.say('Change it');
  await person.seesCard();
  const badge = person.editor.page.locator('.activitybar .badge-content').filter({ hasText: '1' });
  await badge.waitFor();
  await person.deny('not in capitals');
  await person.sees('That is all.');
  await badge.waitFor({ state: 'hidden' });
  assert.equal(await workspace.text('a.txt'), 'one\ntwo\n');
  assert.equal((await stat(join(workspace.path, 'a.txt'), { bigint: true })).mtimeNs, before.mtimeNs);
  const body = session.model.requests.at(-1)?.raw ?? '';
  assert.match(body, /DENIED_BY_PERSON/);
  assert.match(body, /not in capitals/);
});

test('a file that changed on disk while its card was open is not written, and the change survives', async () => {
  const { person, workspace } = await session.open({ 'a.txt': 'one\ntwo\n' });
  session.model.setScript(scriptOf(edit('a.txt', 'one', 'ONE')));
  await person.say('Change it');
  await person.seesCard();
  await workspace.write('a.txt', 'one\ntwo\nmine\n');
  await person.allow();
  await person.sees('That is all.');
  assert.equal(await workspace.text('a.txt'), 'one\ntwo\nmine\n');
  assert.match(session.model.requests.at(-1)?.raw ?? '', /STALE_PERMIT/);
  await person.sees('changed meanwhile');
});

test('the title bar of the diff answers too, by mouse and by keys', async () => {
  const { person, workspace } = await session.open({ 'a.txt': 'one\ntwo\n' });
  session.model.setScript(scriptOf(edit('a.txt', 'one', 'ONE')));
  await person.say('Change it');
  await person.seesCard();
  await person.openDiff();
  assert.match((await person.tabs()).join(), /a\.txt \(proposed change\)/);
  await person.editor.page.waitForTimeout(700);
  await person.allowInDiff();
  await person.sees('That is all.');
  assert.equal(await workspace.text('a.txt'), 'ONE\ntwo\n');
  assert.doesNotMatch((await person.tabs()).join(), /proposed change/, 'the diff goes with its card');

  session.model.setScript(scriptOf(edit('a.txt', 'two', 'TWO')));
  await person.say('And the other');
  await person.seesCard();
  await person.openDiff();
  await person.editor.page.waitForTimeout(700);
  await person.press('Control+Alt+Backspace');
  await person.editor.page.waitForFunction(() => document.querySelector('.tab') === null || !/proposed change/.test(document.querySelector('.tabs-container')?.textContent ?? ''));
  await person.idle();
  assert.equal(await workspace.text('a.txt'), 'ONE\ntwo\n');

  session.model.setScript(scriptOf([propose(call('edit_file', { path: 'a.txt', edits: [{ oldText: 'two', newText: '2' }] })), say('Third.')]));
  await person.say('Again');
  await person.seesCard();
  await person.openDiff();
  await person.editor.page.waitForTimeout(700);
  await person.press('Control+Alt+Enter');
  await person.sees('Third.');
  assert.equal(await workspace.text('a.txt'), 'ONE\n2\n');
});

test('a denial with a reason can be given in the diff too', async () => {
  const { person, workspace } = await session.open({ 'a.txt': 'one\ntwo\n' });
  session.model.setScript(scriptOf(edit('a.txt', 'one', 'ONE')));
  await person.say('Change it');
  await person.seesCard();
  await person.openDiff();
  await person.editor.page.waitForTimeout(700);
  await person.press('Control+Alt+Shift+Backspace');
  await person.editor.page.locator('.quick-input-widget input[type="text"]').waitFor();
  await person.editor.page.keyboard.type('lower case, please');
  await person.press('Enter');
  await person.sees('That is all.');
  assert.match(session.model.requests.at(-1)?.raw ?? '', /lower case, please/);
  assert.equal(await workspace.text('a.txt'), 'one\ntwo\n');
});
