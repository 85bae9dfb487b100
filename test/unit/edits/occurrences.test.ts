import assert from 'node:assert/strict';
import { test } from 'node:test';
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
