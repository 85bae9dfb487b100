import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptFrom } from '../../../../webview/state/kept.ts';

test('a kept draft is read back, and anything else is no draft', () => {
  assert.deepEqual(keptFrom({ draft: 'half a thought' }), { draft: 'half a thought' });
  for (const value of [undefined, null, 'text', 7, [], {}, { draft: 7 }]) assert.deepEqual(keptFrom(value), { draft: '' });
});
