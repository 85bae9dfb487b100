import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Person } from '../../scripts/person.ts';
import { quickInputOf } from '../../scripts/quick-input.ts';
import { startAnthropicServer } from '../model-server/anthropic.ts';
import { startGeminiServer } from '../model-server/gemini.ts';
import { call, propose, say } from '../model-server/replies.ts';
import { startResponsesServer } from '../model-server/responses.ts';
import { scriptOf, startModelServer, type ModelServer } from '../model-server/server.ts';
import { startSession } from './session.ts';

const key = (name: string): string => `key-of-the-${name}-server`;
const alpha = await startModelServer(scriptOf([]), { key: key('alpha'), models: ['alpha-large', 'alpha-small'] });
const beta = await startModelServer(scriptOf([]), { key: key('beta'), models: ['beta-one'] });
const anthropic = await startAnthropicServer(scriptOf([]), { key: key('anthropic'), models: ['claude-scripted'] });
const responses = await startResponsesServer(scriptOf([]), { key: key('responses'), models: ['gpt-scripted'] });
const gemini = await startGeminiServer(scriptOf([]), { key: key('gemini'), models: ['gemini-scripted'] });
const servers: readonly ModelServer[] = [alpha, beta, anthropic, responses, gemini];

const session = await startSession({ model: 'not set up' });
after(async () => {
  await session.close();
  for (const server of servers) await server.close();
});

const answers = (server: ModelServer): readonly string[] => server.requests.filter(({ method }) => method === 'POST').map(({ raw }) => raw);
/** What any of a request's headers gives away. */
const keysSentTo = (server: ModelServer): ReadonlySet<string> => new Set(server.requests.flatMap(({ headers }) => JSON.stringify(headers).match(/key-of-the-\w+-server|wrong-key/g) ?? []));

async function addModel(person: Person, server: ModelServer, keys: readonly string[], model: string): Promise<void> {
  const box = quickInputOf(person.editor.page);
  await box.pick('Another server');
  await box.sees('The address of the server');
  await box.enter(server.baseUrl);
  await box.sees(`A key for ${new URL(server.baseUrl).host}`);
  for (const [n, text] of keys.entries()) {
    await box.enter(text);
    if (n < keys.length - 1) await box.sees(/does not take this key \(401\)/);
  }
  await box.pick(model);
  await box.gone();
}

test('a model is added from the empty chat: its key is tried at once, a wrong one is said in the box, and its models are listed', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  await person.pressButton('Add a model');
  await addModel(person, alpha, ['wrong-key', key('alpha')], 'alpha-large');
  await person.sees(/alpha-large/);
  alpha.setScript(scriptOf([say('Alpha speaks.')]));
  await person.say('Hello');
  await person.sees('Alpha speaks.');
  assert.match(answers(alpha).at(-1) ?? '', /"model":"alpha-large"/);
});

test('two models answer in one session by turns, and neither server gets the key of the other', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  await person.editor.runCommand('Countersign: Add Model…');
  await addModel(person, beta, [key('beta')], 'beta-one');
  await (await person.frame()).locator('.model-button').filter({ hasText: 'beta-one' }).waitFor();
  beta.setScript(scriptOf([say('Beta speaks.'), say('Beta again.')]));
  alpha.setScript(scriptOf([say('Alpha answers.')]));
  await person.say('First');
  await person.sees('Beta speaks.');
  await person.chooseModel('alpha-large');
  await person.say('Second');
  await person.sees('Alpha answers.');
  await person.chooseModel('beta-one');
  await person.say('Third');
  await person.sees('Beta again.');
  assert.match(answers(alpha).at(-1) ?? '', /First[^]*Beta speaks\.[^]*Second/);
  assert.match(answers(beta).at(-1) ?? '', /"model":"beta-one"[^]*Alpha answers\.[^]*Third/);
  assert.equal(answers(beta).length, 2);
  assert.deepEqual([...keysSentTo(alpha)].sort(), [key('alpha'), 'wrong-key'].sort());
  assert.deepEqual([...keysSentTo(beta)], [key('beta')]);
  assert.doesNotMatch(answers(alpha).join() + answers(beta).join(), /key-of-the/, 'no key stands in what is sent');
});

test('a model is chosen with the keyboard alone', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  const chat = await person.frame();
  await person.chooseModel('beta-one');
  await chat.locator('.composer textarea').focus();
  // Past the mode, to the model.
  await person.press('Tab');
  await person.press('Tab');
  await person.press('ArrowDown');
  await chat.getByRole('menuitemradio', { name: 'beta-one', checked: true }).waitFor();
  await chat.getByRole('menuitemradio', { name: 'alpha-large', checked: false }).waitFor();
  await person.editor.page.keyboard.type('alp');
  await person.press('Enter');
  await chat.locator('.model-button').filter({ hasText: 'alpha-large' }).waitFor();
  assert.equal(await chat.evaluate(() => document.activeElement?.classList.contains('model-button')), true, 'the focus is back where it was');
  alpha.setScript(scriptOf([say('By the keyboard.')]));
  await person.say('Who are you?');
  await person.sees('By the keyboard.');
});

test('a model that its server does not know is said, with what to do', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  await person.chooseModel('alpha-large');
  alpha.setScript(scriptOf([{ kind: 'error', status: 404, body: { error: { message: 'The model `alpha-large` does not exist.', type: 'invalid_request_error', param: null, code: 'model_not_found' } } }, say('It is there now.')]));
  await person.say('Hello');
  await person.sees(/no model “alpha-large” \(404\)[^]*does not exist[^]*Check the model's name and the address in the settings/);
  await (await person.frame()).getByRole('button', { name: 'Open settings' }).waitFor();
  await person.pressButton('Try again');
  await person.sees('It is there now.');
});

test('the three other protocols answer in the editor, each with a call of theirs, once their keys are set', async () => {
  const profiles = [
    { label: 'Of Anthropic', protocol: 'anthropic', model: 'claude-scripted', server: anthropic, name: 'anthropic' },
    { label: 'Of OpenAI', protocol: 'openai-responses', model: 'gpt-scripted', server: responses, name: 'responses' },
    { label: 'Of Google', protocol: 'gemini', model: 'gemini-scripted', server: gemini, name: 'gemini' },
  ] as const;
  await session.server.changeSettings({ 'countersign.models': profiles.map(({ label, protocol, model, server }) => ({ label, protocol, model, baseUrl: server.baseUrl })) });
  for (const { label, server, name } of profiles) {
    const { person } = await session.open({ 'a.txt': `seen by ${name}\n` });
    await person.chooseModel(label);
    server.setScript(scriptOf([propose(call('read_file', { path: 'a.txt' })), say(`Read through ${name}.`)]));
    await person.say('Read it');
    // The key is asked for by its server, and set from there.
    await person.sees(/wants a key, and none is set|\(40[01]\)/);
    await person.pressButton('Set the key…');
    const box = quickInputOf(person.editor.page);
    await box.sees(`Key for ${new URL(server.baseUrl).host}`);
    await box.enter('wrong-key');
    await box.sees(/does not take this key/);
    await box.enter(key(name));
    await box.gone();
    await person.pressButton('Try again');
    await person.sees(`Read through ${name}.`);
    assert.match(answers(server).at(-1) ?? '', new RegExp(`seen by ${name}`));
    assert.deepEqual([...keysSentTo(server)].sort(), [key(name), 'wrong-key'].sort());
  }
});

test('a setting of the wrong type breaks nothing, and a model that is written wrongly is said', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  const chat = await person.frame();
  await session.server.changeSettings({ 'countersign.models': 'gpt-5' });
  await chat.locator('.model-button').filter({ hasText: 'Set up a model' }).waitFor();
  await person.pressButton('Try the demonstration');
  await chat.locator('.model-button').filter({ hasText: 'Demonstration' }).waitFor();
  await person.say('Show me');
  await person.seesCard();
  await person.deny();
  await session.server.changeSettings({ 'countersign.models': [{ protocol: 'openai-chat', baseUrl: beta.baseUrl, model: 'beta-one' }, { protocol: 'smoke-signals', model: 'x' }] });
  await person.editor.page.getByText('In the settings, countersign.models[1].protocol').first().waitFor();
  await person.chooseModel('beta-one');
});
