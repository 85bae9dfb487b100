import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readErrorBody } from '../../../extension/model/error-body.ts';

test('of a page its words are said, without tags, styles and scripts', () => {
  const page = '<html><head><STYLE>p { color: red }</STYLE><script>if (a < b) go();</script></head><body><h1 class="x">502</h1>Bad gateway</body></html>';
  assert.equal(readErrorBody(page).detail.replace(/\s+/g, ' ').trim(), '502 Bad gateway');
});

test('a page that is made to be slow to read is not', () => {
  const start = process.cpuUsage();
  for (const page of ['<', '<style', '<script><style>', '<style></']) readErrorBody(page.repeat(30_000));
  assert.ok(process.cpuUsage(start).user < 1_000_000);
});
