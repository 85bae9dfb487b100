import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Person } from '../../scripts/person.ts';
import { call, hold, propose, say } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession } from './session.ts';

const session = await startSession({ settings: { 'countersign.agent.stepBudget': 3 } });
after(() => session.close());

/** What the model read with its nth request of a script, counted from the last: each message as its role and the beginning of its text. */
function read(fromLast: number): readonly string[] {
  const request = session.model.requests.at(-1 - fromLast);
  const { messages }: { messages: readonly { role: string; content?: string | null }[] } = JSON.parse(request?.raw ?? '{"messages":[]}');
  return messages.filter(({ role }) => role !== 'system').map(({ role, content }) => `${role}: ${(content ?? '').slice(0, 40)}`);
}

/** The texts of the messages that wait, with when they go out. */
async function waiting(person: Person): Promise<readonly (readonly [string, string])[]> {
  return (await person.frame()).locator('.user.queued').evaluateAll((all) => all.map((one) => [one.querySelector('.user-text')?.textContent ?? '', one.querySelector('.queued-when')?.textContent ?? ''] as const));
}

async function waitingButton(person: Person, text: string, label: string): Promise<void> {
  await (await person.frame()).locator('.user.queued').filter({ hasText: text }).getByRole('button', { name: label }).click();
}

async function composerIs(person: Person, text: string): Promise<void> {
  await (await person.frame()).waitForFunction((wanted) => document.querySelector<HTMLTextAreaElement>('.composer textarea')?.value === wanted, text).catch(async (cause: unknown) => {
    throw new Error(`The composer never held ${text}. It holds ${await person.draft()}, below:\n${await person.chatText()}`, { cause });
  });
}

/** In a browser the editor writes down what views keep every few seconds, and not as its page goes. */
async function editorKeeps(person: Person, text: string): Promise<void> {
  for (let wait = 0; !await isKept(person, text); wait += 1) {
    assert.ok(wait < 240, `the editor never wrote down ${text}`);
    await person.editor.page.waitForTimeout(250);
  }
}

function isKept(person: Person, text: string): Promise<boolean> {
  return person.editor.page.evaluate(async (wanted) => {
    const found = await Promise.all((await indexedDB.databases()).map(({ name = '' }) => new Promise<boolean>((resolve) => {
      const opening = indexedDB.open(name);
      opening.addEventListener('error', () => resolve(false));
      opening.addEventListener('success', () => {
        const database = opening.result;
        const stores = [...database.objectStoreNames].filter((store) => store === 'ItemTable');
        if (stores.length === 0) {
          database.close();
          return resolve(false);
        }
        const reading = database.transaction(stores).objectStore('ItemTable').getAll();
        reading.addEventListener('success', () => {
          database.close();
          resolve(JSON.stringify(reading.result).includes(wanted));
        });
      });
    })));
    return found.includes(true);
  }, text);
}

const write = (path: string) => propose(call('write_file', { path, content: 'x\n' }));

test('what is sent while a card is open answers nothing: one goes out with the next step, the other after the turn', async () => {
  const { person, workspace } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([write('b.txt'), say('Written.'), say('Tidied up.')]));
  await person.say('Write it');
  await person.seesCard();
  await person.sayLater('Then tidy up');
  await person.say('Allow');
  assert.deepEqual(await waiting(person), [['Then tidy up', 'After this turn'], ['Allow', 'Waiting until the card is answered']]);
  assert.equal(await person.hasCard(), true);
  await assert.rejects(workspace.text('b.txt'));
  await person.allow();
  await person.sees('Tidied up.');
  await person.idle();
  assert.deepEqual(await waiting(person), []);
  assert.deepEqual(read(1).map((text) => text.replace(/(?<=^tool: )[^]*/, '…')), ['user: Write it', 'assistant: ', 'tool: …', 'user: Allow']);
  assert.deepEqual(read(0).slice(-2), ['assistant: Written.', 'user: Then tidy up']);
});

test('a message that waits is sent now, or taken back into the composer', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([write('b.txt'), say('Understood.')]));
  await person.say('Write it');
  await person.seesCard();
  await person.sayLater('In capitals');
  await person.sayLater('No, not that');
  await waitingButton(person, 'In capitals', 'Send now');
  await waitingButton(person, 'No, not that', 'Edit');
  await composerIs(person, 'No, not that');
  assert.deepEqual(await waiting(person), [['In capitals', 'Waiting until the card is answered']]);
  assert.equal(await person.hasCard(), true);
  await person.deny();
  await person.sees('Understood.');
  await person.idle();
  assert.deepEqual(read(0).at(-1), 'user: In capitals');
  assert.doesNotMatch(read(0).join(), /not that/);
  await (await person.frame()).locator('.composer textarea').fill('');
});

test('what waits stays when the person stops, and goes out with what is sent next', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([write('b.txt'), say('All read.')]));
  await person.say('Write it');
  await person.seesCard();
  await person.sayLater('And a test');
  await person.pressButton(/stop/i);
  await person.sees('Stopped.');
  assert.equal(await person.hasCard(), false);
  assert.deepEqual((await waiting(person)).map(([text]) => text), ['And a test']);
  await person.say('Go on then');
  await person.sees('All read.');
  assert.deepEqual(read(0).slice(-2), ['user: And a test', 'user: Go on then']);
});

test('after a reload what waited still waits, the open card is closed as not done, and the turn can be gone on with', async () => {
  const { person, workspace } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([write('b.txt'), say('Back again.')]));
  await person.say('Write it');
  await person.seesCard();
  await person.sayLater('And a test');
  await person.say('With tabs');
  await person.reload();
  await person.sees('The window was closed or reloaded in the middle of this turn.');
  assert.equal(await person.hasCard(), false);
  assert.deepEqual((await waiting(person)).map(([text]) => text), ['And a test', 'With tabs']);
  await assert.rejects(workspace.text('b.txt'));
  await person.pressButton('Go on');
  await person.sees('Back again.');
  assert.match(read(0).at(-3) ?? '', /^tool: TOOL_NOT_STARTED/);
  assert.deepEqual(read(0).slice(-2), ['user: And a test', 'user: With tabs']);
});

test('after a reload in mid-stream nothing of the answer is claimed, and going on asks for it anew', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  const gate = hold();
  session.model.setScript(scriptOf([{ kind: 'answer', text: ['Half of ', 'the answer.'], holdAfter: { chunks: 2, until: gate.until } }, say('The whole answer.')]));
  await person.say('Tell me');
  await person.sees('Half of');
  await person.reload();
  await person.sees('The window was closed or reloaded in the middle of this turn.');
  gate.release();
  assert.doesNotMatch(await person.chatText(), /Half of/);
  await person.pressButton('Go on');
  await person.sees('The whole answer.');
  await person.idle();
  assert.doesNotMatch(await person.chatText(), /reloaded in the middle/);
  assert.deepEqual(read(0), ['user: Tell me']);
});

test('a plan is shown with how far it is, follows the model, and is there after a reload', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  const gate = hold();
  const plan = (...statuses: readonly string[]) => propose(call('update_plan', { items: ['Read the file', 'Change it', 'Test it'].map((text, n) => ({ text, status: statuses[n] })) }));
  session.model.setScript(scriptOf([plan('active', 'pending', 'pending'), { ...plan('done', 'active', 'pending'), holdAfter: { chunks: 1, until: gate.until } }, say('That far.')]));
  await person.say('Plan it');
  await person.sees(/Plan: 0 of 3\s*Read the file/);
  gate.release();
  await person.sees('That far.');
  await person.sees(/Plan: 1 of 3\s*Change it/);
  assert.equal(await person.hasCard(), false, 'a plan asks for nothing');
  await person.reload();
  await person.sees(/Plan: 1 of 3\s*Change it/);
  await person.pressButton(/^Plan: 1 of 3/);
  assert.deepEqual(await (await person.frame()).locator('.plan-items li').allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, ' ').trim())), ['Done: Read the file', 'Being done: Change it', 'To do: Test it']);
});

test('the step budget stops a turn that goes on and on, and the person may let it go on', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  const look = propose(call('read_file', { path: 'a.txt' }));
  session.model.setScript(scriptOf([look, look, look, look, say('Enough now.')]));
  const before = session.model.requests.length;
  await person.say('Look again and again');
  await person.sees('Paused after 3 steps without a final answer.');
  assert.equal(session.model.requests.length - before, 3);
  await person.pressButton('Go on');
  await person.sees('Enough now.');
  await person.idle();
  assert.doesNotMatch(await person.chatText(), /Paused after/);
});

test('what was sent comes back with Up, and a draft is there after a reload', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([say('First answer.'), say('Second answer.')]));
  await person.say('The first message');
  await person.sees('First answer.');
  await person.say('The second message');
  await person.sees('Second answer.');
  await person.press('ArrowUp');
  await composerIs(person, 'The second message');
  await person.press('ArrowUp');
  await composerIs(person, 'The first message');
  await person.press('ArrowDown');
  await person.press('ArrowDown');
  await composerIs(person, '');
  await person.type('Not sent yet');
  await person.press('ArrowUp');
  assert.equal(await person.draft(), 'Not sent yet', 'what is written does not go');
  await editorKeeps(person, 'Not sent yet');
  await person.reload();
  await composerIs(person, 'Not sent yet');
  await (await person.frame()).locator('.composer textarea').fill('');
  await person.press('ArrowUp');
  await composerIs(person, 'The second message');
  await (await person.frame()).locator('.composer textarea').fill('');
});
