import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Digest, RealPath } from '../../../extension/boundary/effect.ts';
import type { Approval } from '../../../extension/boundary/verdict.ts';
import type { QueuedMessage } from '../../../extension/agent/parts.ts';
import { createPresenter } from '../../../extension/chat/presenter.ts';
import { Transcript, type Change } from '../../../extension/chat/transcript.ts';
import { failureOfStatus } from '../../../extension/model/provider-failures.ts';
import type { LogEvent } from '../../../extension/session/records.ts';
import type { CallEntry, Entry } from '../../../webview/protocol/state.ts';
import { asking, plainTool } from '../pipeline/plain-tool.ts';
import { layer, sessionHost, type Session, type SessionSetup } from '../pipeline/session-host.ts';

interface Shown {
  readonly session: Session;
  readonly transcript: Transcript;
  readonly changes: Change[];
}

/** A session whose transcript is told of everything, as the chat's is. */
async function shown(t: TestContext, setup: SessionSetup): Promise<Shown> {
  const session = await sessionHost(t, setup);
  const transcript = new Transcript(createPresenter(session.registry));
  const changes: Change[] = [];
  for (const event of session.log.events) changes.push(...transcript.record(event));
  session.log.onAppend((event) => changes.push(...transcript.record(event)));
  return { session, transcript, changes };
}

function rebuilt({ session }: Shown): readonly Entry[] {
  const transcript = new Transcript(createPresenter(session.registry));
  for (const event of JSON.parse(JSON.stringify(session.log.events)) as LogEvent[]) transcript.record(event);
  return transcript.entries;
}

/** What a view holds that was told of each change. */
function viewOf(changes: readonly Change[]): readonly Entry[] {
  const entries = new Map<string, Entry>();
  for (const change of changes) {
    if (change.type === 'entry') entries.set(change.entry.id, change.entry);
    else if (change.type === 'remove') entries.delete(change.id);
    else {
      const entry = entries.get(change.id);
      if (entry?.kind === 'assistant') entries.set(change.id, { ...entry, [change.field]: entry[change.field] + change.text });
    }
  }
  return [...entries.values()];
}

const calls = (entries: readonly Entry[]): readonly CallEntry[] => entries.filter((entry) => entry.kind === 'call');

test('H2 the transcript of a real run, its cards among it, equals the one rebuilt from its log, and what the view was told', async (t) => {
  const approvals: Approval[] = ['allowed', 'denied', 'unavailable', 'dismissed', 'cancelled'];
  const given = approvals[Symbol.iterator]();
  const run = await shown(t, {
    files: { 'a.ts': 'old\n', '.env': 'KEY=1' }, outside: { n: 'notes' }, policy: { layers: [layer([{ path: 'no/**', decision: 'deny', reason: 'not there' }])] },
    tools: [plainTool({}, asking), plainTool({ name: 'fails', execute: () => { throw new Error('broken'); } })], answer: () => ({ approval: given.next().value ?? 'denied', reason: 'why' }),
  });
  const { session, transcript } = run;
  session.log.append({ type: 'user', turn: 't', text: 'Do it' });
  await session.read('a.ts');
  await session.propose('edit_file', { path: 'a.ts', edits: [{ oldText: 'old', newText: 'new' }] });
  for (let n = 0; n < 4; n += 1) await session.propose('plain', {});
  await session.propose('read_file', { path: '.env' });
  await session.propose('write_file', { path: 'no/x', content: '' });
  await session.propose('fails', {}, { onEvent: (event) => transcript.live({ type: 'call', event }) });
  await session.propose('nothing_like_it', '{');
  await session.propose('read_file', { path: 7 });
  session.log.append({ type: 'assistant', turn: 't', step: 99, text: 'Done.', finish: 'stop', calls: [] });
  session.log.append({ type: 'turn-ended', turn: 't', end: 'answered', message: '' });
  assert.deepEqual(transcript.entries, rebuilt(run));
  assert.deepEqual(viewOf(run.changes), transcript.entries);
  assert.deepEqual(calls(transcript.entries).map(({ title, status, summary, canAskAgain }) => [title, status, summary, canAskAgain]), [
    ['Read a.ts', 'done', '1 lines', false], ['Edit a.ts', 'done', '1 edit', false], ['plain', 'denied', 'denied: why', false], ['plain', 'denied', 'nobody to ask: why', true], ['plain', 'denied', 'not answered: why', true],
    ['plain', 'interrupted', 'stopped: why', true], ['Read .env', 'denied', 'denied by a rule', false], ['Write no/x', 'denied', 'denied by a rule', false], ['fails', 'failed', 'failed', false], ['nothing_like_it', 'failed', 'wrong arguments', false], ['read_file', 'failed', 'wrong arguments', false],
  ]);
});

test('a call goes from waiting by asking to running and done, and its card stays', async (t) => {
  const run = await shown(t, { tools: [plainTool({}, asking)], answer: 'allowed' });
  await run.session.propose('plain', {});
  const steps = run.changes.flatMap((change) => (change.type === 'entry' && change.entry.kind === 'call' ? [[change.entry.status, change.entry.card?.digest === run.session.asks[0]?.digest]] : []));
  assert.deepEqual(steps, [['waiting', false], ['asking', true], ['waiting', true], ['running', true], ['done', true]]);
});

test('progress is shown while it runs, and not after a reload', async (t) => {
  const run = await shown(t, { tools: [plainTool({ execute: (_args, { progress }) => { progress('half\u202E way'); return Promise.resolve('done'); } })] });
  const seen: string[] = [];
  await run.session.propose('plain', {}, { onEvent: (event) => {
    for (const change of run.transcript.live({ type: 'call', event })) if (change.type === 'entry' && change.entry.kind === 'call') seen.push(change.entry.summary);
  } });
  assert.deepEqual(seen, ['half‹U+202E› way']);
  assert.deepEqual(run.transcript.entries, rebuilt(run));
});

test('drafts are replaced by what the log says, and dropped with it', async (t) => {
  const run = await shown(t, {});
  const { transcript, session } = run;
  transcript.live({ type: 'draft-text', turn: 't', step: 1, text: 'I lo' });
  transcript.live({ type: 'draft-text', turn: 't', step: 1, text: 'ok.' });
  transcript.live({ type: 'draft-call', turn: 't', step: 1, index: 0, name: 'read_file' });
  assert.deepEqual(transcript.entries.map((entry) => (entry.kind === 'assistant' ? entry.text : entry.kind === 'call' ? `${entry.title} ${entry.status}` : '')), ['I look.', 'read_file … receiving']);
  session.log.append({ type: 'assistant', turn: 't', step: 1, text: 'I look.', finish: 'tool-calls', calls: [{ call: 'c', id: 'w', name: 'read_file', arguments: '{"path":"a"}' }] });
  assert.deepEqual(transcript.entries, rebuilt(run));
  transcript.live({ type: 'draft-text', turn: 't', step: 2, text: 'lost' });
  transcript.live({ type: 'draft-call', turn: 't', step: 2, index: 0, name: 'x' });
  transcript.live({ type: 'draft-dropped', turn: 't', step: 2 });
  assert.deepEqual(transcript.entries, rebuilt(run));
});

test('thinking streams above the answer, and stands there after a reload', async (t) => {
  const run = await shown(t, {});
  const { transcript, session, changes } = run;
  changes.push(...transcript.live({ type: 'draft-thinking', turn: 't', step: 1, text: 'Which' }), ...transcript.live({ type: 'draft-thinking', turn: 't', step: 1, text: ' file?' }));
  changes.push(...transcript.live({ type: 'draft-text', turn: 't', step: 1, text: 'This one.' }));
  assert.deepEqual(transcript.entries, [{ kind: 'assistant', id: 'answer:t:1', text: 'This one.', thinking: 'Which file?', streaming: true }]);
  assert.deepEqual(viewOf(changes), transcript.entries);
  session.log.append({ type: 'assistant', turn: 't', step: 1, text: 'This one.', thinking: 'Which file?', finish: 'stop', calls: [] });
  assert.deepEqual(transcript.entries, [{ kind: 'assistant', id: 'answer:t:1', text: 'This one.', thinking: 'Which file?', streaming: false }]);
  assert.deepEqual(transcript.entries, rebuilt(run));
});

test('images stand beside their message as pictures, never whole', async (t) => {
  const { transcript } = await shown(t, {});
  const image = { digest: 'a'.repeat(64) as Digest, mediaType: 'image/png', bytes: 320_400, thumbnail: 'data:image/png;base64,AAAA' } as const;
  transcript.record({ type: 'user', turn: 't', text: 'Look', images: [image] });
  transcript.live({ type: 'queue', queued: [{ id: 'q', text: '', images: [{ ...image, bytes: 12 }], when: 'after-turn' }] });
  assert.deepEqual(transcript.entries.map((entry) => (entry.kind === 'user' ? [entry.images, entry.queued] : [])), [
    [[{ thumbnail: image.thumbnail, label: 'image/png, 320 kB' }], 'no'], [[{ thumbnail: image.thumbnail, label: 'image/png, 12 bytes' }], 'after-turn'],
  ]);
});

test('a summary is shown to the person in the words that the model reads', async (t) => {
  const { transcript } = await shown(t, {});
  transcript.record({ type: 'folded', turn: 't', calls: ['c1'] });
  transcript.record({ type: 'summarised', turn: 't', through: 3, text: 'They want tabs.\u202E\nNothing is left.' });
  assert.deepEqual(transcript.entries.map((entry) => (entry.kind === 'notice' ? entry.text.split('\n\n')[1] : '')), ['They want tabs.‹U+202E›\nNothing is left.']);
});

test('what a call changed can be undone from its line and from every message before it, until an undo stands', async (t) => {
  const { transcript } = await shown(t, {});
  const digest = (letter: string): Digest => letter.repeat(64) as Digest;
  const write = (call: string, base: string, result: string): readonly LogEvent[] => [
    { type: 'started', call, digest: digest('0'), revision: '', decidedBy: '', effects: [{ kind: 'write', path: '/w/a' as RealPath, base: digest(base), result: digest(result), via: 'disk' }] },
    { type: 'settled', call, verdict: null, approval: null, result: { isError: false, content: [], error: null }, observed: [{ path: '/w/a' as RealPath, digest: digest(result) }] },
  ];
  const flags = (): object => Object.fromEntries(transcript.entries.flatMap((entry) => (entry.kind === 'call' ? [[entry.id, entry.canUndo]] : entry.kind === 'user' ? [[entry.text, entry.canUndoSince]] : [])));
  const log: readonly LogEvent[] = [
    { type: 'user', turn: 't', text: 'first' }, answer(1, 'c1'), ...write('c1', 'a', 'b'), { type: 'user', turn: 't', text: 'second' },
    answer(2, 'c2'), { type: 'settled', call: 'c2', verdict: null, approval: null, observed: [], result: { isError: false, content: [], error: null } },
  ];
  for (const event of log) transcript.record(event);
  assert.deepEqual(flags(), { first: true, c1: true, second: false, c2: false });
  assert.deepEqual(transcript.callsSince('user:t:1'), ['c1']);
  transcript.record({ type: 'person-call', of: null, proposal: { call: 'u', id: 'u', name: 'undo_changes', arguments: '{"calls":["c1"]}' } });
  for (const event of write('u', 'b', 'a')) transcript.record(event);
  assert.deepEqual(flags(), { first: false, c1: false, second: true, c2: false, u: true });
  transcript.record({ type: 'person-call', of: null, proposal: { call: 'r', id: 'r', name: 'undo_changes', arguments: '{"calls":["u"]}' } });
  for (const event of write('r', 'a', 'b')) transcript.record(event);
  assert.deepEqual(flags(), { first: true, c1: true, second: false, c2: false, u: false, r: true });
  assert.deepEqual(transcript.callsSince('no such entry'), []);
});

test('a tool of the person\'s draws no call of a model\'s', async (t) => {
  const session = await sessionHost(t, {});
  session.registry.register(plainTool({ name: 'theirs', presentCall: () => ({ title: 'Taken back', parts: [] }) }), { for: 'person' });
  const transcript = new Transcript(createPresenter(session.registry));
  transcript.record({ type: 'assistant', turn: 't', step: 1, text: '', finish: 'tool-calls', calls: [{ call: 'c', id: 'c', name: 'theirs', arguments: '{}' }] });
  transcript.record({ type: 'person-call', of: null, proposal: { call: 'p', id: 'p', name: 'theirs', arguments: '{}' } });
  assert.deepEqual(calls(transcript.entries).map(({ title }) => title), ['theirs', 'Taken back']);
});

test('records of calls that the log never proposed change nothing', async (t) => {
  const { transcript } = await shown(t, {});
  assert.deepEqual(transcript.record({ type: 'settled', call: 'none', verdict: null, approval: null, observed: [], result: { isError: false, content: [], error: null } }), []);
  assert.deepEqual(transcript.record({ type: 'decided', call: '__proto__', digest: 'x' as never, approval: 'allowed', reason: '' }), []);
  assert.deepEqual(transcript.entries, []);
});

test('every ending of a turn that needs a word has one, and going on takes it away', async (t) => {
  const { transcript } = await shown(t, {});
  for (const end of ['stopped', 'step-limit', 'failed', 'interrupted'] as const) {
    transcript.record({ type: 'turn-ended', turn: end, end, message: `it is ${end}\u200B` });
    const notice = transcript.entries.at(-1);
    assert.ok(notice?.kind === 'notice' && notice.id === `end:${end}` && !notice.text.includes('\u200B'));
    transcript.record({ type: 'user', turn: end, text: 'go on' });
    assert.equal(transcript.entries.some((entry) => entry.id === `end:${end}`), false);
  }
});

const waiting = (...texts: readonly string[]): readonly QueuedMessage[] => texts.map((text) => ({ id: text, text, images: [], when: 'next-step' }));
const queueOf = (entries: readonly Entry[]): readonly string[] => entries.map((entry) => (entry.kind === 'user' && entry.queued !== 'no' ? `waits: ${entry.text}` : entry.id));
const answer = (step: number, ...proposed: readonly string[]): LogEvent => ({
  type: 'assistant', turn: 't', step, text: `step ${step}`, finish: proposed.length > 0 ? 'tool-calls' : 'stop', calls: proposed.map((call) => ({ call, id: call, name: 'read_file', arguments: '{"path":"a"}' })),
});

test('what is queued stands below all that comes meanwhile, for the transcript and for the view, until it is sent', async (t) => {
  const run = await shown(t, {});
  const { transcript, changes } = run;
  changes.push(...transcript.record({ type: 'user', turn: 't', text: 'Go' }));
  changes.push(...transcript.live({ type: 'queue', queued: waiting('and this', 'and that') }));
  changes.push(...transcript.live({ type: 'draft-text', turn: 't', step: 1, text: 'step' }), ...transcript.live({ type: 'draft-text', turn: 't', step: 1, text: ' 1' }));
  changes.push(...transcript.record(answer(1, 'c1')));
  assert.deepEqual(queueOf(transcript.entries), ['user:t:1', 'answer:t:1', 'c1', 'waits: and this', 'waits: and that']);
  assert.deepEqual(viewOf(changes), transcript.entries);
  changes.push(...transcript.record({ type: 'user', turn: 't', text: 'and this' }), ...transcript.live({ type: 'queue', queued: waiting('and that') }));
  changes.push(...transcript.record({ type: 'turn-ended', turn: 't', end: 'stopped', message: '' }));
  assert.deepEqual(queueOf(transcript.entries), ['user:t:1', 'answer:t:1', 'c1', 'user:t:2', 'end:t', 'waits: and that']);
  assert.deepEqual(viewOf(changes), transcript.entries);
});

test('a delta moves nothing of the queue: one message a chunk', async (t) => {
  const { transcript } = await shown(t, {});
  transcript.live({ type: 'draft-text', turn: 't', step: 1, text: 'a' });
  transcript.live({ type: 'queue', queued: waiting('later') });
  assert.deepEqual(transcript.live({ type: 'draft-text', turn: 't', step: 1, text: 'b' }), [{ type: 'delta', id: 'answer:t:1', field: 'text', text: 'b' }]);
});

test('only the last turn offers to be gone on with', async (t) => {
  const { transcript } = await shown(t, {});
  const actions = (turn: string): readonly string[] => transcript.entries.flatMap((entry) => (entry.kind === 'notice' && entry.id === `end:${turn}` ? entry.actions.map(({ id }) => id) : []));
  transcript.record({ type: 'user', turn: 'a', text: 'Go' });
  transcript.record({ type: 'turn-ended', turn: 'a', end: 'failed', message: 'The server is busy.' });
  transcript.live({ type: 'failed', turn: 'a', failure: { kind: 'busy', message: 'The server is busy.' } });
  assert.deepEqual(actions('a'), ['retry']);
  transcript.record({ type: 'user', turn: 'b', text: 'Something else' });
  assert.deepEqual(actions('a'), []);
});

test('a refused key can be set from its notice, also after a reload', async (t) => {
  const { transcript } = await shown(t, {});
  const actions = (): readonly string[] => transcript.entries.flatMap((entry) => (entry.kind === 'notice' ? entry.actions.map(({ id }) => id) : []));
  const { message } = failureOfStatus({ status: 401, detail: '', code: '', header: () => null }, { url: 'https://example.test/v1', model: 'm', words: { server: 'a server', version: '/v1' }, key: 'k', now: () => 0 });
  transcript.record({ type: 'turn-ended', turn: 't', end: 'failed', message, kind: 'key' });
  const afterReload = actions();
  transcript.live({ type: 'failed', turn: 't', failure: { kind: 'key', message } });
  assert.deepEqual([afterReload, afterReload], [actions(), ['setKey', 'retry', 'openSettings']]);
});

test('a failure that no turn was logged for goes away once a message could be logged', async (t) => {
  const { transcript } = await shown(t, {});
  transcript.live({ type: 'failed', turn: null, failure: { kind: 'log', message: 'The disk is full.' } });
  assert.equal(transcript.entries.length, 1);
  transcript.record({ type: 'user', turn: 't', text: 'Again' });
  assert.deepEqual(transcript.entries.map(({ kind }) => kind), ['user']);
});

test('a call is asked for again once', async (t) => {
  const { transcript } = await shown(t, {});
  transcript.record(answer(1, 'c1'));
  transcript.record({ type: 'settled', call: 'c1', verdict: null, approval: 'dismissed', observed: [], result: { isError: true, content: [], error: { code: 'ASK_DISMISSED', message: '' } } });
  assert.deepEqual(calls(transcript.entries).map(({ canAskAgain }) => canAskAgain), [true]);
  transcript.record({ type: 'person-call', of: 'c1', proposal: { call: 'c2', id: 'c1_2', name: 'read_file', arguments: '{"path":"a"}' } });
  assert.deepEqual(calls(transcript.entries).map(({ id, canAskAgain }) => [id, canAskAgain]), [['c1', false], ['c2', false]]);
});

test('an undo that failed says so in words of its own: it has read nothing', async (t) => {
  const { transcript } = await shown(t, {});
  const failed = { isError: true, content: [], error: { code: 'FS_STALE', message: 'a was changed since in the same place' } } as const;
  for (const [call, name, args] of [['r', 'edit_file', '{}'], ['u', 'undo_changes', '{"calls":["r"]}']] as const) {
    transcript.record({ type: 'person-call', of: null, proposal: { call, id: call, name, arguments: args } });
    transcript.record({ type: 'settled', call, verdict: null, approval: null, observed: [], result: failed });
  }
  assert.deepEqual(calls(transcript.entries).map(({ summary }) => summary), ['changed since it was read', 'cannot be undone']);
});

test('drafts of calls go with their answer, also behind one whose name never came', async (t) => {
  const { transcript } = await shown(t, {});
  transcript.live({ type: 'draft-call', turn: 't', step: 1, index: 1, name: 'read_file' });
  transcript.live({ type: 'draft-call', turn: 't', step: 12, index: 0, name: 'other step' });
  transcript.record(answer(1, 'c1'));
  assert.deepEqual(transcript.entries.map(({ id }) => id), ['answer:t:12:0', 'answer:t:1', 'c1']);
});

test('where the log can take nothing more, nothing goes on turning', async (t) => {
  const { transcript } = await shown(t, {});
  transcript.record(answer(1, 'c1'));
  transcript.live({ type: 'draft-call', turn: 't', step: 2, index: 0, name: 'read_file' });
  const result = { isError: true, content: [], error: { code: 'LOG_UNAVAILABLE', message: 'It is full.' } } as const;
  transcript.live({ type: 'call', event: { type: 'settled', outcome: { call: 'c1', id: 'c1', name: 'read_file', verdict: null, effects: [], claims: [], approval: null, result } } });
  transcript.live({ type: 'failed', turn: 't', failure: { kind: 'log', message: 'It is full.' } });
  assert.deepEqual(transcript.entries.map((entry) => (entry.kind === 'call' ? [entry.id, entry.status, entry.summary] : entry.id)), ['answer:t:1', ['c1', 'failed', 'log cannot be written'], 'end:t']);
});
