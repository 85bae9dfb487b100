import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeAhead } from '../../../../webview/view/type-ahead.ts';

const labels = ['gpt-5', 'gpt-5-mini', 'qwen3', 'claude', 'Add a model…'];

function typing(start: number, ...keys: readonly (readonly [letter: string, at: number])[]): readonly (number | null)[] {
  let state = { letters: '', at: -10_000 };
  let place = start;
  return keys.map(([letter, at]) => {
    const { found, next } = typeAhead(labels, place, state, { letter, at });
    state = next;
    place = found ?? place;
    return found;
  });
}

test('a letter leads to the next item that begins with it, round and round', () => {
  assert.deepEqual(typing(0, ['g', 0], ['g', 2000], ['q', 4000], ['a', 6000]), [1, 0, 2, 4]);
});

test('letters in a row are one word', () => {
  assert.deepEqual(typing(2, ['g', 0], ['p', 100], ['t', 200], ['-', 300], ['5', 400], ['-', 500]), [0, 0, 0, 0, 0, 1]);
});

test('what nothing begins with leads nowhere', () => {
  assert.deepEqual(typing(0, ['z', 0]), [null]);
});
