import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from '../../../extension/session/event-log.ts';
import type { LogEvent, SessionLog } from '../../../extension/session/records.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { asking, codeOf, plainTool, textOf } from './plain-tool.ts';
import { layer, sessionHost } from './session-host.ts';

/** A log that cannot be written from this type of record on, as on a full disk. */
function fullFrom(type: LogEvent['type']): SessionLog {
  const log = EventLog.inMemory({ sessionId: 's', roots: [] }, () => 0);
  let full = false;
  return {
    get events() { return log.events; },
    append: (event) => {
      full ||= event.type === type;
      if (full) throw new CodedError('LOG_UNAVAILABLE', 'The session log cannot be written.');
      return log.append(event);
    },
    onAppend: (listener) => log.onAppend(listener),
  };
}

for (const type of ['asked', 'decided', 'started'] as const) {
  test(`E9 a log that cannot take the ${type} record: LOG_UNAVAILABLE, and the body does not run`, async (t) => {
    let runs = 0;
    const session = await sessionHost(t, { tools: [plainTool({ execute: () => { runs += 1; return Promise.resolve('done'); } }, asking)], answer: 'allowed', host: { log: fullFrom(type) } });
    assert.equal(codeOf(await session.propose('plain', {})), 'LOG_UNAVAILABLE');
    assert.deepEqual([runs, session.asks.length], [0, type === 'asked' ? 0 : 1]);
  });
}

test('E9 nothing is written where the log cannot take the start', async (t) => {
  const session = await sessionHost(t, { answer: 'allowed', host: { log: fullFrom('started') } });
  assert.equal(codeOf(await session.propose('write_file', { path: 'deep/a', content: 'x' })), 'LOG_UNAVAILABLE');
  assert.deepEqual(Object.keys(await session.world()), ['home/', 'outside/', 'ws/']);
});

test('E9 a result that cannot be recorded is not pretended: the call is said to have run', async (t) => {
  const session = await sessionHost(t, { policy: { layers: [layer([{ decision: 'allow' }])] }, host: { log: fullFrom('settled') } });
  const outcome = await session.propose('write_file', { path: 'a', content: 'x' });
  assert.equal(codeOf(outcome), 'LOG_UNAVAILABLE');
  assert.match(textOf(outcome), /This call ran, and what became of it could not be recorded/);
  assert.ok(Object.isFrozen(outcome.result?.content[0]));
  assert.equal((await session.world())['ws/a'], 'x');
});

test('E9 the start is in the log before the body runs, with the permit', async (t) => {
  const during: string[] = [];
  const session = await sessionHost(t, { answer: 'allowed' });
  session.registry.register(plainTool({ execute: () => { during.push(...session.log.events.map(({ type }) => type)); return Promise.resolve('done'); } }, asking));
  await session.propose('plain', {});
  assert.deepEqual(during, ['session', 'assistant', 'asked', 'decided', 'started']);
  const { revision } = session.host.policy();
  const started = session.log.events.find((event) => event.type === 'started');
  assert.deepEqual({ ...started, digest: session.asks[0]?.digest }, { type: 'started', call: 'c1', digest: started?.digest, revision, decidedBy: 'the person', effects: [asking] });
});

test('nothing stands on the disk before the permit: no folder, no temporary file', async (t) => {
  const session = await sessionHost(t, { files: { a: 'old' } });
  await session.read('a');
  const before = await session.world();
  const during: unknown[] = [];
  session.setAnswer(async () => {
    during.push(await session.world());
    return { approval: 'denied', reason: '' };
  });
  await session.propose('write_file', { path: 'deep/er/new', content: 'x' });
  await session.propose('edit_file', { path: 'a', edits: [{ oldText: 'old', newText: 'new' }] });
  assert.deepEqual([...during, await session.world()], [before, before, before]);
});

test('what no model may read is redacted in content, message and violations, in the log too', async (t) => {
  const host = { redact: (text: string) => text.replaceAll('sk-123', '‹key›') };
  const session = await sessionHost(t, { host, tools: [plainTool({ execute: () => Promise.resolve('sk-123') }), plainTool({ name: 'fails', execute: () => { throw new Error('sk-123'); } })] });
  const outcomes = [await session.propose('plain', {}), await session.propose('fails', {}), await session.propose('read_file', { path: 'a', startLine: 'sk-123' })];
  assert.doesNotMatch(JSON.stringify([outcomes.map(({ result }) => result), session.log.events.filter(({ type }) => type === 'settled')]), /sk-123/);
  assert.match(textOf(outcomes[2] ?? await Promise.reject(new Error('no outcome'))), /INVALID_ARGS.*‹key›/s);
});
