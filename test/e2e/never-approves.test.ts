import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Person } from '../../scripts/person.ts';
import { call, propose, say } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession, type Workspace } from './session.ts';

const session = await startSession();
after(() => session.close());

async function withOpenCard(): Promise<{ readonly person: Person; readonly workspace: Workspace }> {
  const opened = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([propose(call('read_file', { path: 'a.txt' })), propose(call('edit_file', { path: 'a.txt', edits: [{ oldText: 'one', newText: 'ONE' }] })), say('That is all.')]));
  await opened.person.say('Change it');
  await opened.person.seesCard();
  return opened;
}

test('a message that is sent while a card is open waits, and approves nothing', async () => {
  const { person, workspace } = await withOpenCard();
  const asked = session.model.requests.length;
  await person.type('yes, allow it');
  await person.press('Enter');
  await person.sees('yes, allow it');
  await person.editor.page.waitForTimeout(800);
  assert.equal(await person.hasCard(), true);
  assert.equal(await workspace.text('a.txt'), 'one\n');
  assert.equal(session.model.requests.length, asked, 'the message waits for the answer');
  await person.deny();
  await person.sees('That is all.');
  assert.equal(await workspace.text('a.txt'), 'one\n');
  assert.match(session.model.requests.at(-1)?.raw ?? '', /yes, allow it/);
});

test('Enter in the empty composer approves nothing', async () => {
  const { person, workspace } = await withOpenCard();
  await (await person.frame()).locator('.composer textarea').click();
  await person.press('Enter');
  await person.press('Enter');
  await person.editor.page.waitForTimeout(800);
  assert.equal(await person.hasCard(), true);
  assert.equal(await workspace.text('a.txt'), 'one\n');
  await person.deny();
});

test('a click and Enter within half a second of the card approve nothing', async () => {
  const { person, workspace } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([propose(call('read_file', { path: 'a.txt' })), propose(call('edit_file', { path: 'a.txt', edits: [{ oldText: 'one', newText: 'ONE' }] })), say('That is all.')]));
  const frame = await person.frame();
  // In the page itself, so that it happens in the very frame in which the card is drawn.
  const pressed = frame.evaluate(() => new Promise<number>((resolve) => {
    const observer = new MutationObserver(() => {
      const button = [...document.querySelectorAll<HTMLButtonElement>('[data-open-card] button')].find(({ textContent }) => textContent?.trim() === 'Allow');
      if (button === undefined) return;
      observer.disconnect();
      button.focus();
      button.click();
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      button.click();
      resolve(2);
    });
    observer.observe(document.body, { subtree: true, childList: true });
  }));
  await person.say('Change it');
  assert.equal(await pressed, 2);
  await person.editor.page.waitForTimeout(1000);
  assert.equal(await person.hasCard(), true);
  assert.equal(await workspace.text('a.txt'), 'one\n');
  await person.deny();
});

test('closing the view approves nothing; the card is there again when it opens', async () => {
  const { person, workspace } = await withOpenCard();
  await person.editor.page.keyboard.press('Control+Shift+E');
  await person.editor.page.waitForTimeout(1000);
  assert.equal(await workspace.text('a.txt'), 'one\n');
  await person.openChat();
  await person.seesCard();
  await person.allow();
  await person.sees('That is all.');
  assert.equal(await workspace.text('a.txt'), 'ONE\n');
});

test('reloading the window approves nothing: the conversation is there, its card closed, and can be asked again', async () => {
  const { person, workspace } = await withOpenCard();
  await person.editor.page.reload();
  await person.editor.page.locator('.monaco-workbench .activitybar').waitFor();
  await person.openChat();
  await person.sees('Change it');
  await person.sees('not started');
  assert.equal(await person.hasCard(), false);
  assert.equal(await workspace.text('a.txt'), 'one\n');
  await person.pressButton('Ask again');
  await person.seesCard();
  await person.allow();
  await person.editor.page.waitForTimeout(500);
  await person.idle();
  assert.equal(await workspace.text('a.txt'), 'ONE\n');
});
