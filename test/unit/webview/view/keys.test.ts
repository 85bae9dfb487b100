import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCardShortcut, isPlainEnter } from '../../../../webview/view/keys.ts';

const enter = { key: 'Enter', shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, isComposing: false, keyCode: 13 };

test('Enter sends; with a modifier, or while an input method composes, it does not', () => {
  assert.equal(isPlainEnter(enter), true);
  for (const change of [{ shiftKey: true }, { altKey: true }, { ctrlKey: true }, { metaKey: true }, { isComposing: true }, { keyCode: 229 }, { key: 'a' }]) {
    assert.equal(isPlainEnter({ ...enter, ...change }), false, JSON.stringify(change));
  }
});

test('the way to a card is Alt+Shift+A on every layout, and nothing more or less', () => {
  const keys = { code: 'KeyA', shiftKey: true, altKey: true, ctrlKey: false, metaKey: false };
  assert.equal(isCardShortcut(keys), true);
  for (const change of [{ shiftKey: false }, { altKey: false }, { ctrlKey: true }, { metaKey: true }, { code: 'KeyB' }]) {
    assert.equal(isCardShortcut({ ...keys, ...change }), false, JSON.stringify(change));
  }
});
