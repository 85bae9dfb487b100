import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Models } from '../../../../webview/protocol/state.ts';
import { initialState } from '../../../../webview/state/chat-state.ts';
import type { Draft } from '../../../../webview/state/drafts.ts';
import { hindranceOf, hindranceText, maxMessage, type Hindrance } from '../../../../webview/state/sending.ts';

const { status } = initialState;
const choice = { id: 'm', label: 'qwen', detail: 'this machine', images: false, demonstration: false };
const blind: Models = { choices: [choice], current: 'm' };
const seeing: Models = { choices: [{ ...choice, images: true }], current: 'm' };
const none: Models = { choices: [], current: null };
const draft = (text: string, images = 0): Draft => ({ text, images: Array.from({ length: images }, (_, n) => ({ id: `${n}`, label: '', mediaType: 'image/png', base64: 'AAAA', thumbnail: '' })) });

test('what can be sent is, images alone too', () => {
  assert.equal(hindranceOf({ connected: true, draft: draft('go'), status, models: blind, reading: 0 }), null);
  assert.equal(hindranceOf({ connected: true, draft: draft('', 1), status, models: seeing, reading: 0 }), null);
});

test('each thing that is in the way has a name', () => {
  const cases: readonly (readonly [Hindrance, Hindrance | null])[] = [
    ['starting', hindranceOf({ connected: false, draft: draft('go'), status, models: none, reading: 0 })],
    ['read-only', hindranceOf({ connected: true, draft: draft('go'), status: { ...status, readOnly: true }, models: blind, reading: 0 })],
    ['reading', hindranceOf({ connected: true, draft: draft('go'), status, models: blind, reading: 1 })],
    ['nothing', hindranceOf({ connected: true, draft: draft(' \n'), status, models: blind, reading: 0 })],
    ['no-model', hindranceOf({ connected: true, draft: draft('go'), status, models: none, reading: 0 })],
    ['no-images', hindranceOf({ connected: true, draft: draft('go', 1), status, models: blind, reading: 0 })],
    ['no-images', hindranceOf({ connected: true, draft: draft('go', 1), status, models: { choices: [], current: 'gone' }, reading: 0 })],
    ['too-long', hindranceOf({ connected: true, draft: draft('x'.repeat(maxMessage + 1)), status, models: blind, reading: 0 })],
  ];
  for (const [expected, found] of cases) assert.equal(found, expected);
  assert.equal(hindranceText('no-images', blind), 'qwen reads no images. Remove them, or choose another model.');
});
