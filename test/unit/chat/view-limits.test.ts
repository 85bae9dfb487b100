import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Pages } from '../../../extension/chat/pages.ts';
import { createPresenter } from '../../../extension/chat/presenter.ts';
import { Transcript, type Change } from '../../../extension/chat/transcript.ts';
import { wholeState } from '../../../extension/chat/whole-state.ts';
import type { CallEntry, Entry } from '../../../webview/protocol/state.ts';
import { hostMessageSchema } from '../../../webview/protocol/schemas.ts';
import { asking, plainTool } from '../pipeline/plain-tool.ts';
import { sessionHost } from '../pipeline/session-host.ts';

const taken = new Ajv2020({ discriminator: true }).compile(hostMessageSchema);

/** The view drops what does not fit its schema: what the person was to see would be missing. */
function assertTaken(changes: readonly Change[]): void {
  for (const change of changes) assert.ok(taken(change), `${JSON.stringify(taken.errors)} in ${JSON.stringify(change).slice(0, 300)}`);
}

const huge = 'x\u202E\n'.repeat(1_450_000);

test('whatever a model, a server or a tool says, the view takes what is made of it', async (t) => {
  const tool = plainTool({
    presentCall: () => ({ title: huge, parts: Array.from({ length: 60 }, () => ({ kind: 'code', label: huge, text: huge })) }), presentResult: () => ({ summary: huge }),
  }, asking);
  const session = await sessionHost(t, { tools: [tool], answer: () => ({ approval: 'denied', reason: huge }) });
  const transcript = new Transcript(createPresenter(session.registry));
  session.log.onAppend((event) => assertTaken(transcript.record(event)));
  session.log.append({ type: 'user', turn: 't', text: huge });
  await session.propose('plain', {});
  await session.propose('n'.repeat(100_000), {});
  await session.propose('write_file', { path: 'a', content: `${'\u200B'.repeat(300)}\n`.repeat(1000) });
  session.log.append({ type: 'assistant', turn: 't', step: 1, text: huge, thinking: huge, finish: 'stop', calls: [] });
  session.log.append({ type: 'summarised', turn: 't', through: 1, text: huge });
  session.log.append({ type: 'turn-ended', turn: 't', end: 'failed', message: huge });
  assertTaken([
    ...transcript.live({ type: 'draft-text', turn: 't', step: 9, text: huge }), ...transcript.live({ type: 'draft-text', turn: 't', step: 9, text: huge }),
    ...transcript.live({ type: 'draft-thinking', turn: 't', step: 9, text: huge }), ...transcript.live({ type: 'draft-call', turn: 't', step: 9, index: 0, name: huge }), ...transcript.live({ type: 'queue', queued: [{ id: 'q', text: huge, images: [], when: 'after-turn' }] }),
    ...transcript.live({ type: 'failed', turn: 't', failure: { kind: 'server', message: huge } }),
  ]);
  const [first] = transcript.entries.filter((entry) => entry.kind === 'call');
  assertTaken(transcript.live({ type: 'call', event: { type: 'progress', call: first?.id ?? '', text: huge } }));
  assertTaken(transcript.question(first?.id ?? '', { text: huge, options: Array.from({ length: 30 }, () => huge) }));
  assert.ok(taken({
    type: 'state', sessionId: 's', ...new Pages().newest(transcript.entries), status: { activity: 'idle', text: '', mode: 'ask', hasWorkspace: true, readOnly: false }, models: { choices: [], current: null },
    context: null, plan: [], history: [],
  }));
});

test('a text that streams past what is shown of one grows no further', async (t) => {
  const session = await sessionHost(t, {});
  const transcript = new Transcript(createPresenter(session.registry));
  for (let n = 0; n < 3; n += 1) transcript.live({ type: 'draft-text', turn: 't', step: 1, text: 'x'.repeat(700_000) });
  assert.deepEqual(transcript.entries.map((entry) => (entry.kind === 'assistant' ? entry.text.length : 0)), [1_000_000]);
});

test('the question of a tool keeps its line breaks, and shows every other character', async (t) => {
  const session = await sessionHost(t, { tools: [plainTool({})] });
  const transcript = new Transcript(createPresenter(session.registry));
  session.log.onAppend((event) => transcript.record(event));
  await session.propose('plain', {});
  const [change] = transcript.question(transcript.entries[0]?.id ?? '', { text: 'Which?\r\n1. a\u202E\n2. b', options: [] });
  assert.equal(change?.type === 'entry' && change.entry.kind === 'call' ? change.entry.question?.question : '', 'Which?\n1. a‹U+202E›\n2. b');
});

const callOf = (n: number, rest: Partial<CallEntry> = {}): CallEntry => ({
  kind: 'call', id: `c${n}`, tool: 't', title: 't', status: 'done', summary: '', detail: 'd'.repeat(20_000), question: null, canAskAgain: false, canUndo: false,
  card: { callId: `c${n}`, digest: 'a'.repeat(64), title: '', effects: [], diffs: [], details: [], warnings: [], why: '', rule: '' }, ...rest,
});

test('a very long session is sent within bounds: the newest whole, older results cut, open cards always whole', () => {
  const open = callOf(0, { status: 'asking' });
  const said: Entry = { kind: 'assistant', id: 'a', text: 'y'.repeat(20_000), thinking: '', streaming: false };
  const entries = [open, said, ...Array.from({ length: 10_000 }, (_one, n) => callOf(n + 1))];
  const sent = wholeState(entries);
  assert.equal(sent.length, entries.length);
  assert.deepEqual([sent[0], sent[1], sent.at(-1)], [open, said, entries.at(-1)]);
  const old = sent[2];
  assert.ok(old?.kind === 'call' && old.card === null && /^d{1000}\n\[19000 more characters are not shown\]$/.test(old.detail));
  assert.ok(JSON.stringify(sent).length < 24 * 1024 * 1024);
});

test('a short session is sent as it is', () => {
  const entries = [callOf(1), callOf(2)];
  assert.deepEqual(wholeState(entries), entries);
});
