import { constants, type Stats } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CodedError } from '../boundary/error-codes.ts';
import type { RealPath } from '../boundary/effect.ts';
import { isForeign } from '../boundary/foreign-path.ts';
import { type ForeignFiles, noForeignFiles } from '../files/foreign-files.ts';
import { errnoOf } from '../files/real-path.ts';
import { refusedByFileSystem } from './fs-refused.ts';

/**
 * Throws FS_REFUSED where a write of this path is known to fail: the file or the folder that it stands in (or would be made in) is
 * read-only. A rename replaces a read-only file without asking; whoever made it read-only did not want that.
 */
export async function refuseReadOnly(path: RealPath, action: string, foreign: ForeignFiles = noForeignFiles): Promise<void> {
  if (isForeign(path)) return refuseForeign(path, action, foreign);
  const status = await statusOf(path);
  if (status !== null) await refuse(path, status, 'the file', action);
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const above = await statusOf(folder);
    if (above !== null) return refuse(folder, above, `the folder ${folder}`, action);
    if (dirname(folder) === folder) return;
  }
}

async function refuseForeign(path: RealPath, action: string, foreign: ForeignFiles): Promise<void> {
  const why = foreign.readOnly(path);
  if (why !== null) throw new CodedError('FS_REFUSED', `Cannot ${action}: ${why}`);
  if ((await foreign.status(path))?.readOnly === true) throw new CodedError('FS_REFUSED', `Cannot ${action}: the file is read-only. Ask the user to make it writable first, or choose another place.`);
}

async function refuse(path: string, { mode }: Stats, what: string, action: string): Promise<void> {
  // The mode speaks also to whom the system lets pass: as an administrator everything is writable.
  if ((mode & 0o222) === 0) throw new CodedError('FS_REFUSED', `Cannot ${action}: ${what} is read-only. Ask the user to make it writable first, or choose another place.`);
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw refusedByFileSystem(error, action);
  }
}

async function statusOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}
