import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallEntry, Entry, Status } from '../../../../webview/protocol/state.ts';
import { announce, statusText } from '../../../../webview/state/announce.ts';
import { initialState } from '../../../../webview/state/chat-state.ts';
import { reduce, type ChatEvent } from '../../../../webview/state/reduce.ts';

const idle: Status = { activity: 'idle', text: '', mode: 'ask', hasWorkspace: true, readOnly: false };
const busy = (activity: Status['activity'], text = ''): ChatEvent => ({ type: 'status', status: { ...idle, activity, text } });
const entry = (value: Entry): ChatEvent => ({ type: 'entry', entry: value });
const asking: CallEntry = {
  kind: 'call', id: 'c', tool: 't', title: 'Edit a', status: 'asking', summary: '', detail: '', question: null, canAskAgain: false, canUndo: false,
  card: { callId: 'c', digest: 'a'.repeat(64), title: 'Edit src/a.ts', effects: [], diffs: [], details: [], warnings: [], why: '', rule: '' },
};

function said(setUp: readonly ChatEvent[], ...events: readonly ChatEvent[]): { readonly polite: string; readonly assertive: string } {
  const before = setUp.reduce(reduce, initialState);
  return announce(before, events.reduce(reduce, before));
}

test('a card that opens is said at once, with the way to it', () => {
  assert.deepEqual(said([], entry(asking), busy('asking')), { polite: '', assertive: 'Approval needed: Edit src/a.ts. Press Alt+Shift+A to go to it.' });
});

test('a card that is open already is not said again', () => {
  assert.deepEqual(said([entry(asking)], entry({ ...asking, summary: 'x' })), { polite: '', assertive: '' });
});

test('a question is said at once', () => {
  const question: CallEntry = { ...asking, status: 'running', card: null, question: { callId: 'c', question: 'Which one?', options: [] } };
  assert.equal(said([], entry(question)).assertive, 'Question: Which one? Press Alt+Shift+A to go to it.');
});

test('streamed text is never said; its end is', () => {
  const stream = [entry({ kind: 'assistant', id: 'a', text: '', thinking: '', streaming: true }), busy('streaming')];
  assert.deepEqual(said(stream, { type: 'delta', id: 'a', field: 'text', text: 'word' }), { polite: '', assertive: '' });
  assert.equal(said(stream, busy('idle')).polite, 'Answer complete');
});

test('a turn that ends in a notice says the notice', () => {
  const stop = entry({ kind: 'notice', id: 'n', level: 'error', text: 'The key was refused.', actions: [] });
  assert.equal(said([busy('requesting')], stop, busy('idle')).polite, 'The key was refused.');
});

test('another activity is said, another text of the same activity is not', () => {
  assert.equal(said([], busy('waiting', 'Waiting 12 s')).polite, 'Waiting 12 s');
  assert.equal(said([busy('waiting', 'Waiting 12 s')], busy('waiting', 'Waiting 11 s')).polite, '');
});

test('every activity but idle has words of its own', () => {
  const activities: readonly Status['activity'][] = ['requesting', 'streaming', 'deciding', 'asking', 'running', 'waiting', 'stopping'];
  assert.equal(new Set(activities.map((activity) => statusText({ ...idle, activity }))).size, activities.length);
  assert.equal(statusText(idle), '');
});

test('the steps of a turn are not said one by one: that it began, waits and is being stopped is', () => {
  assert.equal(said([], busy('requesting', 'Waiting for the model')).polite, 'Waiting for the model');
  for (const next of ['streaming', 'running', 'requesting', 'asking'] as const) assert.equal(said([busy('deciding')], busy(next, 'x')).polite, '', next);
  for (const next of ['waiting', 'stopping'] as const) assert.equal(said([busy('running')], busy(next, next)).polite, next);
});

test('a call that the person asked for says how it ended, and a queued message below it hides that not', () => {
  const queued = entry({ kind: 'user', id: 'q', text: 'later', images: [], queued: 'after-turn', canUndoSince: false });
  assert.equal(said([busy('running'), entry({ ...asking, status: 'done', summary: '1 edit' }), queued], busy('idle')).polite, 'Edit a: 1 edit');
});

test('a plan is said once when it changes, with what is being done', () => {
  const plan = (done: 'done' | 'active'): ChatEvent => ({ type: 'plan', plan: [{ text: 'Read the store', status: done }, { text: 'Change it', status: done === 'done' ? 'active' : 'pending' }] });
  assert.equal(said([], plan('active')).polite, 'Plan: 0 of 2 done. Now: Read the store');
  assert.equal(said([plan('active')], plan('active')).polite, '');
  assert.equal(said([plan('active')], plan('done')).polite, 'Plan: 1 of 2 done. Now: Change it');
  assert.equal(said([plan('done')], { type: 'plan', plan: [] }).polite, '');
});

test('that the session goes on in another window is said', () => {
  assert.equal(said([], { type: 'status', status: { ...idle, readOnly: true } }).polite, 'This session goes on in another window.');
});

test('a call of the person\'s own that ended before anything was drawn is said too, once', () => {
  const failed: CallEntry = { ...asking, tool: 'undo_changes', title: 'Undo changes of a', status: 'failed', summary: 'cannot be undone' };
  const words = 'Undo changes of a: cannot be undone';
  assert.equal(said([], entry({ ...failed, status: 'waiting', summary: '' }), busy('running'), entry(failed), busy('idle')).polite, words);
  assert.equal(said([entry({ ...failed, status: 'waiting', summary: '' })], entry(failed)).polite, words);
  assert.equal(said([entry(failed)], entry({ ...failed, canUndo: true })).polite, '');
  assert.equal(said([], entry({ ...failed, status: 'waiting', summary: '' })).polite, '');
});
