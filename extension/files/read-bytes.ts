import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { sha256 } from '../boundary/digest.ts';
import type { Digest, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { isForeign } from '../boundary/foreign-path.ts';
import { type ForeignFiles, foreignBytes, noForeignFiles, notUsable } from './foreign-files.ts';
import { accessError, errnoOf, realPathOf } from './real-path.ts';

/** In bytes. Of larger files a part can be read, and never the whole. */
export const maxFileBytes = 20 * 1024 * 1024;

export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
}

/** What a file or a folder is known to be without opening it. */
export interface FileStatus {
  isFile(): boolean;
  isDirectory(): boolean;
  /** In bytes. */
  readonly size: number;
  /** How many names it has. */
  readonly nlink: number;
}

/** What stands at a real path, without opening it; null where there is nothing. Refused: devices, sockets, pipes, what lies below a file. */
export async function statOf(path: RealPath, foreign: ForeignFiles = noForeignFiles): Promise<FileStatus | null> {
  if (isForeign(path)) return foreignStatOf(path, foreign);
  let stats: FileStatus;
  try {
    stats = await lstat(path);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return null;
    throw accessError(path, cause);
  }
  if (!stats.isFile() && !stats.isDirectory()) throw new CodedError('FS_REFUSED', `${path} is neither a file nor a folder; devices, pipes and sockets are not opened.`);
  return stats;
}

async function foreignStatOf(path: RealPath, foreign: ForeignFiles): Promise<FileStatus | null> {
  const status = await foreign.status(path);
  if (status === null) return null;
  const { type, size } = status;
  if (type !== 'file' && type !== 'directory') throw notUsable(path);
  return { isFile: () => type === 'file', isDirectory: () => type === 'directory', size, nlink: 1 };
}

/** A regular file's bytes, or null where there is none. Never follows a link that was put there meanwhile, never blocks on a pipe. */
export async function readBytes(path: RealPath, foreign: ForeignFiles = noForeignFiles): Promise<FileBytes | null> {
  if (isForeign(path)) return foreignFileBytes(path, foreign);
  const stats = await statOf(path);
  if (stats === null) return null;
  if (stats.isDirectory()) throw new CodedError('FS_REFUSED', `${path} is a folder, not a file. Use list_directory.`);
  if (stats.size > maxFileBytes) throw new CodedError('FS_REFUSED', `${path} has ${stats.size} bytes; at most ${maxFileBytes} (20 MiB) are read whole, and nothing larger is edited. Read a part of it: read_file with startLine and endLine.`);
  const file = await openFile(path);
  if (file === null) return null;
  try {
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

async function foreignFileBytes(path: RealPath, foreign: ForeignFiles): Promise<FileBytes | null> {
  const file = await foreignBytes(path, foreign, maxFileBytes);
  if (file !== null && 'size' in file) throw new CodedError('FS_REFUSED', `${path} has ${file.size} bytes; at most ${maxFileBytes} (20 MiB) are read from this file system, and nothing larger is edited. Ask the person for the part that is needed.`);
  return file;
}

/** A regular file for reading, or null where there is none. Never follows a link, never waits for a pipe. */
export async function openFile(path: string): Promise<FileHandle | null> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return null;
    if (errnoOf(cause) === 'ELOOP') throw new CodedError('STALE_PERMIT', `${path} has become a link.`, { cause });
    throw accessError(path, cause);
  }
  try {
    if ((await file.stat()).isFile()) return file;
    throw new CodedError('FS_REFUSED', `${path} is no regular file.`);
  } catch (cause) {
    await file.close();
    throw cause instanceof CodedError ? cause : accessError(path, cause);
  }
}

/** The whole file, or null where it has more bytes: some, such as those in /proc, say that they are empty and never end. */
export async function upTo(most: number, file: FileHandle, expected: number): Promise<Uint8Array | null> {
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
