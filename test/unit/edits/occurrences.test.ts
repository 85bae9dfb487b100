import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { findOccurrences } from '../../../extension/edits/occurrences.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 80 });
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 9 });

test('many patterns at once are found exactly where each is found alone', () => {
  fc.assert(fc.property(text, fc.array(pattern, { minLength: 8, maxLength: 20 }), fc.integer({ min: 1, max: 5 }), (whole, patterns, limit) => {
    assert.deepEqual(findOccurrences(whole, patterns, limit), patterns.map((one) => findOccurrences(whole, [one], limit)[0]));
  }), { numRuns: 1000 });
});

test('overlapping places count, and the limit is said', () => {
  assert.deepEqual(findOccurrences('aaaa', ['aa'], 2), [{ starts: [0, 1], more: true }]);
  assert.deepEqual(findOccurrences('aaaa', ['aa'], 3), [{ starts: [0, 1, 2], more: false }]);
});

test('texts and patterns that are made for it do not take the product of their lengths', { timeout: 60_000 }, async () => {
  // In a worker, which can be ended: the product is hours.
  const worker = new Worker(`
    const { findOccurrences } = await import(${JSON.stringify(new URL('../../../extension/edits/occurrences.ts', import.meta.url).href)});
    const { parentPort } = await import('node:worker_threads');
    const text = 'a'.repeat(2_000_000);
    const alike = Array.from({ length: 900 }, (_, n) => 'a'.repeat(1000) + 'b' + n);
    const nested = Array.from({ length: 900 }, (_, n) => 'a'.repeat(n + 1));
    const found = [['b' + 'a'.repeat(500_000)], ['a'.repeat(500_000)], alike, nested].map((patterns) => findOccurrences(text, patterns, 1000));
    parentPort.postMessage(found.map((all) => all.filter(({ more }) => more).length));
  `, { eval: true });
  try {
    assert.deepEqual(await once(worker, 'message', { signal: AbortSignal.timeout(50_000) }), [[0, 1, 0, 900]]);
  } finally {
    await worker.terminate();
  }
});
