import { lstat, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Stats } from 'node:fs';
import { CodedError } from '../boundary/error-codes.ts';
import { sha256 } from '../boundary/digest.ts';
import type { Digest, RealPath } from '../boundary/effect.ts';
import { maxFileBytes, openFile, upTo } from '../files/read-bytes.ts';
import { errnoOf } from '../files/real-path.ts';
import { refusedByFileSystem } from './fs-refused.ts';

/** What was signed of a file: its real path, and its content or that it is not there. */
export interface SignedBase {
  readonly path: RealPath;
  readonly base: Digest | 'absent';
}

/**
 * That the world is still as signed: the folder is the same real folder, and the file still has exactly the signed content
 * (or is still absent). STALE_PERMIT says what moved. Gives the file's status, or null for an absent one.
 */
export async function checkWorld({ path, base }: SignedBase): Promise<Stats | null> {
  await checkFolder(path, base);
  const status = await statusOf(path);
  if (base === 'absent') {
    if (status !== null) throw stale(`${path} was absent when this was signed; now ${kindOf(status)} stands there`);
    return null;
  }
  if (status === null) throw stale(`${path} is gone`);
  if (!status.isFile()) throw stale(`${path} was a file when this was signed; now it is ${kindOf(status)}`);
  if (await contentDigest(path) !== base) throw stale(`The content of ${path} changed after this was signed`);
  return status;
}

async function checkFolder(path: RealPath, base: SignedBase['base']): Promise<void> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      const real = await realpath(folder);
      if (real !== folder) throw stale(`The folder ${folder} now leads to ${real}`);
      return;
    } catch (error) {
      if (error instanceof CodedError) throw error;
      if (errnoOf(error) !== 'ENOENT') throw refusedByFileSystem(error, `write ${path}`);
      if (base !== 'absent') throw stale(`The folder ${folder} is gone`);
      // A link whose target is missing has no real path, yet something stands there.
      if (await statusOf(folder) !== null) throw stale(`The folder ${folder} is now a link to nothing`);
    }
  }
}

async function statusOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw refusedByFileSystem(error, `look at ${path}`);
  }
}

/** null where it has more bytes than any file that can be signed: one that has grown since, or that never ends. */
export async function contentDigest(path: string): Promise<Digest | null> {
  try {
    const file = await openFile(path);
    if (file === null) throw stale(`${path} is gone`);
    try {
      const { size } = await file.stat();
      const bytes = size > maxFileBytes ? null : await upTo(maxFileBytes, file, size);
      return bytes === null ? null : sha256(bytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw refusedByFileSystem(error, `read ${path}`);
  }
}

function kindOf(status: Stats): string {
  if (status.isSymbolicLink()) return 'a link';
  if (status.isDirectory()) return 'a folder';
  return status.isFile() ? 'a file' : 'something that is no file';
}

export function stale(what: string): CodedError {
  return new CodedError('STALE_PERMIT', `${what}. Nothing was written. Read the file again and propose the change anew.`);
}
