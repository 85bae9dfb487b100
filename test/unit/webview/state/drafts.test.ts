import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry, UserEntry } from '../../../../webview/protocol/state.ts';
import { initialState, type ChatState } from '../../../../webview/state/chat-state.ts';
import type { DraftImage } from '../../../../webview/state/drafts.ts';
import { reduce, type ChatEvent } from '../../../../webview/state/reduce.ts';

const user = (id: string, text: string, queued: UserEntry['queued'] = 'no'): Entry => ({ kind: 'user', id, text, images: [], queued, canUndoSince: false });
const image = (id: string): DraftImage => ({ id, label: id, mediaType: 'image/png', base64: 'AAAA', thumbnail: 'data:image/png;base64,AAAA' });
const session = (sessionId: string, ...entries: readonly Entry[]): ChatEvent => ({
  type: 'state', sessionId, entries, older: 0, status: initialState.status, models: initialState.models, context: null, plan: [], history: ['earlier'],
});
const written = (text: string): ChatEvent => ({ type: 'written', text });
const after = (...events: readonly ChatEvent[]): ChatState => events.reduce(reduce, initialState);
const textOf = (state: ChatState): string => state.drafts.current.text;

test('each session has a draft of its own, which waits for its return', () => {
  const one = session('s1', user('a', 'hello'));
  const two = session('s2', user('b', 'hello'));
  const state = after(one, written('for one'), { type: 'imagesAdded', images: [image('i')] }, two);
  assert.equal(textOf(state), '');
  const back = [written('for two'), one].reduce(reduce, state);
  assert.equal(textOf(back), 'for one');
  assert.deepEqual(back.drafts.current.images, [image('i')]);
  assert.equal(textOf(reduce(back, two)), 'for two');
});

test('what is written where nothing has been said goes along to the next empty session', () => {
  assert.equal(textOf(after(session('s1'), written('half a thought'), session('s2'))), 'half a thought');
});

test('a session that has begun keeps what is written in it', () => {
  const begun = after(session('s1'), written('first'), { type: 'draftSent' }, { type: 'entry', entry: user('u', 'first') }, written('second'));
  assert.equal(textOf(reduce(begun, session('s2'))), '');
  assert.equal(textOf([session('s2'), session('s1', user('u', 'first'))].reduce(reduce, begun)), 'second');
});

test('the same session sent anew leaves the draft alone', () => {
  assert.equal(textOf(after(session('s'), written('a'), session('s', user('u', 'x')))), 'a');
});

test('sending empties the draft and is the newest of what was sent', () => {
  const state = after(session('s'), written('go'), { type: 'imagesAdded', images: [image('i')] }, { type: 'draftSent' });
  assert.deepEqual(state.drafts.current, { text: '', images: [] });
  assert.deepEqual(state.history, ['earlier', 'go']);
});

test('what comes back stands before what was written since, with its images', () => {
  const sent = after(session('s'), written('go'), { type: 'imagesAdded', images: [image('i')] }, { type: 'draftSent' }, written('and then'), { type: 'imagesAdded', images: [image('j')] });
  const state = reduce(sent, { type: 'sendRefused', text: 'go', why: 'the log cannot be written' });
  assert.equal(textOf(state), 'go\n\nand then');
  assert.deepEqual(state.drafts.current.images.map(({ id }) => id), ['i', 'j']);
  assert.equal(state.refusal, 'the log cannot be written');
  assert.equal(reduce(state, written('x')).refusal, '');
});

test('a message that waits comes back with its images; one that has gone out is let go', () => {
  const sent = after(session('s'), written('go'), { type: 'imagesAdded', images: [image('i')] }, { type: 'draftSent' }, { type: 'entry', entry: user('u', 'go', 'after-turn') });
  assert.deepEqual(reduce(sent, { type: 'sendRefused', text: 'go', why: '' }).drafts.current.images, [image('i')]);
  assert.deepEqual(reduce(sent, { type: 'entry', entry: user('u', 'go') }).drafts.outgoing, []);
});

test('a message holds eight images, and each can be taken out', () => {
  const images = Array.from({ length: 10 }, (_, n) => image(`i${n}`));
  const state = after({ type: 'imagesAdded', images }, { type: 'imageRemoved', id: 'i3' });
  assert.deepEqual(state.drafts.current.images.map(({ id }) => id), ['i0', 'i1', 'i2', 'i4', 'i5', 'i6', 'i7']);
});
