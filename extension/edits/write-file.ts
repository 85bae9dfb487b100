import { constants, type Stats } from 'node:fs';
import { access, mkdir, open, readlink, rename, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '../files/real-path.ts';
import { refusedByFileSystem } from './fs-refused.ts';
import { placeNew } from './place-new.ts';
import { refuseReadOnly } from './read-only.ts';
import { checkWorld, stale, type SignedBase } from './world-check.ts';

/** One file's write, as it was signed. */
export interface FileWrite extends SignedBase {
  readonly bytes: Uint8Array;
  /** What else must still hold just before the file gets its name; throws where it does not. */
  readonly recheck: () => Promise<void> | void;
  /** A fresh random name part, of letters and digits. */
  readonly random: () => string;
}

/**
 * Lands exactly these bytes at exactly this path, or changes nothing. Mode bits are kept, and the owner where that is permitted.
 * STALE_PERMIT where the world moved since it was signed, FS_REFUSED where the file system refuses. What remains of a race is
 * the time between the last check and the rename.
 */
export async function writeFileExactly(write: FileWrite): Promise<void> {
  await verify(write);
  const staged = await stage(write);
  await land(staged);
}

/** The checks alone, before anything is staged. */
export async function verify(write: FileWrite): Promise<Stats | null> {
  // First what may take its time, then the world, so that as little time as possible passes after the last look.
  await write.recheck();
  return checkWorld(write);
}

/** Bytes that stand in a temporary file beside their target. */
export interface Staged {
  readonly write: FileWrite;
  readonly temporary: string;
  /** Open until it lands: it finds the file again where its folder was moved. */
  readonly file: FileHandle;
  /** Folders made for it, outermost first. */
  readonly folders: readonly string[];
}

export async function stage(write: FileWrite): Promise<Staged> {
  const folders: string[] = [];
  const temporary = join(dirname(write.path), `.countersign-${write.random()}.tmp`);
  let file: FileHandle | null = null;
  try {
    const status = await checkWorld(write);
    await refuseReadOnly(write.path, `write ${write.path}`);
    await makeFolders(dirname(write.path), folders);
    file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, status === null ? 0o666 : 0o600);
    await file.writeFile(write.bytes);
    if (status !== null) await keepOwnerAndMode(file, status);
    await file.sync();
    return { write, temporary, file, folders };
  } catch (error) {
    if (file !== null) await removeStaged(file, temporary);
    await removeFolders(folders);
    throw refusedByFileSystem(error, `write ${write.path}`);
  }
}

/** Checks once more, then gives the staged file its name. Nothing of it is left where that fails. */
export async function land(staged: Staged): Promise<void> {
  const { write, temporary, file } = staged;
  try {
    await verify(write);
    await file.close();
    if (write.base === 'absent') await placeNew(temporary, write.path);
    else await rename(temporary, write.path);
  } catch (error) {
    await discard(staged);
    throw refusedByFileSystem(error, `write ${write.path}`);
  }
  await syncFolder(dirname(write.path));
}

/** Removes what was staged, and the folders that were made for it. */
export async function discard({ file, temporary, folders }: Staged): Promise<void> {
  await removeStaged(file, temporary);
  await removeFolders(folders);
}

async function removeStaged(file: FileHandle, temporary: string): Promise<void> {
  try {
    await unlink(temporary);
  } catch {
    // Its folder was moved away. Linux can say where it is now; elsewhere at least nothing of the text stays behind.
    await file.truncate(0).catch(ignore);
    const moved = await readlink(`/proc/self/fd/${file.fd}`).catch(() => '');
    if (basename(moved) === basename(temporary)) await unlink(moved).catch(ignore);
  }
  await file.close().catch(ignore);
}

async function makeFolders(folder: string, made: string[]): Promise<void> {
  const missing: string[] = [];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    try {
      await access(at, constants.F_OK);
      break;
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      missing.unshift(at);
    }
  }
  for (const at of missing) {
    try {
      await mkdir(at);
    } catch (error) {
      throw errnoOf(error) === 'EEXIST' ? stale(`${basename(at)} now stands in ${dirname(at)}, where there was nothing`) : error;
    }
    made.push(at);
  }
}

export async function removeFolders(folders: readonly string[]): Promise<void> {
  // Only empty ones go: what others put there meanwhile stays.
  for (const folder of folders.toReversed()) await rmdir(folder).catch(ignore);
}

async function keepOwnerAndMode(file: FileHandle, status: Stats): Promise<void> {
  const own = await file.stat();
  // Owner first: a change of owner clears the set-user-id bits.
  if (own.uid !== status.uid || own.gid !== status.gid) await file.chown(status.uid, status.gid).catch(ignore);
  await file.chmod(status.mode & 0o7777);
}

/** So that the new name outlives a power cut; not every system can. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    await handle.sync().catch(ignore);
    await handle.close();
  } catch {
    // The bytes have landed all the same.
  }
}

function ignore(): void {}
