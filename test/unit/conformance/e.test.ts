import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../../extension/boundary/ask.ts';
import { createPresenter } from '../../../extension/chat/presenter.ts';
import { Transcript } from '../../../extension/chat/transcript.ts';
import { createPipeline } from '../../../extension/pipeline/pipeline.ts';
import { asking, codeOf, plainTool } from '../pipeline/plain-tool.ts';
import { type Session, sessionHost } from '../pipeline/session-host.ts';

function transcriptOf(session: Session): Transcript {
  const transcript = new Transcript(createPresenter(session.registry));
  for (const event of session.log.events) transcript.record(event);
  session.log.onAppend((event) => transcript.record(event));
  return transcript;
}

function callsIn(transcript: Transcript): readonly (readonly [string, string | null])[] {
  return transcript.entries.flatMap((entry) => (entry.kind === 'call' ? [[entry.status, entry.summary] as const] : []));
}

test('E1 of a step that was stopped before its calls began, each has one result and one record, and no tool was asked anything', async (t) => {
  const touched = (): never => assert.fail('a tool was called');
  const session = await sessionHost(t, { tools: [plainTool({ effects: touched, execute: touched, isConcurrencySafe: () => true })] });
  const calls = ['plain', 'read_file', 'nothing_like_it', 'plain'].map((name, n) => ({ call: `k${n}`, id: `i${n}`, name, arguments: '{"path":"a"}' }));
  const outcomes = await createPipeline(session.host).runStep(calls, { origin: 'model', signal: AbortSignal.abort(), onEvent: () => undefined });
  assert.deepEqual(outcomes.map(codeOf), calls.map(() => 'ABORTED_BEFORE_DISPATCH'));
  assert.deepEqual(session.log.events.slice(1).map((event) => [event.type, 'call' in event ? event.call : '']), calls.map(({ call }) => ['settled', call]));
});

test('E2 the card of an ask that was cancelled closes, and says that the call was stopped', async (t) => {
  const controller = new AbortController();
  const session = await sessionHost(t, { tools: [plainTool({}, asking)] });
  const transcript = transcriptOf(session);
  const states: unknown[] = [];
  session.setAnswer((_ask, signal) => new Promise<Answer>((resolve) => {
    signal.addEventListener('abort', () => resolve({ approval: 'cancelled', reason: '' }));
    states.push(callsIn(transcript)[0]?.[0]);
    controller.abort();
  }));
  await session.propose('plain', {}, { signal: controller.signal });
  assert.deepEqual([...states, ...callsIn(transcript)], ['asking', ['interrupted', 'stopped']]);
});
