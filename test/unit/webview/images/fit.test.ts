import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64Length, fitted, maxSide, mediaTypeOf, sizeText } from '../../../../webview/images/fit.ts';

test('an image is made as small as it must be and never larger, and keeps its proportions', () => {
  assert.deepEqual(fitted({ width: 3136, height: 1000 }, maxSide), { width: 1568, height: 500 });
  assert.deepEqual(fitted({ width: 20, height: 10 }, maxSide), { width: 20, height: 10 });
  assert.deepEqual(fitted({ width: 1, height: 90_000 }, maxSide), { width: 1, height: 1568 });
});

test('a type is told by the first bytes', () => {
  const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
  assert.equal(mediaTypeOf(bytes('\x89PNG\r\n')), 'image/png');
  assert.equal(mediaTypeOf(bytes('\xFF\xD8\xFF\xE0')), 'image/jpeg');
  assert.equal(mediaTypeOf(bytes('GIF89a')), 'image/gif');
  assert.equal(mediaTypeOf(bytes('RIFF\0\0\0\0WEBPVP8 ')), 'image/webp');
  for (const other of ['', '<svg', 'BM', 'RIFF\0\0\0\0WAVE']) assert.equal(mediaTypeOf(bytes(other)), null, other);
});

test('sizes are counted as they are sent, and said in words', () => {
  for (const length of [0, 1, 2, 3, 4, 100]) assert.equal(base64Length(length), Buffer.alloc(length).toString('base64').length);
  assert.deepEqual([sizeText(12), sizeText(320_400), sizeText(1_240_000)], ['1 kB', '320 kB', '1.2 MB']);
});
