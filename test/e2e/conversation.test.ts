import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, hold, httpError, propose, say, type Reply } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession } from './session.ts';

const session = await startSession();
after(() => session.close());
const lastBody = (): string => session.model.requests.at(-1)?.raw ?? '';

test('stop ends an answer in mid-stream, and what had come stays', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  const gate = hold();
  session.model.setScript(scriptOf([{ kind: 'answer', text: ['First part. ', 'Second part.'], holdAfter: { chunks: 2, until: gate.until } }, say('Later.')]));
  await person.say('Talk');
  await person.sees('First part.');
  await person.pressButton(/stop/i);
  await person.sees('Stopped.');
  gate.release();
  await person.idle();
  assert.doesNotMatch(await person.chatText(), /Second part/);
  await person.say('Go on');
  await person.sees('Later.');
  assert.match(lastBody(), /First part\./);
});

test('stop closes an open card, and nothing is done', async () => {
  const { person, workspace } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([propose(call('write_file', { path: 'b.txt', content: 'x' })), say('Never said.')]));
  await person.say('Write');
  await person.seesCard();
  await person.pressButton(/stop/i);
  await person.sees('Stopped.');
  assert.equal(await person.hasCard(), false);
  await assert.rejects(workspace.text('b.txt'));
});

test('several calls in one step are answered in order, each with its result', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  session.model.setScript(scriptOf([
    propose(call('read_file', { path: 'a.txt' }, 'x1'), call('read_file', { path: 'b.txt' }, 'x2'), call('no_such_tool', {}, 'x3'), call('read_file', { pth: 'a.txt' }, 'x4'), call('read_file', '{"path": "a.t', 'x5')),
    say('Read.'),
  ]));
  await person.say('Read them');
  await person.sees('Read.');
  const messages: readonly { role: string; tool_call_id?: string; content?: string }[] = JSON.parse(lastBody()).messages;
  const tools = messages.filter(({ role }) => role === 'tool');
  assert.deepEqual(tools.map(({ tool_call_id }) => tool_call_id), ['x1', 'x2', 'x3', 'x4', 'x5']);
  assert.match(tools[0]?.content ?? '', /one/);
  assert.match(tools[1]?.content ?? '', /two/);
  assert.match(tools[2]?.content ?? '', /UNKNOWN_TOOL/);
  assert.match(tools[3]?.content ?? '', /INVALID_ARGS[^]*"path"/);
  assert.match(tools[4]?.content ?? '', /INVALID_ARGS/);
});

test('a server that is busy, then breaks off, is asked again, and the person is told', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  const replies: Reply[] = [httpError(429, { 'Retry-After': '2' }), { kind: 'answer', text: 'Half of', cutAfter: 2 }, say('All of it.')];
  const before = session.model.requests.length;
  session.model.setScript(scriptOf(replies));
  await person.say('Hello');
  await person.sees(/429/);
  await person.sees('All of it.');
  assert.equal(session.model.requests.length - before, 3);
  assert.doesNotMatch(await person.chatText(), /Half of/);
});

test('a refused key says what to do, and trying again goes on where it stopped', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([httpError(401), say('Now it works.')]));
  await person.say('Hello');
  await person.sees(/401/);
  await person.pressButton('Try again');
  await person.sees('Now it works.');
});

test('10 MB of arguments are refused by name, and the session goes on', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([propose(call('write_file', { path: 'big.txt', content: 'x'.repeat(10 * 1024 * 1024) })), say('Too large, then.')]));
  await person.say('Write a lot');
  await person.sees('Too large, then.');
  assert.match(lastBody(), /TOO_LARGE/);
  assert.ok(lastBody().length < 3 * 1024 * 1024, 'what was refused is not sent back whole');
});

test('the conversation is there after a reload, and goes on', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([propose(call('read_file', { path: 'a.txt' })), say('It says **one**.'), say('Still here.')]));
  await person.say('What does it say?');
  await person.sees('It says one.');
  await person.editor.page.reload();
  await person.editor.page.locator('.monaco-workbench .activitybar').waitFor();
  await person.openChat();
  await person.sees('What does it say?');
  await person.sees('It says one.');
  await person.say('And now?');
  await person.sees('Still here.');
  assert.match(lastBody(), /What does it say\?/);
});

test('what the model sees can be read, and is what is sent', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([say('Hello to you.')]));
  await person.say('Hello there');
  await person.sees('Hello to you.');
  await person.editor.runCommand('Countersign: Show What the Model Sees');
  await person.editor.page.locator('.view-line').filter({ hasText: '=== System prompt ===' }).first().waitFor();
});

test('an empty folder is no error', async () => {
  const { person } = await session.open({});
  session.model.setScript(scriptOf([propose(call('list_directory', {}), call('find_files', { pattern: '**' }), call('search_text', { query: 'x' })), say('Empty.')]));
  await person.say('Look around');
  await person.sees('Empty.');
});

test('a question of the agent\'s is answered in words, and the answer goes to the model', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  session.model.setScript(scriptOf([propose(call('ask_user', { question: 'Tabs or spaces?', options: ['Tabs', 'Spaces'] })), say('As you like.')]));
  await person.say('Format it');
  await person.sees('Tabs or spaces?');
  await person.pressButton('Spaces');
  await person.sees('As you like.');
  assert.match(lastBody(), /"role":"tool"[^}]*Spaces/);
});

test('in mode Plan a change is denied by a rule, without a card, and the model is told which', async () => {
  const { person, workspace } = await session.open({ 'a.txt': 'one\n' });
  await person.chooseMode('Plan');
  session.model.setScript(scriptOf([propose(call('write_file', { path: 'b.txt', content: 'x' })), say('Then here is the plan.')]));
  await person.say('Write it');
  await person.sees('Then here is the plan.');
  assert.match(lastBody(), /DENIED_BY_POLICY/);
  assert.match(lastBody(), /mode Plan/);
  await assert.rejects(workspace.text('b.txt'));
  await person.chooseMode('Ask');
});

test('a rule of the user\'s that allows is a card less; a protected file asks all the same', async () => {
  const { person, workspace } = await session.open({ 'src/a.txt': 'one\n', 'src/.npmrc': 'x=1\n' });
  await session.server.changeSettings({ 'countersign.policy.rules': [{ effect: 'write', path: 'src/**', decision: 'allow' }] });
  await person.editor.page.waitForTimeout(1500);
  session.model.setScript(scriptOf([
    propose(call('write_file', { path: 'src/b.txt', content: 'two\n' })), propose(call('read_file', { path: 'src/.npmrc' })),
    propose(call('edit_file', { path: 'src/.npmrc', edits: [{ oldText: 'x=1', newText: 'x=2' }] })), say('Both tried.'),
  ]));
  await person.say('Write both');
  const card = await person.seesCard();
  assert.equal(await workspace.text('src/b.txt'), 'two\n');
  assert.match(card.title, /\.npmrc/);
  assert.match(card.warnings.join(), /protected/);
  await person.deny();
  await person.sees('Both tried.');
  assert.equal(await workspace.text('src/.npmrc'), 'x=1\n');
  await session.server.changeSettings({ 'countersign.policy.rules': [] });
});
