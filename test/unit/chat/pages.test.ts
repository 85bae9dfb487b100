import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pages } from '../../../extension/chat/pages.ts';
import type { AssistantEntry, CallEntry, Entry } from '../../../webview/protocol/state.ts';

const said = (n: number): AssistantEntry => ({ kind: 'assistant', id: `a${n}`, text: `${n}`, thinking: '', streaming: false });
const asking: CallEntry = {
  kind: 'call', id: 'c', tool: 't', title: 't', status: 'asking', summary: '', detail: '', question: null, canAskAgain: false, canUndo: false,
  card: { callId: 'c', digest: 'a'.repeat(64), title: '', effects: [], diffs: [], details: [], warnings: [], why: '', rule: '' },
};
const ids = (entries: readonly Entry[]): readonly string[] => entries.map(({ id }) => id);
const conversation = Array.from({ length: 10 }, (_one, n) => said(n));

test('the newest entries come first, and older ones as they are asked for, until there are none', () => {
  const pages = new Pages(4);
  const newest = pages.newest(conversation);
  assert.deepEqual([ids(newest.entries), newest.older], [['a6', 'a7', 'a8', 'a9'], 6]);
  const [first, second, third] = [pages.before(conversation), pages.before(conversation), pages.before(conversation)];
  assert.deepEqual([ids(first.entries), first.older, ids(second.entries), second.older], [['a2', 'a3', 'a4', 'a5'], 2, ['a0', 'a1'], 0]);
  assert.deepEqual([third.entries, third.older], [[], 0]);
});

test('a short conversation is sent whole', () => {
  assert.deepEqual(new Pages(10).newest(conversation), { entries: conversation, older: 0 });
});

test('what waits for the person is sent, however much came after it', () => {
  const page = new Pages(4).newest([said(0), asking, ...conversation.slice(1)]);
  assert.deepEqual([page.entries[0], page.older], [asking, 1]);
});

test('a change of what the view does not have is not sent; of what it got since, it is', () => {
  const pages = new Pages(4);
  pages.newest(conversation);
  const changed = (n: number): boolean => pages.concerns({ type: 'entry', entry: said(n) });
  assert.deepEqual([changed(5), changed(6), changed(10), pages.concerns({ type: 'remove', id: 'a0' }), pages.concerns({ type: 'delta', id: 'a9', field: 'text', text: '' })], [false, true, true, false, true]);
  pages.before(conversation);
  assert.deepEqual([changed(5), changed(1)], [true, false]);
});

test('what was taken away and put in again at the end is sent', () => {
  const pages = new Pages(4);
  pages.newest(conversation);
  const moved = [...conversation.slice(1), said(0)];
  assert.deepEqual(ids(pages.newest(moved).entries), ['a7', 'a8', 'a9', 'a0']);
  assert.equal(pages.concerns({ type: 'entry', entry: said(0) }), true);
});
