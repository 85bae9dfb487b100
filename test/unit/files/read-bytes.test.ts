import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { RealPath } from '../../../extension/boundary/effect.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { maxFileBytes, readBytes, statOf } from '../../../extension/files/read-bytes.ts';

let base = '';
before(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'bytes-')));
  await mkdir(join(base, 'dir'));
  await writeFile(join(base, 'dir/file'), 'a\0\xff', 'latin1');
  await symlink('file', join(base, 'dir/link'));
  await symlink('dir', join(base, 'to-dir'));
  execFileSync('mkfifo', [join(base, 'pipe')]);
});
after(() => rm(base, { recursive: true, force: true }));

const at = (path: string): RealPath => join(base, path) as RealPath;
const isCoded = (code: string, said: RegExp) => (error: unknown): boolean => error instanceof CodedError && error.code === code && said.test(error.message);

test("a file's bytes come as they are, with their digest", async () => {
  const bytes = Buffer.from('a\0\xff', 'latin1');
  assert.deepEqual(await readBytes(at('dir/file')), { bytes, digest: sha256(bytes) });
  assert.equal((await statOf(at('dir/file')))?.isFile(), true);
});

test('nothing there is null', async () => {
  for (const path of ['none', 'none/deeper']) assert.deepEqual([await readBytes(at(path)), await statOf(at(path))], [null, null]);
});

test('what lies below a file is refused as such', async () => {
  for (const path of ['dir/file/x', 'dir/file/x/y']) {
    await assert.rejects(readBytes(at(path)), isCoded('FS_NOT_FOUND', /a part of the path is a file/));
    await assert.rejects(statOf(at(path)), isCoded('FS_NOT_FOUND', /a part of the path is a file/));
  }
});

test('a link is not followed: the path was real when it was judged', async () => {
  await assert.rejects(readBytes(at('dir/link')), isCoded('FS_REFUSED', /neither a file nor a folder/));
});

test('a folder on the way that is a link is noticed', async () => {
  await assert.rejects(readBytes(at('to-dir/file')), isCoded('STALE_PERMIT', /replaced by a link/));
});

test('a folder, a pipe, a socket and a device are refused without being opened', async (t) => {
  const server = createServer().listen(at('socket'));
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  await assert.rejects(readBytes(at('dir')), isCoded('FS_REFUSED', /is a folder, not a file/));
  for (const path of [at('pipe'), at('socket'), '/dev/null' as RealPath]) await assert.rejects(readBytes(path), isCoded('FS_REFUSED', /not opened/));
});

test('a file over the cap is refused by its size; one at the cap is read', async () => {
  await writeFile(at('large'), '');
  await truncate(at('large'), maxFileBytes + 1);
  await assert.rejects(readBytes(at('large')), isCoded('FS_REFUSED', /has 20971521 bytes; at most 20971520 \(20 MiB\) are read whole/));
  await truncate(at('large'), maxFileBytes);
  assert.equal((await readBytes(at('large')))?.bytes.length, maxFileBytes);
});

test('a file that has no size and does not end is refused once it gave too much', { skip: !existsSync('/proc/self/pagemap') && 'no such file there' }, async () => {
  await assert.rejects(readBytes(`/proc/${process.pid}/pagemap` as RealPath), isCoded('FS_REFUSED', /gives more than 20971520 bytes/));
  assert.match(Buffer.from((await readBytes(`/proc/${process.pid}/status` as RealPath))?.bytes ?? []).toString(), /^Name:/);
});
