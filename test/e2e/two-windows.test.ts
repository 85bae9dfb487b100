import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readLog } from '../../extension/session/read-log.ts';
import { openEditor } from '../../scripts/editor-page.ts';
import { personAt, type Person } from '../../scripts/person.ts';
import { call, hold, propose, say } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession } from './session.ts';

const session = await startSession();
after(() => session.close());

/** A second browser on the same server and folder: a window and an extension host of its own. */
async function secondWindow(folder: string): Promise<Person> {
  const editor = await openEditor({ server: session.server, folder });
  after(() => editor.close());
  const person = personAt(editor);
  await person.openChat();
  return person;
}

const elsewhere = 'This session goes on in another window.';
const isReadOnly = async (person: Person): Promise<boolean> => (await (await person.frame()).locator('.banner').count()) > 0;
/** Each button of an open card, and whether it can be pressed. */
async function cardButtons(person: Person): Promise<Readonly<Record<string, boolean>>> {
  const all = await (await person.frame()).locator('[data-open-card] button').evaluateAll((buttons) => buttons.map((button) => [button.textContent ?? '', button.ariaDisabled !== 'true'] as const));
  return Object.fromEntries(all);
}

async function logOf(text: string): Promise<readonly string[]> {
  for await (const file of glob(join(session.server.userData, '**/sessions/*.jsonl'))) {
    // Throws where the chain is broken.
    const { records, torn } = readLog(file);
    if (JSON.stringify(records).includes(text)) return [String(torn), ...records.map(({ event }) => event.type)];
  }
  return [];
}

test('a second window shows the session as it goes on, answers nothing, takes it over, and gets it when the first is closed', async () => {
  const { person: first, workspace } = await session.open({ 'a.txt': 'one\n' });
  const gate = hold();
  session.model.setScript(scriptOf([
    { kind: 'answer', text: ['I shall write it. '], calls: [call('write_file', { path: 'b.txt', content: 'two\n' })], holdAfter: { chunks: 1, until: gate.until } },
    say('It is written.'), say('Said in the second window.'), propose(call('write_file', { path: 'c.txt', content: 'three\n' })), say('And said once more.'),
  ]));
  await first.say('Write b.txt');
  const second = await secondWindow(workspace.path);
  await second.sees('Write b.txt');
  await second.sees(elsewhere);

  // Live, and read-only.
  gate.release();
  await first.seesCard();
  const seen = await second.seesCard();
  assert.match(seen.title, /b\.txt/);
  await second.press('Control+Enter');
  assert.equal((await cardButtons(second))['Allow'], false);
  await (await second.frame()).locator('[data-open-card] button').filter({ hasText: /^Allow$/ }).dispatchEvent('click');
  assert.equal(await first.hasCard(), true);
  assert.equal(existsSync(join(workspace.path, 'b.txt')), false);
  await first.allow();
  await second.sees('It is written.');
  assert.equal(await second.hasCard(), false);
  await (await second.frame()).locator('.composer textarea').fill('May I?');
  await second.press('Enter');
  await second.sees(`${elsewhere} Take it over to send this.`);
  assert.equal(await second.draft(), 'May I?');

  // Over to the second.
  await first.idle();
  await second.pressButton('Take it over');
  await first.sees(elsewhere);
  await (await second.frame()).locator('.banner').waitFor({ state: 'detached' });
  assert.equal(await isReadOnly(first), true);
  await second.say('May I?');
  await second.sees('Said in the second window.');
  await first.sees('Said in the second window.');
  await second.say('And c.txt');
  await second.seesCard();
  await first.seesCard();
  assert.equal((await cardButtons(first))['Allow'], false);
  await second.allow();
  await first.sees('And said once more.');
  await second.idle();
  assert.equal(await workspace.text('c.txt'), 'three\n');

  // The window that wrote it is closed: the other has it, without being asked.
  await second.editor.page.goto('about:blank');
  await (await first.frame()).locator('.banner').waitFor({ state: 'detached' });
  session.model.setScript(scriptOf([say('Back in the first.')]));
  await first.say('Are you there?');
  await first.sees('Back in the first.');
  await first.idle();

  const [torn, ...types] = await logOf('Are you there?');
  assert.equal(torn, 'false');
  assert.deepEqual(types.filter((type) => type === 'user' || type === 'turn-ended'), ['user', 'turn-ended', 'user', 'turn-ended', 'user', 'turn-ended', 'user', 'turn-ended']);
});

test('taking over in the middle of a turn ends it where it ran, and nothing that waited for an answer is done', async () => {
  const { person: first, workspace } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([propose(call('write_file', { path: 'd.txt', content: 'four\n' })), say('Gone on elsewhere.')]));
  await first.say('Write d.txt');
  await first.seesCard();
  const second = await secondWindow(workspace.path);
  await second.sees(elsewhere);
  await second.pressButton('Take it over');
  await first.sees(elsewhere);
  await (await second.frame()).locator('.banner').waitFor({ state: 'detached' });
  assert.equal(await first.hasCard(), false);
  assert.equal(await second.hasCard(), false);
  assert.equal(existsSync(join(workspace.path, 'd.txt')), false);
  await second.say('Where were we?');
  await second.sees('Gone on elsewhere.');
  await first.sees('Gone on elsewhere.');
});
