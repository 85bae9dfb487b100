import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import { FileObjectStore, MemoryObjectStore, type ObjectStore } from '../../../extension/files/object-store.ts';

let names = 0;
const random = (): string => `t${++names}`;
const bytes = Buffer.from('what stood there\n');
const digest = sha256(bytes);

async function folderOf(t: TestContext): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), 'countersign-objects-'));
  t.after(() => rm(base, { recursive: true, force: true }));
  return join(base, 'deep', 'objects');
}

const placeIn = (folder: string): string => join(folder, digest.slice(0, 2), digest.slice(2));

const stores: readonly (readonly [string, (t: TestContext) => Promise<ObjectStore>])[] = [
  ['in files', async (t) => new FileObjectStore(await folderOf(t), random)], ['in memory', () => Promise.resolve(new MemoryObjectStore())],
];
for (const [where, make] of stores) {
  test(`objects ${where}: what was put is there by its digest, however often; another is not`, async (t) => {
    const store = await make(t);
    assert.deepEqual([await store.put(bytes), await store.put(bytes)], [digest, digest]);
    assert.equal(Buffer.from(await store.get(digest) ?? []).toString(), 'what stood there\n');
    assert.equal(await store.put(new Uint8Array()), sha256(''));
    assert.deepEqual((await store.get(sha256('')))?.length, 0);
    assert.equal(await store.get(sha256('other')), null);
  });
}

test('an object is one file under its digest, for its owner alone, and nothing else is left behind', async (t) => {
  const folder = await folderOf(t);
  await new FileObjectStore(folder, random).put(bytes);
  const place = placeIn(folder);
  assert.deepEqual(await readFile(place), bytes);
  assert.deepEqual((await readdir(folder, { recursive: true })).sort(), [digest.slice(0, 2), join(digest.slice(0, 2), digest.slice(2))]);
  assert.deepEqual([(await stat(place)).mode & 0o777, (await stat(dirname(place))).mode & 0o777, (await stat(folder)).mode & 0o777], [0o600, 0o700, 0o700]);
});

test('an object that is there is not written again', async (t) => {
  const folder = await folderOf(t);
  await new FileObjectStore(folder, random).put(bytes);
  const { ino } = await stat(placeIn(folder));
  await new FileObjectStore(folder, random).put(bytes);
  assert.equal((await stat(placeIn(folder))).ino, ino);
});

test('an object that was taken away is put there again', async (t) => {
  const folder = await folderOf(t);
  const store = new FileObjectStore(folder, random);
  await store.put(bytes);
  await rm(folder, { recursive: true });
  await store.put(bytes);
  assert.deepEqual(await readFile(placeIn(folder)), bytes);
});

test('a damaged object is not given, and stays; put anew it is whole', async (t) => {
  const folder = await folderOf(t);
  await new FileObjectStore(folder, random).put(bytes);
  await writeFile(placeIn(folder), 'what stood elsewhere');
  const store = new FileObjectStore(folder, random);
  assert.equal(await store.get(digest), null);
  assert.equal(await readFile(placeIn(folder), 'utf8'), 'what stood elsewhere');
  await store.put(bytes);
  assert.deepEqual(Buffer.from(await store.get(digest) ?? []), bytes);
});

test('what cannot be kept is refused with what to do, and leaves nothing', async (t) => {
  const folder = await folderOf(t);
  await mkdir(folder, { recursive: true });
  // Works as root too: a file stands where a folder is needed.
  await writeFile(join(folder, digest.slice(0, 2)), '');
  await assert.rejects(new FileObjectStore(folder, random).put(bytes), (error: Error & { code?: string }) => error.code === 'FS_REFUSED' && /nothing was written.*free disk space/s.test(error.message));
  assert.deepEqual(await readdir(folder), [digest.slice(0, 2)]);
});
