import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CodedError } from '../boundary/error-codes.ts';
import type { RealPath } from '../boundary/effect.ts';
import { isForeign } from '../boundary/foreign-path.ts';
import { type ForeignFiles, foreignRealPath, noForeignFiles } from './foreign-files.ts';

/** Every link resolved. What does not exist yet is resolved as far as it does; a dangling link is refused, since writing would follow it. */
export async function realPathOf(absolute: string, foreign: ForeignFiles = noForeignFiles): Promise<RealPath> {
  if (isForeign(absolute)) return foreignRealPath(absolute, foreign);
  const missing: string[] = [];
  for (let path = absolute; ; path = dirname(path)) {
    try {
      return join(await realpath(path), ...missing.reverse()) as RealPath;
    } catch (cause) {
      const code = errnoOf(cause);
      if (code === 'ELOOP') throw new CodedError('FS_REFUSED', `${absolute} leads through a loop of links.`, { cause });
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw accessError(absolute, cause);
      if (await isLink(path)) throw new CodedError('FS_REFUSED', `${path} is a link whose target does not exist; nothing is written through it.`, { cause });
      if (dirname(path) === path) throw accessError(absolute, cause);
      missing.push(basename(path));
    }
  }
}

/** The path of a file, no link, that a walk from a real folder came to: it entered no link on the way. */
export function asWalked(path: string): RealPath {
  return path as RealPath;
}

/** A file system error as a coded one that says what to do next. */
export function accessError(path: string, cause: unknown): CodedError {
  const code = errnoOf(cause);
  switch (code) {
    case 'ENOENT':
      return new CodedError('FS_NOT_FOUND', `${path} does not exist. Look with list_directory or find_files.`, { cause });
    case 'ENOTDIR':
      return new CodedError('FS_NOT_FOUND', `${path} does not exist: a part of the path is a file, not a folder.`, { cause });
    case 'EACCES':
    case 'EPERM':
      return new CodedError('FS_REFUSED', `${path}: the operating system refuses access (${code}). The person may change the file's permissions.`, { cause });
    default:
      return new CodedError('FS_REFUSED', `${path} cannot be used (${code ?? (cause instanceof Error ? cause.message : String(cause))}).`, { cause });
  }
}

export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
