import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goBack, goForward, maxHistory, withSent } from '../../../../webview/state/history.ts';

const history = ['one', 'two', 'three'];

test('going back from an empty composer shows what was sent, newest first, and ends at the oldest', () => {
  const first = goBack(history, null, '');
  const second = goBack(history, first, first?.shown ?? '');
  const third = goBack(history, second, second?.shown ?? '');
  assert.deepEqual([first?.shown, second?.shown, third?.shown], ['three', 'two', 'one']);
  assert.equal(goBack(history, third, 'one'), null);
  assert.equal(goBack([], null, ''), null);
});

test('what has been written or changed is never replaced', () => {
  const first = goBack(history, null, '');
  assert.equal(goBack(history, null, 'half a thought'), null);
  assert.equal(goBack(history, first, 'three, changed'), null);
  assert.equal(goForward(history, first, 'three, changed'), null);
  assert.equal(goForward(history, null, ''), null);
});

test('going forward leads back to the draft that stood there', () => {
  const walk = { at: 1, shown: 'two', draft: ' ' };
  const next = goForward(history, walk, 'two');
  assert.equal(next?.text, 'three');
  assert.deepEqual(goForward(history, next?.walk ?? null, 'three'), { text: ' ', walk: null });
});

test('what is sent twice in a row stands there once, and the history is bounded', () => {
  assert.equal(withSent(history, 'three'), history);
  assert.equal(withSent(history, '  '), history);
  assert.equal(Array.from({ length: 300 }, (_, n) => `${n}`).reduce(withSent, history).length, maxHistory);
});
