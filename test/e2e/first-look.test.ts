import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSession } from './session.ts';

const session = await startSession();
after(() => session.close());

test('the chat opens from the activity bar, empty, and ready for a first message', async () => {
  const { person } = await session.open({ 'note.txt': 'A file to have one.\n' });
  await person.sees('Countersign');
  assert.equal(await person.hasCard(), false);
  assert.equal(session.model.requests.length, 0, 'opening the chat asks the model nothing');
});
