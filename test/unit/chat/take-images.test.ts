import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeImages } from '../../../extension/chat/take-images.ts';
import { MemoryObjectStore } from '../../../extension/files/object-store.ts';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { SentImage } from '../../../webview/protocol/messages.ts';

const thumbnail = 'data:image/png;base64,AAAA';
const begins = { 'image/png': '\x89PNG\r\n\x1a\n…', 'image/jpeg': '\xff\xd8\xff\xe0', 'image/gif': 'GIF89a…', 'image/webp': 'RIFF\0\0\0\0WEBPVP8 ' } as const;
const bytesOf = (type: SentImage['mediaType']): Buffer => Buffer.from(begins[type], 'latin1');
const sent = (mediaType: SentImage['mediaType'], bytes = bytesOf(mediaType)): SentImage => ({ mediaType, base64: bytes.toString('base64'), thumbnail });
const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

for (const type of types) {
  test(`an ${type} is kept by its bytes, and by no other name`, async () => {
    const objects = new MemoryObjectStore();
    const bytes = bytesOf(type);
    assert.deepEqual(await takeImages([sent(type)], objects), [{ digest: sha256(bytes), mediaType: type, bytes: bytes.length, thumbnail }]);
    assert.deepEqual(await objects.get(sha256(bytes)), Uint8Array.from(bytes));
    for (const other of types) if (other !== type) assert.ok('refused' in await takeImages([sent(other, bytes)], objects));
  });
}

test('a store that is full refuses the message, and says why', async () => {
  const full = { put: () => Promise.reject(new Error('no space left on device')), get: () => Promise.resolve(null) };
  const refused = await takeImages([sent('image/png')], full);
  assert.ok('refused' in refused && refused.refused.includes('no space left on device'));
});
