import assert from 'node:assert/strict';
import { mkdtemp, open, realpath, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { RealPath } from '../../../extension/boundary/effect.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import type { TextPart } from '../../../extension/boundary/tool-definition.ts';
import { maxFileBytes } from '../../../extension/files/read-bytes.ts';
import { maxPart, maxScan, readPart } from '../../../extension/files/read-part.ts';

let file = '' as RealPath;
before(async () => { file = join(await realpath(await mkdtemp(join(tmpdir(), 'part-'))), 'file') as RealPath; });
after(() => rm(join(file, '..'), { recursive: true, force: true }));

const part = (first: number, last: number, signal = new AbortController().signal): Promise<TextPart | null> => readPart(file, { first, last, signal });
const isCoded = (code: string, said: RegExp) => (error: unknown): boolean => error instanceof CodedError && error.code === code && said.test(error.message);

/** More than is read whole: the start, and what fills it up. */
async function large(start: string | Uint8Array, filling: string): Promise<void> {
  await writeFile(file, start);
  const handle = await open(file, 'a');
  for (let size = 0; size <= maxFileBytes; size += filling.length * 1024) await handle.write(filling.repeat(1024));
  await handle.close();
}

test('a file that can be read whole is not read in parts, and neither is nothing', async () => {
  await writeFile(file, 'one\n');
  assert.equal(await part(1, 1), null);
  await rm(file);
  assert.equal(await part(1, 1), null);
});

test('lines end at LF, CRLF and a lone CR, wherever the file is cut into pieces', async () => {
  // Of a length that puts a CRLF across each boundary between two pieces sooner or later.
  await large('\uFEFFfirst\rsecond\r\n\r\nfourth\n', 'a b c d e\r\n');
  assert.deepEqual((await part(1, 5))?.lines, ['first', 'second', '', 'fourth', 'a b c d e']);
  const rows = Math.ceil((maxFileBytes + 1) / (11 * 1024)) * 1024 + 4;
  assert.deepEqual(await part(rows - 2, rows + 9), { lines: ['a b c d e', 'a b c d e', 'a b c d e'], size: (await stat(file)).size, totalLines: rows });
});

test('a last line without a line end counts, and what follows the last line end does not', async () => {
  await large('', 'x'.repeat(99) + '\n');
  const whole = (await part(1_000_000, 1_000_000))?.totalLines ?? 0;
  const handle = await open(file, 'a');
  await handle.write('the end');
  await handle.close();
  assert.deepEqual([(await part(whole + 1, whole + 1))?.lines, (await part(whole + 2, whole + 2))?.totalLines], [['the end'], whole + 1]);
});

test('what is no text is refused where it is met, and not before', async () => {
  await large(Buffer.from('fine\ngr\xfcn\nbin\0ary\n', 'latin1'), 'x\n');
  assert.deepEqual((await part(1, 1))?.lines, ['fine']);
  await assert.rejects(part(1, 2), isCoded('FS_ENCODING', /Line 2 of .* is not valid UTF-8/));
  await assert.rejects(part(2, 3), isCoded('FS_NOT_TEXT', /NUL byte at offset 13/));
});

test('a line that is longer than can be shown is refused, and one before it is not in the way', async () => {
  await large(`${'x'.repeat(maxPart + 1)}\nshort\n`, 'y\n');
  await assert.rejects(part(1, 1), isCoded('FS_REFUSED', /Line 1 of .* is longer than 1048576 bytes/));
  assert.deepEqual((await part(2, 2))?.lines, ['short']);
});

test('more lines than fit end before the last that was asked for', async () => {
  await large('', `${'x'.repeat(1023)}\n`);
  const found = await part(1, 100_000);
  assert.deepEqual([found?.lines.length, found?.totalLines], [Math.floor(maxPart / 1023), null]);
});

test('no line is looked for beyond the bound', async () => {
  await large('one\n', 'x'.repeat(1024));
  const { size } = await stat(file);
  const handle = await open(file, 'a');
  for (let at = size; at < maxScan; at += 2 ** 20) await handle.write('x'.repeat(2 ** 20));
  await handle.close();
  await truncate(file, maxScan + 1);
  await assert.rejects(part(3, 3), isCoded('FS_REFUSED', /Line 3 of .* lies beyond its first 268435456 bytes/));
});

test('the signal ends it with its reason', async () => {
  await large('one\n', 'x\n');
  const reason = new Error('stopped');
  await assert.rejects(part(1_000_000, 1_000_000, AbortSignal.abort(reason)), reason);
});
