import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { RealPath } from '../../../extension/boundary/effect.ts';
import { CodedError, type ErrorCode } from '../../../extension/boundary/error-codes.ts';
import { makeAll } from '../../../extension/edits/change.ts';
import { placeNew } from '../../../extension/edits/place-new.ts';
import { diskWrite, type PlannedWrite } from '../../../extension/edits/write-disk.ts';
import { writeFileExactly } from '../../../extension/edits/write-file.ts';

let folder = '';
beforeEach(async () => { folder = await realpath(await mkdtemp(join(tmpdir(), 'write-'))); });
afterEach(async () => { await rm(folder, { recursive: true, force: true }); });

let names = 0;
const random = (): string => `t${names += 1}`;
const at = (...parts: readonly string[]): RealPath => join(folder, ...parts) as RealPath;

interface Plan {
  readonly path: RealPath;
  readonly base: string | null;
  readonly text: string;
  readonly recheck?: () => Promise<void> | void;
}

function plan({ path, base, text, recheck = () => {} }: Plan): PlannedWrite {
  const baseBytes = base === null ? null : Buffer.from(base);
  return { path, base: baseBytes === null ? 'absent' : sha256(baseBytes), baseBytes, bytes: Buffer.from(text), recheck, random };
}

/** Runs on the second check, the last one before the file gets its name. */
function atLastCheck(act: () => Promise<void>): () => Promise<void> {
  let checks = 0;
  return async () => {
    checks += 1;
    if (checks === 2) await act();
  };
}

async function refused(work: Promise<void>, code: ErrorCode, says: RegExp): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof CodedError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, says);
    return true;
  });
}

async function leftovers(): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => name.includes('.countersign-'));
}

test('a file gets exactly the new bytes, and keeps its mode bits', async () => {
  await writeFile(at('a'), 'old');
  await chmod(at('a'), 0o4751);
  await writeFileExactly(plan({ path: at('a'), base: 'old', text: 'new\r\n\uFEFF' }));
  assert.equal(await readFile(at('a'), 'utf8'), 'new\r\n\uFEFF');
  assert.equal((await stat(at('a'))).mode & 0o7777, 0o4751);
  assert.deepEqual(await readdir(folder), ['a']);
});

test('a new file is made with its folders', async () => {
  await writeFileExactly(plan({ path: at('x', 'y', 'a'), base: null, text: '' }));
  assert.equal(await readFile(at('x', 'y', 'a'), 'utf8'), '');
  assert.deepEqual(await readdir(at('x', 'y')), ['a']);
});

test('a file that changed since it was signed is left as it is, its time too', async () => {
  await writeFile(at('a'), 'newer');
  await utimes(at('a'), 1000, 1000);
  await refused(writeFileExactly(plan({ path: at('a'), base: 'old', text: 'new' })), 'STALE_PERMIT', /content of .*a changed/);
  assert.equal(await readFile(at('a'), 'utf8'), 'newer');
  assert.equal((await stat(at('a'))).mtimeMs, 1_000_000);
  assert.deepEqual(await leftovers(), []);
});

interface Race {
  readonly name: string;
  readonly base: string | null;
  readonly file?: readonly string[];
  readonly act: () => Promise<void>;
  readonly says: RegExp;
  readonly after: () => Promise<void>;
}

const races: readonly Race[] = [
  {
    name: 'its content changes', base: 'old', says: /content of .* changed/,
    act: () => writeFile(at('d', 'a'), 'typed meanwhile'),
    after: async () => assert.equal(await readFile(at('d', 'a'), 'utf8'), 'typed meanwhile'),
  },
  {
    name: 'it disappears', base: 'old', says: /is gone/,
    act: () => unlink(at('d', 'a')),
    after: async () => assert.deepEqual(await readdir(at('d')), []),
  },
  {
    name: 'it becomes a link to the same content', base: 'old', says: /now it is a link/,
    act: async () => {
      await writeFile(at('elsewhere'), 'old');
      await unlink(at('d', 'a'));
      await symlink(at('elsewhere'), at('d', 'a'));
    },
    after: async () => assert.equal(await readFile(at('elsewhere'), 'utf8'), 'old'),
  },
  {
    name: 'it becomes a folder', base: 'old', says: /now it is a folder/,
    act: async () => {
      await unlink(at('d', 'a'));
      await mkdir(at('d', 'a'));
    },
    after: async () => assert.ok((await lstat(at('d', 'a'))).isDirectory()),
  },
  {
    name: 'its folder becomes a link', base: 'old', says: /folder .* now leads to/,
    act: async () => {
      await mkdir(at('other'));
      await writeFile(at('other', 'a'), 'old');
      await rename(at('d'), at('moved'));
      await symlink(at('other'), at('d'));
    },
    after: async () => {
      assert.equal(await readFile(at('other', 'a'), 'utf8'), 'old');
      assert.equal(await readFile(at('moved', 'a'), 'utf8'), 'old');
    },
  },
  {
    name: 'its folder disappears', base: 'old', says: /folder .* is gone/,
    act: () => rename(at('d'), at('moved')),
    after: async () => assert.equal(await readFile(at('moved', 'a'), 'utf8'), 'old'),
  },
  {
    name: 'a file comes to stand where there was none', base: null, says: /now a file stands there/,
    act: () => writeFile(at('d', 'a'), 'theirs'),
    after: async () => assert.equal(await readFile(at('d', 'a'), 'utf8'), 'theirs'),
  },
  {
    name: 'a link to nothing comes to stand where there was none', base: null, says: /now a link stands there/,
    act: () => symlink(at('nowhere'), at('d', 'a')),
    after: async () => assert.ok((await lstat(at('d', 'a'))).isSymbolicLink()),
  },
  {
    name: 'a folder of a new file becomes a link', base: null, file: ['d', 'new', 'a'], says: /folder .* now leads to/,
    act: async () => {
      await mkdir(at('other'));
      await rename(at('d', 'new'), at('moved'));
      await symlink(at('other'), at('d', 'new'));
    },
    after: async () => assert.deepEqual(await readdir(at('other')), []),
  },
];

for (const { name, base, file = ['d', 'a'], act, says, after } of races) {
  test(`nothing is written where, at the last moment, ${name}`, async () => {
    await mkdir(at('d'));
    if (base !== null) await writeFile(at(...file), base);
    await refused(writeFileExactly(plan({ path: at(...file), base, text: 'new', recheck: atLastCheck(act) })), 'STALE_PERMIT', says);
    await after();
    if (process.platform === 'linux' || !says.source.includes('folder')) assert.deepEqual(await leftovers(), []);
  });
}

test('a check of the caller stops the write, at first and at last', async () => {
  await writeFile(at('a'), 'old');
  const stop = (): never => { throw new CodedError('STALE_PERMIT', 'the policy became stricter'); };
  await refused(writeFileExactly(plan({ path: at('a'), base: 'old', text: 'new', recheck: stop })), 'STALE_PERMIT', /stricter/);
  await refused(writeFileExactly(plan({ path: at('a'), base: 'old', text: 'new', recheck: atLastCheck(async () => stop()) })), 'STALE_PERMIT', /stricter/);
  assert.equal(await readFile(at('a'), 'utf8'), 'old');
  assert.deepEqual(await leftovers(), []);
});

test('folders that were made for a file that does not land are removed, and no others', async () => {
  await mkdir(at('kept'));
  const stop = atLastCheck(async () => { throw new CodedError('STALE_PERMIT', 'no'); });
  await refused(writeFileExactly(plan({ path: at('kept', 'x', 'y', 'a'), base: null, text: 'new', recheck: stop })), 'STALE_PERMIT', /no/);
  assert.deepEqual(await readdir(folder, { recursive: true }), ['kept']);
});

test('what the file system refuses is said with what to do, and leaves nothing', async () => {
  await writeFile(at('file'), 'x');
  await refused(writeFileExactly(plan({ path: at('file', 'a'), base: null, text: 'new' })), 'FS_REFUSED', /is a file, not a folder/);
  await refused(writeFileExactly(plan({ path: at('n'.repeat(300)), base: null, text: 'new' })), 'FS_REFUSED', /too long/);
  await chmod(at('file'), 0o444);
  await refused(writeFileExactly(plan({ path: at('file'), base: 'x', text: 'new' })), 'FS_REFUSED', /read-only.*writable/);
  assert.equal(await readFile(at('file'), 'utf8'), 'x');
  assert.deepEqual(await readdir(folder), ['file']);
});

test('a staged file never takes a name that is taken, and is copied where there are no hard links', async () => {
  const unsupported = (): Promise<void> => Promise.reject(Object.assign(new Error('no links here'), { code: 'EPERM' }));
  for (const makeLink of [undefined, unsupported]) {
    await writeFile(at('staged'), 'mine');
    await writeFile(at('taken'), 'theirs');
    await refused(placeNew(at('staged'), at('taken'), makeLink), 'STALE_PERMIT', /now something stands there/);
    assert.equal(await readFile(at('taken'), 'utf8'), 'theirs');
    await placeNew(at('staged'), at('free'), makeLink);
    assert.equal(await readFile(at('free'), 'utf8'), 'mine');
    assert.deepEqual((await readdir(folder)).toSorted(), ['free', 'taken']);
    await unlink(at('free'));
  }
});

test('several files are all written', async () => {
  await writeFile(at('a'), '1');
  await makeAll([plan({ path: at('a'), base: '1', text: '2' }), plan({ path: at('new', 'b'), base: null, text: '3' }), plan({ path: at('new', 'c'), base: null, text: '4' })].map(diskWrite));
  assert.deepEqual(await Promise.all(['a', 'new/b', 'new/c'].map((name) => readFile(at(name), 'utf8'))), ['2', '3', '4']);
  assert.deepEqual(await leftovers(), []);
});

test('where one of several does not fit, none is touched', async () => {
  await writeFile(at('a'), '1');
  await utimes(at('a'), 1000, 1000);
  await writeFile(at('b'), 'changed');
  await refused(makeAll([plan({ path: at('a'), base: '1', text: '2' }), plan({ path: at('b'), base: '1', text: '2' })].map(diskWrite)), 'STALE_PERMIT', /content of .*b changed/);
  assert.equal((await stat(at('a'))).mtimeMs, 1_000_000);
  assert.deepEqual(await readdir(folder), ['a', 'b']);
});

test('where one of several cannot be staged, none is touched and no folder stays', async () => {
  await writeFile(at('a'), '1');
  await refused(makeAll([plan({ path: at('a'), base: '1', text: '2' }), plan({ path: at('x', 'b'), base: null, text: '2' }), plan({ path: at('x', 'n'.repeat(300)), base: null, text: '2' })].map(diskWrite)), 'FS_REFUSED', /too long/);
  assert.equal(await readFile(at('a'), 'utf8'), '1');
  assert.deepEqual(await readdir(folder), ['a']);
});

/** In a group as well: the first check comes before anything is staged, the second before the file lands. */
function whenLanding(act: () => Promise<void>): () => Promise<void> {
  return atLastCheck(act);
}

test('where one fails after others have landed, those are put back, mode and absence too', async () => {
  await writeFile(at('a'), '1');
  await chmod(at('a'), 0o640);
  await writeFile(at('c'), '1');
  const work = makeAll([
    plan({ path: at('a'), base: '1', text: '2' }),
    plan({ path: at('x', 'b'), base: null, text: '2' }),
    plan({ path: at('c'), base: '1', text: '2', recheck: whenLanding(() => writeFile(at('c'), 'theirs')) }),
    plan({ path: at('x', 'd'), base: null, text: '2' }),
  ].map(diskWrite));
  await refused(work, 'STALE_PERMIT', /content of .*c changed.*put back as they were/s);
  assert.deepEqual(await readdir(folder), ['a', 'c']);
  assert.equal(await readFile(at('a'), 'utf8'), '1');
  assert.equal((await stat(at('a'))).mode & 0o777, 0o640);
  assert.equal(await readFile(at('c'), 'utf8'), 'theirs');
});

test('what cannot be put back, since someone changed it meanwhile, is named and left to them', async () => {
  await writeFile(at('a'), '1');
  await writeFile(at('b'), '1');
  const meddle = async (): Promise<void> => {
    await writeFile(at('a'), 'theirs');
    await writeFile(at('b'), 'theirs');
  };
  await refused(makeAll([plan({ path: at('a'), base: '1', text: '2' }), plan({ path: at('b'), base: '1', text: '2', recheck: whenLanding(meddle) })].map(diskWrite)), 'STALE_PERMIT', /not put back: .*\/a /s);
  assert.equal(await readFile(at('a'), 'utf8'), 'theirs');
  assert.deepEqual(await leftovers(), []);
});

test('a new file that someone filled meanwhile is not taken away again', async () => {
  await writeFile(at('b'), '1');
  const meddle = async (): Promise<void> => {
    await writeFile(at('x', 'new'), 'theirs');
    await writeFile(at('b'), 'theirs');
  };
  await refused(makeAll([plan({ path: at('x', 'new'), base: null, text: '2' }), plan({ path: at('b'), base: '1', text: '2', recheck: whenLanding(meddle) })].map(diskWrite)), 'STALE_PERMIT', /not put back: .*new /s);
  assert.equal(await readFile(at('x', 'new'), 'utf8'), 'theirs');
});

test('a folder that was made for several files goes with the last of them', async () => {
  const stop = whenLanding(async () => { throw new CodedError('STALE_PERMIT', 'no'); });
  await refused(makeAll([plan({ path: at('x', 'a'), base: null, text: '1', recheck: stop }), plan({ path: at('x', 'b'), base: null, text: '1' })].map(diskWrite)), 'STALE_PERMIT', /no/);
  assert.deepEqual(await readdir(folder), []);
});

test('one file twice, or base bytes that are not the signed ones, are refused before anything is written', async () => {
  await writeFile(at('a'), '1');
  await refused(makeAll([plan({ path: at('a'), base: '1', text: '2' }), plan({ path: at('a'), base: '1', text: '3' })].map(diskWrite)), 'EDIT_INVALID', /twice/);
  await refused(makeAll([{ ...plan({ path: at('a'), base: '1', text: '2' }), baseBytes: Buffer.from('other') }].map(diskWrite)), 'EDIT_INVALID', /base bytes/);
  assert.equal(await readFile(at('a'), 'utf8'), '1');
});
