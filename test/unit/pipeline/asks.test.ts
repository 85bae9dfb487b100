import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { test } from 'node:test';
import type { Answer } from '../../../extension/boundary/ask.ts';
import type { Approval } from '../../../extension/boundary/verdict.ts';
import { modeRules } from '../../../extension/gate/modes.ts';
import { createPipeline } from '../../../extension/pipeline/pipeline.ts';
import type { LogEvent } from '../../../extension/session/records.ts';
import { asking, codeOf, plainTool, textOf } from './plain-tool.ts';
import { layer, sessionHost, type Session } from './session-host.ts';

const outcomes: readonly (readonly [Approval, string, RegExp])[] = [
  ['allowed', 'well', /^"done"$/], ['denied', 'DENIED_BY_PERSON', /The person denied this call; nothing was done\./], ['unavailable', 'ASK_UNAVAILABLE', /nobody could be asked; nothing was done/],
  ['dismissed', 'ASK_DISMISSED', /left the question without an answer; nothing was done/], ['cancelled', 'ABORTED_BEFORE_DISPATCH', /The turn was stopped while the person was asked; nothing was done/],
];

/** The ask's records, and whether a start followed. */
function story(session: Session): readonly string[] {
  return session.log.events.flatMap((event: LogEvent) => {
    switch (event.type) {
      case 'asked':
      case 'started':
        return [`${event.type} ${event.call}`];
      case 'decided':
        return [`decided ${event.call} ${event.approval}${event.reason === '' ? '' : `: ${event.reason}`}`];
      case 'settled':
        return [`settled ${event.call} ${event.approval}`];
      default:
        return [];
    }
  });
}

for (const [approval, code, words] of outcomes) {
  test(`D2 D8 an ask that ends as ${approval} has one asked and one decided record, and says ${code}`, async (t) => {
    let runs = 0;
    const tool = plainTool({ execute: () => { runs += 1; return Promise.resolve('done'); } }, asking);
    const session = await sessionHost(t, { tools: [tool], answer: approval });
    const outcome = await session.propose('plain', {});
    assert.deepEqual([codeOf(outcome), outcome.approval, outcome.verdict?.decision, runs], [code, approval, 'ask', approval === 'allowed' ? 1 : 0]);
    assert.match(textOf(outcome), words);
    assert.deepEqual(story(session), ['asked c1', `decided c1 ${approval}`, ...(approval === 'allowed' ? ['started c1'] : []), `settled c1 ${approval}`]);
  });
}

test('D2 the five ways not to be allowed differ in code and in words, from a denial by policy too', async (t) => {
  const session = await sessionHost(t, { tools: [plainTool({}, asking)] });
  const said: string[] = [];
  for (const [approval] of outcomes.slice(1)) {
    session.setAnswer(approval);
    const outcome = await session.propose('plain', {});
    said.push(codeOf(outcome), textOf(outcome));
  }
  session.setPolicy({ layers: [layer([{ decision: 'deny', reason: 'the house rules' }])] });
  const denied = await session.propose('plain', {});
  said.push(codeOf(denied), textOf(denied));
  assert.equal(new Set(said).size, 10);
  assert.match(textOf(denied), /^DENIED_BY_POLICY: A rule denies this call; nothing was done\. user\[0\]: the house rules\. No person refused it/);
});

test("D2 the person's reason reaches the model", async (t) => {
  const session = await sessionHost(t, { tools: [plainTool({}, asking)], answer: () => ({ approval: 'denied', reason: 'use the other host' }) });
  assert.match(textOf(await session.propose('plain', {})), /Their reason: use the other host$/);
});

const nothing: unknown = null;
const failing: readonly (readonly [string, () => Answer | Promise<Answer>])[] = [
  ['throws', () => { throw new Error('broken'); }], ['rejects', () => Promise.reject(new Error('broken'))], ['throws nothing', () => { throw nothing; }],
  ['gives nothing', () => undefined as unknown as Answer], ['gives null', () => null as unknown as Answer], ['gives no reason', () => JSON.parse('{"approval":"allowed"}')],
];
for (const [what, answer] of failing) {
  test(`D8 an approver that ${what} has not approved, and leaves one decided record`, async (t) => {
    const session = await sessionHost(t, { tools: [plainTool({}, asking)], answer });
    assert.equal(codeOf(await session.propose('plain', {})), 'ASK_UNAVAILABLE');
    assert.deepEqual(story(session), ['asked c1', 'decided c1 unavailable', 'settled c1 unavailable']);
  });
}

test('an answer of no kind that is known approves nothing', async (t) => {
  for (const approval of ['yes', 'Allowed', '', true, 1]) {
    const session = await sessionHost(t, { tools: [plainTool({}, asking)], answer: () => ({ approval, reason: '' }) as unknown as Answer });
    const outcome = await session.propose('plain', {});
    assert.equal(outcome.result?.isError, true);
    assert.ok(!story(session).some((line) => line.startsWith('started')));
  }
});

test('D8 a reason that cannot be logged as it is does not lose the record', async (t) => {
  const session = await sessionHost(t, { tools: [plainTool({}, asking)], answer: () => ({ approval: 'denied', reason: 'half \ud83d' }) });
  assert.equal(codeOf(await session.propose('plain', {})), 'DENIED_BY_PERSON');
  assert.deepEqual(story(session), ['asked c1', 'decided c1 denied: half \ufffd', 'settled c1 denied']);
});

test('D9 "allow once" covers exactly that call: the next identical one asks again', async (t) => {
  const session = await sessionHost(t, { tools: [plainTool({}, asking)], answer: 'allowed' });
  await session.propose('plain', {});
  await session.propose('plain', {});
  assert.equal(session.asks.length, 2);
  assert.equal(session.asks[0]?.digest, session.asks[1]?.digest);
});

test('what is asked, logged, signed and performed are the same effects with one digest', async (t) => {
  const session = await sessionHost(t, { files: { 'a.ts': 'old' }, answer: 'allowed' });
  await session.read('a.ts');
  const outcome = await session.propose('edit_file', { path: 'a.ts', edits: [{ oldText: 'old', newText: 'new' }] });
  const [ask] = session.asks;
  const asked = session.log.events.find((event) => event.type === 'asked');
  const started = session.log.events.findLast((event) => event.type === 'started');
  assert.deepEqual([ask?.content.effects, asked?.content.effects, started?.effects], [outcome.effects, outcome.effects, outcome.effects]);
  assert.deepEqual([ask?.digest, asked?.digest], [started?.digest, started?.digest]);
});

test('a dry run asks, and then does nothing and settles nothing', async (t) => {
  const session = await sessionHost(t, { files: {}, answer: 'allowed', host: { dryRun: true } });
  const outcome = await session.propose('write_file', { path: 'new.ts', content: 'x' });
  assert.deepEqual([outcome.result, outcome.approval, session.asks.length], [null, 'allowed', 1]);
  assert.deepEqual(Object.keys(await session.world()), ['home/', 'outside/', 'ws/']);
  assert.deepEqual(story(session), ['asked c1', 'decided c1 allowed']);
  assert.equal(codeOf(await session.propose('read_file', { path: 'none' })), 'FS_NOT_FOUND');
});

test('A10 every registered tool asks where there is neither a mode nor a rule', async (t) => {
  const session = await sessionHost(t, { files: { 'a.ts': 'old' } });
  await session.read('a.ts');
  const args: Readonly<Record<string, object>> = {
    read_file: { path: 'a.ts' }, list_directory: {}, find_files: { pattern: '*' }, search_text: { query: 'x' }, edit_file: { path: 'a.ts', edits: [{ oldText: 'old', newText: 'new' }] },
    write_file: { path: 'b.ts', content: '' }, ask_user: { question: '?' }, update_plan: { items: [] },
  };
  const mode = modeRules.ask as unknown as unknown[];
  const rules = mode.splice(0);
  t.after(() => mode.push(...rules));
  for (const { name } of session.registry.schemas()) {
    const outcome = await session.propose(name, args[name] ?? {});
    assert.deepEqual([name, outcome.verdict?.decision, codeOf(outcome)], [name, 'ask', 'ASK_UNAVAILABLE']);
  }
});

test('a listener that throws disturbs no call and loses no record', async (t) => {
  const session = await sessionHost(t, { tools: [plainTool({}, asking)], answer: 'allowed' });
  const [outcome] = await createPipeline(session.host).runStep([{ call: 'c9', id: 'x', name: 'plain', arguments: '{}' }], {
    origin: 'model', signal: new AbortController().signal, onEvent: () => { throw new Error('no view'); },
  });
  assert.equal(outcome?.result?.isError, false);
  assert.deepEqual(story(session), ['asked c9', 'decided c9 allowed', 'started c9', 'settled c9 allowed']);
});

test('a card says where a name leads through a link, and what stands there', async (t) => {
  const session = await sessionHost(t, { files: { 'real.txt': 'one\n' }, answer: 'allowed' });
  await symlink('real.txt', session.at('named.txt'));
  await session.propose('read_file', { path: 'named.txt' });
  await session.propose('edit_file', { path: 'named.txt', edits: [{ oldText: 'one', newText: 'two' }] });
  assert.deepEqual(session.asks.map(({ content }) => content.warnings), [[`${session.at('named.txt')} leads through a link to ${session.at('real.txt')}`]]);
});
