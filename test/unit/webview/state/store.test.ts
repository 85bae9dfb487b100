import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialState, type ChatState } from '../../../../webview/state/chat-state.ts';
import { createStore } from '../../../../webview/state/store.ts';

function framed(): { readonly schedule: (flush: () => void) => void; readonly frame: () => void; readonly scheduled: () => number } {
  let waiting: (() => void)[] = [];
  let count = 0;
  return {
    schedule: (flush) => { waiting.push(flush); count += 1; },
    frame: () => { const due = waiting; waiting = []; for (const flush of due) flush(); },
    scheduled: () => count,
  };
}

const delta = (text: string) => ({ type: 'delta', id: 'a', field: 'text', text }) as const;
const begin = { type: 'entry', entry: { kind: 'assistant', id: 'a', text: '', thinking: '', streaming: true } } as const;

test('a hundred deltas in one frame are one drawing', () => {
  const frames = framed();
  const store = createStore(initialState, frames.schedule);
  const drawn: ChatState[] = [];
  store.subscribe((state) => drawn.push(state));
  store.queue(begin);
  for (let n = 0; n < 100; n += 1) store.queue(delta('x'));
  assert.equal(drawn.length, 0);
  assert.equal(frames.scheduled(), 1);
  frames.frame();
  assert.equal(drawn.length, 1);
  assert.deepEqual(drawn[0]?.conversation[0]?.entries[0], { kind: 'assistant', id: 'a', text: 'x'.repeat(100), thinking: '', streaming: true });
});

test('what the person does counts at once, after all that had arrived', () => {
  const frames = framed();
  const store = createStore(initialState, frames.schedule);
  store.queue(begin);
  store.queue({ type: 'answerRefused', callId: 'c', why: 'no' });
  store.apply({ type: 'answered', callId: 'c' });
  assert.deepEqual(store.current().replies.get('c'), { state: 'sent' });
  assert.equal(store.current().conversation.length, 1);
});

test('a listener that has left hears nothing, and a frame without news draws nothing', () => {
  const frames = framed();
  const store = createStore(initialState, frames.schedule);
  let heard = 0;
  const leave = store.subscribe(() => { heard += 1; });
  store.queue(delta('to nothing'));
  frames.frame();
  assert.equal(heard, 0);
  leave();
  store.apply(begin);
  assert.equal(heard, 0);
});
