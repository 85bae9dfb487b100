import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { quickInputOf } from '../../scripts/quick-input.ts';
import { say } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession } from './session.ts';

const key = 'a-right-key-1';
const session = await startSession({ model: 'not set up', modelServer: { key, models: ['one', 'two'] } });
after(() => session.close());

test('a model is added from nothing: a wrong address and a wrong key are said where they were typed, going back keeps the key, and the model answers', async () => {
  const { person } = await session.open({});
  const box = quickInputOf(person.editor.page);
  await box.run('Countersign: Add Model…');
  await box.pick('Another server');
  await box.sees(/address of the server/);
  await box.enter('localhost');
  await box.sees(/is no URL/);
  await box.enter(session.model.baseUrl);
  await box.sees(/A key for/);
  assert.equal(await box.isPassword(), true);
  await box.enter('wrong-key');
  await box.sees(/does not take this key \(401\)/);
  assert.equal(await box.value(), 'wrong-key');
  await box.enter(key);
  await box.sees('two');
  await box.back();
  await box.sees(/A key for/);
  assert.equal(await box.value(), key);
  await box.enter(key);
  await box.pick('two');
  await person.editor.page.getByText('is set up, and chosen').first().waitFor();

  session.model.setScript(scriptOf([say('Here I am.')]));
  await person.say('Are you there?');
  await person.sees('Here I am.');
  assert.match(session.model.requests.at(-1)?.raw ?? '', /"model":"two"/);
  assert.doesNotMatch(await person.chatText(), new RegExp(key), 'the key never reaches the view');
});
