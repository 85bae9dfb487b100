import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { RealPath } from '../../../extension/boundary/effect.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { type Change, makeAll } from '../../../extension/edits/change.ts';
import { foreignDeletion, foreignWrite } from '../../../extension/edits/write-foreign.ts';
import { MemoryFiles } from '../files/memory-files.ts';

const folder = 'memfs://host/app';
const at = (name: string): RealPath => `${folder}/${name}` as RealPath;
const filesOf = (files: Readonly<Record<string, string>>): MemoryFiles => new MemoryFiles([folder], Object.fromEntries(Object.entries(files).map(([name, text]) => [at(name), text])));

/** A write of this text over that one; null where there is none. */
function write(files: MemoryFiles, name: string, before: string | null, after: string): Change {
  const baseBytes = before === null ? null : Buffer.from(before);
  return foreignWrite({ path: at(name), base: baseBytes === null ? 'absent' : sha256(baseBytes), baseBytes, bytes: Buffer.from(after), recheck: () => {} }, files);
}

function deletion(files: MemoryFiles, name: string, before: string): Change {
  return foreignDeletion({ path: at(name), base: sha256(Buffer.from(before)), baseBytes: Buffer.from(before), recheck: () => {} }, files);
}

async function failure(work: Promise<void>): Promise<string> {
  const error = await work.then(() => null, (cause: unknown) => cause);
  assert.ok(error instanceof CodedError, String(error));
  return `${error.code}: ${error.message}`;
}

suite('changes off the disk', () => {
  test('several land together, in folders that did not exist too', async () => {
    const files = filesOf({ 'a.txt': 'one', 'b.txt': 'two' });
    const stand: string[] = [];
    await makeAll([write(files, 'a.txt', 'one', '1'), write(files, 'deep/er/new.txt', null, 'new'), deletion(files, 'b.txt', 'two')], (path) => stand.push(path));
    assert.deepEqual(files.all(), { [at('a.txt')]: '1', [at('deep/er/new.txt')]: 'new' });
    assert.deepEqual(stand, [at('a.txt'), at('deep/er/new.txt'), at('b.txt')]);
  });

  test('what is not as it was signed any more is left as it is, and nothing else is changed', async () => {
    const cases: readonly (readonly [string, (files: MemoryFiles) => void])[] = [
      ['The content of memfs://host/app/b.txt changed', (files) => files.files.set(at('b.txt'), Buffer.from('typed'))],
      ['memfs://host/app/b.txt is gone', (files) => files.files.delete(at('b.txt'))],
      ['memfs://host/app/new.txt was absent', (files) => files.files.set(at('new.txt'), Buffer.from(''))],
      ['memfs://host/app/new.txt was absent', (files) => files.emptyFolders.add(at('new.txt'))],
    ];
    for (const [why, move] of cases) {
      const files = filesOf({ 'a.txt': 'one', 'b.txt': 'two' });
      const changes = [write(files, 'a.txt', 'one', '1'), deletion(files, 'b.txt', 'two'), write(files, 'new.txt', null, 'new')];
      move(files);
      const world = files.all();
      assert.match(await failure(makeAll(changes)), new RegExp(`^STALE_PERMIT: ${why}`));
      assert.deepEqual(files.all(), world, why);
    }
  });

  test('what changes between the first look and the write is seen: the base is compared right before', async () => {
    const files = filesOf({ 'a.txt': 'one', 'b.txt': 'two' });
    const { land } = files;
    files.land = (path, bytes) => {
      land(path, bytes);
      if (path === at('a.txt') && Buffer.from(bytes ?? []).toString() === '1') files.files.set(at('b.txt'), Buffer.from('typed'));
    };
    assert.match(await failure(makeAll([write(files, 'a.txt', 'one', '1'), write(files, 'b.txt', 'two', '2')])), /^STALE_PERMIT: .*b\.txt changed.* were put back as they were: nothing was changed\./);
    assert.deepEqual(files.all(), { [at('a.txt')]: 'one', [at('b.txt')]: 'typed' });
  });

  test('the last of several fails: a new file is deleted again, a changed one is as it was, a deleted one is there again', async () => {
    const files = filesOf({ 'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'three' });
    const { land } = files;
    files.land = (path, bytes) => {
      if (path === at('c.txt')) throw new CodedError('FS_REFUSED', 'no room');
      land(path, bytes);
    };
    const before = files.all();
    assert.equal(await failure(makeAll([write(files, 'new.txt', null, 'new'), write(files, 'a.txt', 'one', '1'), deletion(files, 'b.txt', 'two'), write(files, 'c.txt', 'three', '3')])),
      'FS_REFUSED: no room The files written before it were put back as they were: nothing was changed.');
    assert.deepEqual(files.all(), before);
  });

  test('what somebody changed after it landed stays theirs, and is named', async () => {
    const files = filesOf({ 'a.txt': 'one', 'c.txt': 'three' });
    const { land } = files;
    files.land = (path, bytes) => {
      if (path !== at('c.txt')) return land(path, bytes);
      files.files.set(at('a.txt'), Buffer.from('typed'));
      throw new CodedError('FS_REFUSED', 'no room');
    };
    assert.match(await failure(makeAll([write(files, 'a.txt', 'one', '1'), write(files, 'c.txt', 'three', '3')])), /^FS_REFUSED: no room Written, and not put back: memfs:\/\/host\/app\/a\.txt \(/);
    assert.equal(files.text(at('a.txt')), 'typed');
  });

  test('a file system that keeps something else than it was given, or nothing, is not believed', async () => {
    const files = filesOf({ 'a.txt': 'one' });
    files.land = (path) => void files.files.set(path, Buffer.from('ONE!'));
    assert.match(await failure(makeAll([write(files, 'a.txt', 'one', '1')])), /^TOOL_FAILED: The file system of memfs:\/\/host\/app\/a\.txt did not do what it was told: now a file of 4 bytes with the digest [0-9a-f]{64} stands there\./);
    files.files.set(at('a.txt'), Buffer.from('one'));
    files.land = () => {};
    assert.match(await failure(makeAll([write(files, 'a.txt', 'one', '1')])), /^TOOL_FAILED: .* now a file of 3 bytes/);
    assert.match(await failure(makeAll([write(files, 'new.txt', null, '1')])), /^TOOL_FAILED: .* now nothing stands there/);
    assert.match(await failure(makeAll([deletion(files, 'a.txt', 'one')])), /^TOOL_FAILED: .* now a file of 3 bytes/);
  });

  test('one that reports a failure, and did what it was told, has done it; one that did half of it has failed', async () => {
    const files = filesOf({ 'a.txt': 'one' });
    files.land = (path, bytes) => {
      files.files.set(path, bytes ?? Buffer.of());
      throw new CodedError('FS_REFUSED', 'the connection was lost');
    };
    await makeAll([write(files, 'a.txt', 'one', '1')]);
    assert.equal(files.text(at('a.txt')), '1');
    files.land = (path, bytes) => {
      files.files.set(path, Buffer.from(bytes ?? []).subarray(0, 1));
      throw new CodedError('FS_REFUSED', 'the connection was lost');
    };
    assert.match(await failure(makeAll([write(files, 'a.txt', '1', '22')])), /^TOOL_FAILED: .*\(the connection was lost\): now a file of 1 bytes/);
  });

  test('nothing is written where the file system or the file is read-only, nor below a file', async () => {
    const files = filesOf({ 'a.txt': 'one', 'b.txt': 'two' });
    files.readOnlyFiles.add(at('a.txt'));
    assert.match(await failure(makeAll([write(files, 'a.txt', 'one', '1')])), /^FS_REFUSED: Cannot write .*the file is read-only/);
    assert.match(await failure(makeAll([write(files, 'b.txt/new.txt', null, '1')])), /^STALE_PERMIT: memfs:\/\/host\/app\/b\.txt is no folder/);
    files.whyReadOnly = 'it is a museum.';
    assert.match(await failure(makeAll([deletion(files, 'b.txt', 'two')])), /^FS_REFUSED: Cannot delete .*: it is a museum\./);
    assert.deepEqual(files.all(), { [at('a.txt')]: 'one', [at('b.txt')]: 'two' });
  });
});
