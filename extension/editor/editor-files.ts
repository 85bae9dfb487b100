import * as vscode from 'vscode';
import { CodedError } from '../boundary/error-codes.ts';
import { type ForeignFiles, type ForeignStatus, foreignRefused, isInFolders } from '../files/foreign-files.ts';
import { uriOfPath } from './foreign-uri.ts';
import { laterOn } from './later-on.ts';

/** In milliseconds: another extension answers here, or a server behind it. */
const longestWait = 60_000;

/** Open folders off the disk, through the editor: these folders and nothing else, whatever else the editor could reach. */
export class EditorFiles implements ForeignFiles {
  readonly folders: readonly string[];

  /** By their canonical paths. */
  constructor(folders: readonly string[]) {
    this.folders = Object.freeze([...folders]);
  }

  async status(path: string): Promise<ForeignStatus | null> {
    const stat = await this.#look(path, async (uri) => vscode.workspace.fs.stat(uri));
    return stat === null ? null : { type: typeOf(stat.type), size: stat.size, readOnly: ((stat.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0 };
  }

  async read(path: string): Promise<Uint8Array | null> {
    const bytes = await this.#look(path, async (uri) => vscode.workspace.fs.readFile(uri));
    // What the file system holds on to may change: a digest is of a copy.
    return bytes === null ? null : Uint8Array.from(bytes);
  }

  async entries(path: string): ReturnType<ForeignFiles['entries']> {
    const entries = await this.#look(path, async (uri) => vscode.workspace.fs.readDirectory(uri));
    if (entries === null) throw new CodedError('FS_NOT_FOUND', `${path} does not exist. Look with list_directory or find_files.`);
    return entries.map(([name, type]) => ({ name, type: typeOf(type) }));
  }

  readOnly(path: string): string | null {
    if (!isInFolders(path, this)) return foreignRefused(path).message;
    const { scheme } = uriOfPath(path);
    return vscode.workspace.fs.isWritableFileSystem(scheme) === false ? `files of ${scheme}: cannot be written by way of the editor. Choose another place.` : null;
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#ask(path, async (uri) => vscode.workspace.fs.writeFile(uri, bytes));
  }

  async delete(path: string): Promise<void> {
    await this.#ask(path, async (uri) => vscode.workspace.fs.delete(uri, { recursive: false, useTrash: false }));
  }

  /** null where nothing stands there. */
  async #look<T>(path: string, question: (uri: vscode.Uri) => Promise<T>): Promise<T | null> {
    return this.#ask(path, (uri) => question(uri).catch((cause: unknown) => {
      if (isAbsence(cause)) return null;
      throw cause;
    }));
  }

  async #ask<T>(path: string, question: (uri: vscode.Uri) => Promise<T>): Promise<T> {
    if (!isInFolders(path, this)) throw foreignRefused(path);
    try {
      return await inTime(path, question(uriOfPath(path)));
    } catch (cause) {
      throw cause instanceof CodedError ? cause : new CodedError('FS_REFUSED', `${path} cannot be used: ${wordsOf(cause)}`, { cause });
    }
  }
}

function isAbsence(cause: unknown): boolean {
  return cause instanceof vscode.FileSystemError && (cause.code === 'FileNotFound' || cause.code === 'FileNotADirectory');
}

/** What another extension says is shown as text, and only so much of it. */
function wordsOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, 300).toWellFormed();
}

function typeOf(type: vscode.FileType): ForeignStatus['type'] {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
  if ((type & vscode.FileType.Directory) !== 0) return 'directory';
  return (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
}

async function inTime<T>(path: string, answer: Promise<T>): Promise<T> {
  let cancel = (): void => {};
  const late = new Promise<never>((_resolve, reject) => {
    cancel = laterOn(longestWait, () => reject(new CodedError('FS_REFUSED', `${path} cannot be used: its file system has not answered for ${longestWait / 1000} seconds.`)));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    cancel();
  }
}
