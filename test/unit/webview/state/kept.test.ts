import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxDrafts, noDrafts } from '../../../../webview/state/drafts.ts';
import { draftsFrom, keptOf, maxKept } from '../../../../webview/state/kept.ts';

test('the drafts of all sessions are read back as they were kept, without their images', () => {
  const image = { id: 'i', label: 'a.png', mediaType: 'image/png', base64: 'AAAA', thumbnail: 'data:image/png;base64,AAAA' } as const;
  const drafts = { ...noDrafts, key: 's2', current: { text: 'half a thought', images: [image] }, others: [{ key: 's1', text: 'another', images: [] }] };
  assert.deepEqual(draftsFrom(JSON.parse(JSON.stringify(keptOf(drafts)))), { ...drafts, current: { text: 'half a thought', images: [] } });
});

test('anything else is no draft', () => {
  for (const value of [undefined, null, 'text', 7, [], {}, { drafts: 7 }, { drafts: [7, null, { key: 's' }, { key: 1, text: 'x' }] }]) assert.deepEqual(draftsFrom(value), noDrafts);
});

test('what is kept is bounded, and the draft that is shown is the last to go', () => {
  const others = Array.from({ length: 100 }, (_, n) => ({ key: `s${n}`, text: 'x'.repeat(90_000), images: [] }));
  const { drafts } = keptOf({ ...noDrafts, key: 's', current: { text: 'mine', images: [] }, others });
  assert.ok(drafts.length <= maxDrafts);
  assert.ok(drafts.reduce((length, { text }) => length + text.length, 0) <= maxKept);
  assert.deepEqual(drafts.at(-1), { key: 's', text: 'mine' });
});
