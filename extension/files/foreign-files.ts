import { canonicalForeign, foreignParent, isForeignPath } from '../boundary/foreign-path.ts';
import type { Digest, RealPath } from '../boundary/effect.ts';
import { sha256 } from '../boundary/digest.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { DirectoryEntry } from '../boundary/tool-definition.ts';

export interface ForeignStatus {
  readonly type: DirectoryEntry['type'];
  /** In bytes, as the file system says. */
  readonly size: number;
  /** Whether the file system says that this file is not to be written. */
  readonly readOnly: boolean;
}

/**
 * The open folders that do not lie on disk, as the editor reaches them. Paths are canonical foreign ones; for one that lies in none of
 * the folders every method throws FS_REFUSED. What the file system refuses is a CodedError too.
 */
export interface ForeignFiles {
  /** The open folders, by their canonical paths. */
  readonly folders: readonly string[];
  /** null where nothing stands there. */
  status(path: string): Promise<ForeignStatus | null>;
  /** null where nothing stands there. The caller has looked at its size. */
  read(path: string): Promise<Uint8Array | null>;
  /** Names as the file system gives them, which may be none that can be used. */
  entries(path: string): Promise<readonly Pick<DirectoryEntry, 'name' | 'type'>[]>;
  /** Why nothing can be written there; null where that is not known. */
  readOnly(path: string): string | null;
  /** Makes the folders on the way. Replaces what stands there: the caller has looked. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** One file. */
  delete(path: string): Promise<void>;
}

/** Where there is no editor, or no such folder is open. */
export const noForeignFiles: ForeignFiles = {
  folders: [],
  status: (path) => Promise.reject(foreignRefused(path)),
  read: (path) => Promise.reject(foreignRefused(path)),
  entries: (path) => Promise.reject(foreignRefused(path)),
  readOnly: (path) => foreignRefused(path).message,
  write: (path) => Promise.reject(foreignRefused(path)),
  delete: (path) => Promise.reject(foreignRefused(path)),
};

/** True for the folder itself and all below it. */
export function isInForeign(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

export function isInFolders(path: string, { folders }: Pick<ForeignFiles, 'folders'>): boolean {
  return isForeignPath(path) && folders.some((folder) => isInForeign(path, folder));
}

export function foreignRefused(path: string): CodedError {
  return new CodedError('FS_REFUSED', `${JSON.stringify(path.slice(0, 200))} is refused: it lies in no folder that is open here. Other file systems than the disk are reached in the open folders alone. Use a path relative to the workspace folder.`);
}

/**
 * The canonical path, where it lies in an open folder and behind no link that the file system tells of: where one leads is not known
 * here, so none is followed. FS_REFUSED otherwise.
 */
export async function foreignRealPath(given: string, files: ForeignFiles): Promise<RealPath> {
  const path = canonicalForeign(given);
  if (path === null || !isForeignPath(path) || !isInFolders(path, files)) throw foreignRefused(given);
  for (let at: string = path; !files.folders.includes(at) && isInFolders(at, files); at = foreignParent(at)) {
    if ((await files.status(at))?.type === 'link') throw new CodedError('FS_REFUSED', `${at} is a link, and links are not followed in this file system. Use the path that it leads to.`);
  }
  return path;
}

/** A file's bytes and their digest; null where nothing stands there, and the size of one that has more bytes than `most`. FS_REFUSED for what is no file. */
export async function foreignBytes(path: string, files: ForeignFiles, most: number): Promise<{ readonly bytes: Uint8Array; readonly digest: Digest } | { readonly size: number } | null> {
  const status = await files.status(path);
  if (status === null) return null;
  if (status.type === 'directory') throw new CodedError('FS_REFUSED', `${path} is a folder, not a file. Use list_directory.`);
  if (status.type !== 'file') throw notUsable(path);
  if (status.size > most) return { size: status.size };
  const bytes = await files.read(path);
  if (bytes === null) return null;
  return bytes.length > most ? { size: bytes.length } : { bytes, digest: sha256(bytes) };
}

export function notUsable(path: string): CodedError {
  return new CodedError('FS_REFUSED', `${path} is neither a file nor a folder; links, devices and the like are not opened there.`);
}
