import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelFailure } from '../../../extension/model/model-client.ts';
import { maxTries, retryWaitMs, waitOut } from '../../../extension/model/retry.ts';

const busy: ModelFailure = { kind: 'busy', message: '', retryable: true };

test('what cannot pass by waiting is not requested again', () => {
  assert.equal(retryWaitMs({ ...busy, kind: 'key', retryable: false }, 1, 0), null);
});

test('after the last try there is no other', () => {
  assert.notEqual(retryWaitMs(busy, maxTries - 1, 0), null);
  assert.equal(retryWaitMs(busy, maxTries, 0), null);
});

test('what the server said to wait is waited, up to a minute', () => {
  assert.equal(retryWaitMs({ ...busy, retryAfterMs: 12_000 }, 1, 0.9), 12_000);
  assert.equal(retryWaitMs({ ...busy, retryAfterMs: 3_600_000 }, 1, 0.9), 60_000);
});

test('else waits double, between half and the whole of each', () => {
  assert.deepEqual([1, 2, 3, 4].map((tried) => retryWaitMs(busy, tried, 0)), [500, 1000, 2000, 4000]);
  assert.deepEqual([1, 2, 3, 4].map((tried) => retryWaitMs(busy, tried, 0.5)), [750, 1500, 3000, 6000]);
});

test('a wait reports each second that is left', async () => {
  const left: number[] = [];
  const slept: number[] = [];
  await waitOut(2500, (ms) => { slept.push(ms); return Promise.resolve(); }, new AbortController().signal, (seconds) => left.push(seconds));
  assert.deepEqual(left, [3, 2, 1]);
  assert.deepEqual(slept, [1000, 1000, 500]);
});

test('a wait ends with the signal', async () => {
  const controller = new AbortController();
  const left: number[] = [];
  await waitOut(60_000, () => { controller.abort(); return Promise.resolve(); }, controller.signal, (seconds) => left.push(seconds));
  assert.deepEqual(left, [60]);
});
