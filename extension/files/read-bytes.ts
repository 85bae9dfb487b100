import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { sha256 } from '../boundary/digest.ts';
import type { Digest, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { accessError, errnoOf, realPathOf } from './real-path.ts';

/** In bytes. Larger files are searched, not read whole. */
export const maxFileBytes = 20 * 1024 * 1024;

export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
}

/** What stands at a real path, without opening it; null where there is nothing. Refused: devices, sockets, pipes, what lies below a file. */
export async function statOf(path: RealPath): Promise<Stats | null> {
  let stats: Stats;
  try {
    stats = await lstat(path);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return null;
    throw accessError(path, cause);
  }
  if (!stats.isFile() && !stats.isDirectory()) throw new CodedError('FS_REFUSED', `${path} is neither a file nor a folder; devices, pipes and sockets are not opened.`);
  return stats;
}

/** A regular file's bytes, or null where there is none. Never follows a link that was put there meanwhile, never blocks on a pipe. */
export async function readBytes(path: RealPath): Promise<FileBytes | null> {
  const stats = await statOf(path);
  if (stats === null) return null;
  if (stats.isDirectory()) throw new CodedError('FS_REFUSED', `${path} is a folder, not a file. Use list_directory.`);
  if (stats.size > maxFileBytes) throw new CodedError('FS_REFUSED', `${path} has ${stats.size} bytes; at most ${maxFileBytes} (20 MiB) are read. Use search_text to find what you need.`);
  let file;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return null;
    if (errnoOf(cause) === 'ELOOP') throw new CodedError('STALE_PERMIT', `${path} has become a link.`, { cause });
    throw accessError(path, cause);
  }
  try {
    if (!(await file.stat()).isFile()) throw new CodedError('FS_REFUSED', `${path} is no regular file.`);
    const bytes = await upTo(maxFileBytes, file, stats.size);
    if (bytes === null) throw new CodedError('FS_REFUSED', `${path} gives more than ${maxFileBytes} bytes, whatever its size is said to be.`);
    if (await realPathOf(path) !== path) throw new CodedError('STALE_PERMIT', `A folder on the way to ${path} was replaced by a link.`);
    return { bytes, digest: sha256(bytes) };
  } catch (cause) {
    throw cause instanceof CodedError ? cause : accessError(path, cause);
  } finally {
    await file.close();
  }
}

/** The whole file, or null where it has more bytes: some, such as those in /proc, say that they are empty and never end. */
async function upTo(most: number, file: FileHandle, expected: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= most;) {
    const chunk = Buffer.allocUnsafe(Math.max(expected - size, 0) + 16 * 1024);
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return Buffer.concat(chunks, size);
    chunks.push(chunk.subarray(0, bytesRead));
    size += bytesRead;
  }
  return null;
}
