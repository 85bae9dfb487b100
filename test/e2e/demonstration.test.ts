import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Person } from '../../scripts/person.ts';
import { startSession, type Workspace } from './session.ts';

const session = await startSession({ model: 'not set up' });
after(() => session.close());

const name = 'countersign-demo.md';

/** The demonstration in a folder with nothing in it. It stays chosen in that workspace. */
async function openDemonstration(): Promise<{ readonly person: Person; readonly workspace: Workspace }> {
  const opened = await session.open({});
  const { person } = opened;
  if ((await person.chatText()).includes('Try the demonstration')) await person.pressButton('Try the demonstration');
  await (await person.frame()).locator('.model-button').filter({ hasText: 'Demonstration' }).waitFor();
  return opened;
}

test('without any model the demonstration can be tried: what it proposes lands on disk once it is allowed, and not before', async () => {
  const { person, workspace } = await openDemonstration();
  await person.say('Show me');
  const card = await person.seesCard();
  assert.match(card.title, /countersign-demo\.md/);
  assert.match(card.text, /A file that you signed/);
  assert.equal(existsSync(join(workspace.path, name)), false);
  await person.allow();
  const edit = await person.seesCard();
  assert.match(edit.diff.join('\n'), /-- \[ \] one line of it was changed\n\+- \[x\] one line of it was changed/);
  assert.match(await workspace.text(name), /- \[ \] one line/);
  await person.allow();
  await person.sees('byte for byte');
  await person.idle();
  assert.match(await workspace.text(name), /- \[x\] one line/);
  assert.deepEqual(session.model.requests, [], 'nothing is sent anywhere');
});

test('in the demonstration a denial with a reason reaches the script, which proposes something else', async () => {
  const { person, workspace } = await openDemonstration();
  await person.say('Show me');
  await person.seesCard();
  await person.deny('shorter, please');
  await person.sees('shorter, please');
  const second = await person.seesCard();
  assert.match(second.text, /A smaller file that you signed/);
  assert.equal(existsSync(join(workspace.path, name)), false);
  await person.allow();
  await person.seesCard();
  assert.match(await workspace.text(name), /^# A smaller file/);
});
