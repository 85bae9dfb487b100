import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPresenter } from '../../../extension/chat/presenter.ts';
import { Transcript } from '../../../extension/chat/transcript.ts';
import { asking, codeOf, plainTool } from '../pipeline/plain-tool.ts';
import { sessionHost } from '../pipeline/session-host.ts';

test('H1 the pipeline calls no presenter, whatever becomes of a call; the chat calls them when it draws', async (t) => {
  const called: string[] = [];
  const presented = { presentCall: () => { called.push('call'); return { title: 'A call', parts: [] }; }, presentResult: () => { called.push('result'); return { summary: 'done', parts: [] }; } };
  const session = await sessionHost(t, { tools: [plainTool({ ...presented, parameters: { type: 'object', additionalProperties: false } }, asking)] });
  for (const answer of ['allowed', 'denied', 'cancelled'] as const) {
    session.setAnswer(answer);
    await session.propose('plain', {});
  }
  await session.propose('plain', { no: 1 });
  assert.deepEqual([called, session.log.events.filter(({ type }) => type === 'settled').length], [[], 4]);
  const transcript = new Transcript(createPresenter(session.registry));
  for (const event of session.log.events) transcript.record(event);
  assert.ok(called.includes('call') && called.includes('result'));
});

test('H1 a call goes the same way with presenters that throw as with none', async (t) => {
  const wrong = (): never => { throw new Error('no picture'); };
  const codes = [];
  for (const over of [{}, { presentCall: wrong, presentResult: wrong }]) codes.push(codeOf(await (await sessionHost(t, { tools: [plainTool(over)] })).propose('plain', {})));
  assert.deepEqual(codes, ['well', 'well']);
});
