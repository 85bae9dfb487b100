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
/** Waits until the window is one that writes the session. */
const writes = async (person: Person): Promise<void> => (await person.frame()).locator('.banner').waitFor({ state: 'detached' });

async function takesOver(person: Person): Promise<void> {
  await person.pressButton('Take it over');
  await writes(person);
}

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

test('a second window shows the session as it goes on, answers nothing, takes it over, and has it once the writer is closed', async () => {
  const { person: first, workspace } = await session.open({ 'a.txt': 'one\n' });
  const gate = hold();
  session.model.setScript(scriptOf([
    { kind: 'answer', text: ['I shall write it. '], calls: [call('write_file', { path: 'b.txt', content: 'two\n' })], holdAfter: { chunks: 1, until: gate.until } },
    say('It is written.'), say('Said in the second window.'), propose(call('write_file', { path: 'c.txt', content: 'three\n' })), say('Back in the first.'), say('The first is gone.'),
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
  assert.equal((await cardButtons(second))['Allow'], false);
  await (await second.frame()).locator('[data-open-card] button').filter({ hasText: /^Allow$/ }).dispatchEvent('click');
  await (await second.frame()).locator('.composer textarea').fill('May I?');
  await (await second.frame()).locator('.composer textarea').press('Enter');
  await second.sees(`${elsewhere} Take it over to send this.`);
  assert.equal(await second.draft(), 'May I?');
  assert.equal(await first.hasCard(), true);
  assert.equal(existsSync(join(workspace.path, 'b.txt')), false);
  await first.allow();
  await second.sees('It is written.');
  assert.equal(await second.hasCard(), false);
  assert.equal(await workspace.text('b.txt'), 'two\n');

  // Over to the second, while nothing runs.
  await first.idle();
  await takesOver(second);
  await first.sees(elsewhere);
  await second.say('May I?');
  await first.sees('Said in the second window.');

  // And back in the middle of a turn: what waits for an answer there ends, and is not done.
  await second.idle();
  await second.say('And c.txt');
  await second.seesCard();
  await first.seesCard();
  assert.equal((await cardButtons(first))['Allow'], false);
  await takesOver(first);
  await second.sees(elsewhere);
  assert.deepEqual([await first.hasCard(), await second.hasCard()], [false, false]);
  assert.equal(existsSync(join(workspace.path, 'c.txt')), false);
  await first.say('Where were we?');
  await second.sees('Back in the first.');
  await first.idle();

  // The window that writes it is closed: the other has it, without being asked.
  await first.editor.page.goto('about:blank');
  await writes(second);
  await second.say('Are you there?');
  await second.sees('The first is gone.');
  await second.idle();

  const [torn, ...types] = await logOf('Are you there?');
  assert.equal(torn, 'false');
  assert.deepEqual(types.filter((type) => type === 'user' || type === 'turn-ended'), Array.from({ length: 5 }, () => ['user', 'turn-ended']).flat());
});
