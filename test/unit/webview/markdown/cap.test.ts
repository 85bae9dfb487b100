import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capped, maxLine, maxText } from '../../../../webview/markdown/cap.ts';

test('what anyone writes stays whole', () => {
  const text = `${'a line of some words\n'.repeat(1000)}end`;
  assert.equal(capped(text), text);
});

test('a line of a megabyte is cut, says by how much, and its neighbours stay', () => {
  const text = `before\n${'x'.repeat(1_000_000)}\nafter`;
  assert.equal(capped(text), `before\n${'x'.repeat(maxLine)} … 990,000 more characters not shown\nafter`);
});

test('a text without end is cut, and says by how much', () => {
  const text = 'line\n'.repeat(maxText / 5 + 20);
  assert.ok(capped(text).endsWith('\n\n… 100 more characters not shown'));
});
