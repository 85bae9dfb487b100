import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Person } from '../../scripts/person.ts';
import { call, propose, say, type Reply } from '../model-server/replies.ts';
import { scriptOf, type ReceivedRequest, type Script } from '../model-server/server.ts';
import { startSession } from './session.ts';

const session = await startSession({
  settings: { 'countersign.modelCapabilities': { scripted: { contextTokens: 8000, outputTokens: 1000 } }, 'countersign.agent.stepBudget': 100 },
});
after(() => session.close());

const wantsSummary = ({ raw }: ReceivedRequest): boolean => raw.includes('Your context is nearly full');
const lastBody = (): string => session.model.requests.at(-1)?.raw ?? '';
const tooLong: Reply = { kind: 'error', status: 400, body: { error: { message: 'This model\'s maximum context length is 8000 tokens.', type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' } } };

/** As `scriptOf`, with a summary for whoever asks for one. */
function withSummaries(replies: readonly Reply[], summary: string): Script {
  let next = 0;
  return (request) => (wantsSummary(request) ? say(summary) : replies[next++] ?? say(`No reply ${next}.`));
}

/** About 800 tokens each. */
const files = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`f${n}.txt`, Array.from({ length: 50 }, (_line, at) => `file ${n}, line ${at}: ${'word '.repeat(9)}`).join('\n')]));
const readEach = Array.from({ length: 12 }, (_, n) => propose(call('read_file', { path: `f${n}.txt` })));
/** The same, each with an answer of 500 tokens: what is said cannot be folded. */
const tellOfEach = readEach.map((answer, n) => ({ ...answer, text: `Of file ${n}: ${'it holds words. '.repeat(120)}` }));

async function meter(person: Person): Promise<{ readonly label: string; readonly percent: number }> {
  const button = (await person.frame()).locator('.meter-button');
  await button.waitFor();
  return { label: await button.getAttribute('aria-label') ?? '', percent: Number.parseInt(await button.innerText(), 10) };
}

test('a conversation that outgrows the model goes on: old results are folded, then a summary is made, and both are said', async () => {
  const { person } = await session.open(files);
  session.model.setScript(withSummaries([...tellOfEach, say('All twelve are read.')], 'The files f0 to f8 hold words only.'));
  const before = session.model.requests.length;
  await person.say('Read all twelve files, and remember MAGENTA');
  await person.sees('All twelve are read.');
  await person.idle();
  const requests = session.model.requests.slice(before);
  assert.ok(requests.some(({ raw }) => raw.includes('countersign-result:')), 'old results were folded');
  assert.ok(requests.some(wantsSummary), 'a summary was asked for');
  for (const { raw } of requests) assert.ok(raw.length < 8000 * 6, `a request has ${raw.length} bytes`);
  assert.match(lastBody(), /MAGENTA[^]*The files f0 to f8 hold words only\./, 'the person\'s words stay, beside the summary');
  await person.sees(/The conversation had grown too long for the model[^]*The files f0 to f8 hold words only\./);
  await person.sees('Read f0.txt');
  const { label, percent } = await meter(person);
  assert.match(label, /^Context: \d+\s% used, [\d,]+ of 7,000 tokens$/);
  assert.ok(percent > 20 && percent <= 80, `${percent}% of the context are used`);
});

test('the meter says what fills the context, and opens what the model sees', async () => {
  const { person } = await session.open({ 'f0.txt': files['f0.txt'] ?? '' });
  session.model.setScript(scriptOf([propose(call('read_file', { path: 'f0.txt' })), say('Read.')]));
  await person.say('Read it');
  await person.sees('Read.');
  const chat = await person.frame();
  await chat.locator('.meter-button').click();
  const rows = await chat.locator('.meter-parts tr').allInnerTexts();
  for (const part of ['Instructions and tools', 'Tool results', 'Your messages']) assert.ok(rows.some((row) => row.startsWith(part)), `${part} in ${rows.join(' | ')}`);
  await person.pressButton('Show what the model sees');
  await person.editor.page.locator('.view-line').filter({ hasText: '=== System prompt ===' }).first().waitFor();
});

test('what was cut of a long result is read by the model from where it is kept', async () => {
  const { person } = await session.open({});
  const lines = Array.from({ length: 3000 }, (_, n) => `needle ${n} ${'in a long line of hay '.repeat(12)}`).join('\n');
  await session.server.changeSettings({ 'countersign.modelCapabilities': { scripted: { contextTokens: 64_000, outputTokens: 1000 } } });
  const { workspace } = await session.open({ 'long.txt': lines });
  assert.ok((await workspace.text('long.txt')).length > 30_000);
  session.model.setScript(({ raw }, n) => {
    if (n === 0) return propose(call('search_text', { query: 'needle' }));
    const path = /countersign-result:[A-Za-z0-9_.-]+/.exec(raw)?.[0];
    if (path === undefined) return say('No result was cut.');
    return n === 1 ? propose(call('read_file', { path, startLine: 1, endLine: 5 })) : say('Read the rest.');
  });
  await person.say('Find the needles');
  await person.sees('Read the rest.');
  await person.sees(/Read a result again, lines 1 to 5/);
  assert.equal(await person.hasCard(), false, 'what the model has been told once asks for nothing');
});

test('a request that the provider refuses as too long is made shorter once, and then it is explained', async () => {
  await session.server.changeSettings({ 'countersign.modelCapabilities': { scripted: { contextTokens: 64_000, outputTokens: 1000 } } });
  const { person } = await session.open(files);
  session.model.setScript(withSummaries([...readEach.slice(0, 5), tooLong, say('Shorter, then.')], 'Five files were read.'));
  await person.say('Read five of them');
  await person.sees('Shorter, then.');
  await person.idle();
  assert.doesNotMatch(await person.chatText(), /maximum context length/);

  const always: Script = (request) => (wantsSummary(request) ? say('Nothing new.') : tooLong);
  session.model.setScript(always);
  await person.say('And the next ones');
  await person.sees(/The conversation is longer than the model can read \(400\)[^]*Start a new session[^]*To send less at once helps too/);
  await (await person.frame()).getByRole('button', { name: 'New session' }).waitFor();
  session.model.setScript(scriptOf([say('It fits again.')]));
  await person.pressButton('Try again');
  await person.sees('It fits again.');
});
