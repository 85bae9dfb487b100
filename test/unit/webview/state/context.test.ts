import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillOf, percent } from '../../../../webview/state/context.ts';

const fill = (used: number, limit: number) => fillOf({ used, limit, parts: [], cachedShare: null });

test('the meter is calm below 80 %, high from there, full near its end', () => {
  assert.deepEqual([0, 79, 80, 94, 95, 120].map((used) => fill(used, 100).level), ['calm', 'calm', 'high', 'high', 'full', 'full']);
  assert.equal(fill(0, 0).share, 0);
  assert.equal(fill(1, 0).level, 'full');
});

test('a share is said in whole percents, and a little is not said to be nothing', () => {
  assert.deepEqual([0, 0.004, 0.37, 1].map(percent), ['0 %', '< 1 %', '37 %', '100 %']);
});
