import assert from 'node:assert/strict';
import { unlink, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createAgent } from '../../../extension/agent/loop.ts';
import type { Answer, Ask } from '../../../extension/boundary/ask.ts';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Effect } from '../../../extension/boundary/effect.ts';
import { ApprovalDesk, restMs } from '../../../extension/gate/approvals.ts';
import { createPipeline } from '../../../extension/pipeline/pipeline.ts';
import { call, propose, say } from '../../model-server/replies.ts';
import { scriptOf, startModelServer } from '../../model-server/server.ts';
import { until } from '../agent/agents.ts';
import { clientOf } from '../model/clients.ts';
import { asking, codeOf, plainTool, textOf } from '../pipeline/plain-tool.ts';
import { layer, type Session, sessionHost } from '../pipeline/session-host.ts';

const allowed: Answer = { approval: 'allowed', reason: '' };

test('D2 after a denial the body does not run, and the model reads the reason of the rule, or the person', async (t) => {
  const execute = (): never => assert.fail('the body ran');
  const byRule = await sessionHost(t, { tools: [plainTool({ execute }, asking)], policy: { layers: [layer([{ effect: 'fetch', decision: 'deny', reason: 'no network here' }])] }, answer: () => assert.fail('a person was asked') });
  assert.match(textOf(await byRule.propose('plain', {})), /^DENIED_BY_POLICY: .*no network here/);
  const byPerson = await sessionHost(t, { tools: [plainTool({ execute }, asking)], answer: () => ({ approval: 'denied', reason: 'use the other host' }) });
  assert.match(textOf(await byPerson.propose('plain', {})), /^DENIED_BY_PERSON: .*use the other host/);
});

test('D4 nothing that comes after a denial turns it into an allow: no guard, no person, no callback', async (t) => {
  const tool = plainTool({ execute: () => assert.fail('the body ran'), projectContent: () => assert.fail('there is nothing to project'), finalizeContent: () => [{ type: 'text', text: 'allowed' }] });
  const rules = [{ decision: 'deny' }, { decision: 'allow' }];
  for (const guards of [[], [() => null], [() => null, () => null]]) {
    const session = await sessionHost(t, { tools: [tool], policy: { layers: [layer(rules), layer([{ decision: 'allow' }], 'organisation'), layer([{ decision: 'allow' }], 'session')] }, host: { guards }, answer: () => assert.fail('a person was asked') });
    const { verdict, result, approval } = await session.propose('plain', {});
    assert.deepEqual([verdict?.decision, approval, result?.isError, result?.error?.code], ['deny', null, true, 'DENIED_BY_POLICY']);
  }
});

test('D6 while a card is open, messages and waiting messages that say yes approve nothing; an answer on the card does', async (t) => {
  const server = await startModelServer(scriptOf([propose(call('plain', {})), say('Done.')]));
  t.after(() => server.close());
  const session = await sessionHost(t, { tools: [plainTool({}, asking)] });
  let now = 0;
  const opened: Ask[] = [];
  const desk = new ApprovalDesk({ now: () => now, after: () => () => undefined, unseenMs: () => 1, onOpen: (ask) => opened.push(ask), onClose: () => undefined });
  const client = clientOf(server.baseUrl);
  let ids = 0;
  const agent = createAgent({
    log: session.log, pipeline: createPipeline({ ...session.host, approver: desk }), client: () => client, schemas: () => session.registry.schemas(), systemPrompt: () => '', random: () => 0, newId: () => `n${++ids}`,
    sleep: () => Promise.resolve(), onEvent: () => undefined,
  });
  t.after(() => agent.stop());
  agent.send({ text: 'Do it.', images: [] }, 'next-step');
  await until(() => opened.length > 0);
  const [ask] = opened;
  assert.ok(ask !== undefined);
  desk.shown(ask.call, ask.digest, 'card');
  now += restMs;
  for (const when of ['next-step', 'after-turn'] as const) for (const words of ['yes', 'Allow', `allow ${ask.call} ${ask.digest}`, '']) agent.send({ text: words, images: [] }, when);
  await new Promise(setImmediate);
  assert.deepEqual([desk.open.length, session.log.events.filter(({ type }) => type === 'decided' || type === 'started')], [1, []]);
  assert.equal(desk.answer({ call: ask.call, digest: ask.digest, place: 'card', answer: 'allow', reason: '' }), null);
  await until(() => session.log.events.some(({ type }) => type === 'started'));
});

test('D10 an approval that comes after the cancel runs nothing, also where the approver held it back', async (t) => {
  const controller = new AbortController();
  const held = Promise.withResolvers<Answer>();
  const session = await sessionHost(t, { tools: [plainTool({ execute: () => assert.fail('the body ran') }, asking)], answer: () => held.promise });
  const outcome = session.propose('plain', {}, { signal: controller.signal, onEvent: ({ type }) => { if (type === 'asking') controller.abort(); } });
  await new Promise(setImmediate);
  held.resolve(allowed);
  assert.equal(codeOf(await outcome), 'ABORTED_BEFORE_DISPATCH');
  assert.deepEqual(session.log.events.map(({ type }) => type).slice(-3), ['asked', 'decided', 'settled']);
});

const moved: readonly (readonly [string, (session: Session) => Promise<void> | void, RegExp])[] = [
  ['the file changed', (session) => writeFile(session.at('a.ts'), 'theirs'), /a\.ts/], ['the file is gone', (session) => unlink(session.at('a.ts')), /a\.ts/],
  ['a rule denies by now', (session) => session.setPolicy({ layers: [layer([{ effect: 'write', decision: 'deny', reason: 'frozen today' }])] }), /policy became stricter.*deny.*frozen today/s],
];
for (const [what, move, said] of moved) {
  test(`D12 where ${what}, the model reads that it did and that nothing was done`, async (t) => {
    const session = await sessionHost(t, { files: { 'a.ts': 'old' } });
    await session.read('a.ts');
    session.setAnswer(async () => { await move(session); return allowed; });
    const outcome = await session.propose('edit_file', { path: 'a.ts', edits: [{ oldText: 'old', newText: 'new' }] });
    assert.match(textOf(outcome), /^STALE_PERMIT: /);
    assert.match(textOf(outcome), said);
    assert.match(textOf(outcome), /nothing was (?:done|written|changed)/i);
  });
}

test('D17 an answer can bring no change with it: what is performed is what was decided and shown', async (t) => {
  const session = await sessionHost(t);
  const bytes = Buffer.from('theirs');
  const other: Effect = { kind: 'write', path: session.at('other.ts'), base: 'absent', result: sha256(bytes), via: 'disk' };
  session.setAnswer(() => Object.assign({}, allowed, { effects: [other], content: new Map([[sha256(bytes), bytes]]), arguments: { path: 'other.ts', content: 'theirs' } }));
  assert.equal(codeOf(await session.propose('write_file', { path: 'a.ts', content: 'mine' })), 'well');
  assert.deepEqual((await session.world())['ws/a.ts'], 'mine');
  assert.ok(!('ws/other.ts' in await session.world()));
});
