import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallEntry, Card, Entry, Status } from '../../../../webview/protocol/state.ts';
import { initialState, openCalls, type ChatState } from '../../../../webview/state/chat-state.ts';
import { chunkSize, entryOf } from '../../../../webview/state/conversation.ts';
import { reduce, type ChatEvent } from '../../../../webview/state/reduce.ts';

const status: Status = { activity: 'idle', text: '', mode: 'ask', hasWorkspace: true, readOnly: false };
const user = (id: string, text = id): Entry => ({ kind: 'user', id, text, images: [], queued: 'no', canUndoSince: false });
const answer = (id: string, text = ''): Entry => ({ kind: 'assistant', id, text, thinking: '', streaming: true });
const card = (callId: string, digest = 'a'): Card => ({
  callId, digest: digest.repeat(64), title: 'Edit a', effects: ['write a'], diffs: [], details: [], warnings: [], why: '', rule: 'no rule',
});
const call = (id: string, rest: Partial<CallEntry> = {}): CallEntry => ({
  kind: 'call', id, tool: 't', title: 't', status: 'running', summary: '', detail: '', card: null, question: null, canAskAgain: false, canUndo: false, ...rest,
});
const asking = (id: string, digest?: string): CallEntry => call(id, { status: 'asking', card: card(id, digest) });

const after = (...events: readonly ChatEvent[]): ChatState => events.reduce(reduce, initialState);
const whole = (...entries: readonly Entry[]): ChatEvent => session('s', entries);
const session = (sessionId: string, entries: readonly Entry[], older = 0): ChatEvent => ({
  type: 'state', sessionId, entries, older, status, models: { choices: [], current: null }, context: null, plan: [], history: [],
});
const ids = (state: ChatState): readonly string[] => state.conversation.flatMap((chunk) => chunk.entries.map((entry) => entry.id));
const many = (count: number): readonly Entry[] => Array.from({ length: count }, (_, n) => user(`u${n}`));

test('a whole state replaces everything and begins a new generation', () => {
  const state = after(whole(user('old'), asking('c')), { type: 'answered', callId: 'c' }, whole(user('new')));
  assert.deepEqual(ids(state), ['new']);
  assert.equal(state.generation, 2);
  assert.deepEqual(state.open, []);
  assert.equal(state.replies.size, 0);
  assert.equal(state.connected, true);
});

test('an entry that is not known is put at the end, in order, over many chunks', () => {
  const events = many(3 * chunkSize + 1).map((entry): ChatEvent => ({ type: 'entry', entry }));
  const state = after(...events);
  assert.deepEqual(ids(state), many(3 * chunkSize + 1).map((entry) => entry.id));
  assert.equal(state.conversation.length, 4);
});

test('an entry that is known is replaced where it stands, and chunks without it stay the same objects', () => {
  const before = after(whole(...many(3 * chunkSize)));
  const state = reduce(before, { type: 'entry', entry: user('u1', 'other') });
  assert.deepEqual(ids(state), ids(before));
  assert.deepEqual(entryOf(state.conversation, 'u1'), user('u1', 'other'));
  assert.notEqual(state.conversation[0], before.conversation[0]);
  assert.equal(state.conversation[1], before.conversation[1]);
  assert.equal(state.conversation[2], before.conversation[2]);
});

test('a removed entry is gone and leaves no empty chunk', () => {
  const state = after(whole(...many(chunkSize + 1)), { type: 'remove', id: `u${chunkSize}` }, { type: 'remove', id: 'never there' });
  assert.equal(ids(state).length, chunkSize);
  assert.equal(state.conversation.length, 1);
});

test('a chunk that follows a removed one gets a key of its own', () => {
  const removals = many(chunkSize).map((entry): ChatEvent => ({ type: 'remove', id: entry.id }));
  const state = after(whole(...many(2 * chunkSize)), ...removals, { type: 'entry', entry: user('x') });
  assert.equal(state.conversation.length, 2);
  assert.notEqual(state.conversation[0]?.key, state.conversation[1]?.key);
});

test('deltas are appended to their answer and to nothing else', () => {
  const state = after(whole(user('u'), answer('a', 'Hel')), { type: 'delta', id: 'a', field: 'text', text: 'lo' }, { type: 'delta', id: 'a', field: 'thinking', text: 'hm' }, { type: 'delta', id: 'u', field: 'text', text: '?' });
  assert.deepEqual(entryOf(state.conversation, 'a'), { kind: 'assistant', id: 'a', text: 'Hello', thinking: 'hm', streaming: true });
  assert.deepEqual(entryOf(state.conversation, 'u'), user('u'));
});

test('a delta for an answer that is gone changes nothing', () => {
  const before = after(whole(user('u')));
  assert.equal(reduce(before, { type: 'delta', id: 'gone', field: 'text', text: 'x' }), before);
});

test('older entries stand before the first one, once, and chunks that are here stay the same objects', () => {
  const before = reduce(after(session('s', many(chunkSize), 30)), { type: 'olderAsked' });
  assert.deepEqual(before.older, { count: 30, asked: true });
  const older = [...Array.from({ length: 25 }, (_, n) => user(`o${n}`)), user('u0')];
  const state = reduce(before, { type: 'older', entries: older, older: 5 });
  assert.deepEqual(ids(state), [...older.slice(0, 25), ...many(chunkSize)].map((entry) => entry.id));
  assert.deepEqual(state.older, { count: 5, asked: false });
  assert.equal(state.conversation.at(-1), before.conversation[0]);
  const keys = state.conversation.map(({ key }) => key);
  assert.deepEqual(keys, keys.toSorted((a, b) => a - b));
  assert.equal(new Set(keys).size, keys.length);
});

test('an older card that waits is open, and before those that are', () => {
  const state = after(session('s', [asking('c2')], 1), { type: 'older', entries: [asking('c1')], older: 0 });
  assert.deepEqual(state.open, ['c1', 'c2']);
});

test('an answer to the asking for older entries that brings none ends it', () => {
  assert.deepEqual(after(session('s', many(2), 7), { type: 'older', entries: many(2), older: 7 }).older, { count: 0, asked: false });
});

test('a status and a wish for the focus leave the conversation alone', () => {
  const before = after(whole(user('u')));
  const state = reduce(reduce(before, { type: 'status', status: { ...status, activity: 'running' } }), { type: 'focus' });
  assert.equal(state.status.activity, 'running');
  assert.equal(state.focusRequests, before.focusRequests + 1);
  assert.equal(state.conversation, before.conversation);
});

test('cards and questions are open until the host says otherwise', () => {
  const question = call('q', { question: { callId: 'q', question: '?', options: [] } });
  const open = after(whole(asking('c1')), { type: 'entry', entry: asking('c2') }, { type: 'entry', entry: question });
  assert.deepEqual(openCalls(open).map((entry) => entry.id), ['c1', 'c2', 'q']);
  const later = [call('c1', { status: 'done', card: card('c1') }), call('q')].reduce((s, entry) => reduce(s, { type: 'entry', entry }), open);
  assert.deepEqual(later.open, ['c2']);
  assert.deepEqual(reduce(later, { type: 'remove', id: 'c2' }).open, []);
});

test('an answer is pending until the host speaks of the call again', () => {
  const sent = after(whole(asking('c1'), asking('c2')), { type: 'answered', callId: 'c1' });
  assert.deepEqual(sent.replies.get('c1'), { state: 'sent' });
  assert.equal(reduce(sent, { type: 'entry', entry: call('c2') }).replies.get('c1')?.state, 'sent');
  assert.equal(reduce(sent, { type: 'entry', entry: call('c1') }).replies.has('c1'), false);
});

test('a card whose digest changed after an answer can be answered again', () => {
  const state = after(whole(asking('c', 'a')), { type: 'answered', callId: 'c' }, { type: 'entry', entry: asking('c', 'b') });
  assert.equal(state.replies.has('c'), false);
  assert.deepEqual(state.open, ['c']);
});

test('a refused answer says why until the card changes', () => {
  const refused = after(whole(asking('c')), { type: 'answered', callId: 'c' }, { type: 'answerRefused', callId: 'c', why: 'too early' });
  assert.deepEqual(refused.replies.get('c'), { state: 'refused', why: 'too early' });
  assert.equal(reduce(refused, { type: 'entry', entry: asking('c', 'b') }).replies.has('c'), false);
});
