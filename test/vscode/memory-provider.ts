import { EventEmitter, FilePermission, FileSystemError, FileType, type FileChangeEvent, type FileStat, type FileSystemProvider, type Uri } from 'vscode';

/** A file system of another extension's, in memory: addresses by their path alone. */
export class MemoryProvider implements FileSystemProvider {
  readonly files = new Map<string, Uint8Array>();
  readonly folders = new Set<string>(['/']);
  readonly links = new Set<string>();
  readonly readOnlyFiles = new Set<string>();
  /** What really is kept of what is written. */
  keeps: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes;
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  add(path: string, text: string): void {
    for (let at = parentOf(path); at !== '/'; at = parentOf(at)) this.folders.add(at);
    this.files.set(path, Buffer.from(text));
  }

  text(path: string): string | null {
    const bytes = this.files.get(path);
    return bytes === undefined ? null : Buffer.from(bytes).toString();
  }

  watch(): { dispose(): void } {
    return { dispose: () => {} };
  }

  stat(uri: Uri): FileStat {
    const bytes = this.files.get(uri.path);
    if (bytes === undefined && !this.folders.has(uri.path)) throw FileSystemError.FileNotFound(uri);
    const type = bytes === undefined ? FileType.Directory : FileType.File;
    const stat: FileStat = { type, ctime: 0, mtime: 0, size: bytes?.length ?? 0 };
    if (this.links.has(uri.path)) stat.type |= FileType.SymbolicLink;
    if (this.readOnlyFiles.has(uri.path)) stat.permissions = FilePermission.Readonly;
    return stat;
  }

  readDirectory(uri: Uri): [string, FileType][] {
    if (!this.folders.has(uri.path)) throw FileSystemError.FileNotFound(uri);
    return [...this.files.keys(), ...this.folders].filter((path) => path !== '/' && parentOf(path) === uri.path)
      .map((path) => [path.slice(path.lastIndexOf('/') + 1), this.stat(uri.with({ path })).type]);
  }

  createDirectory(uri: Uri): void {
    this.folders.add(uri.path);
  }

  readFile(uri: Uri): Uint8Array {
    const bytes = this.files.get(uri.path);
    if (bytes === undefined) throw FileSystemError.FileNotFound(uri);
    return bytes;
  }

  writeFile(uri: Uri, content: Uint8Array, options: { readonly create: boolean; readonly overwrite: boolean }): void {
    if (!this.folders.has(parentOf(uri.path))) throw FileSystemError.FileNotFound(uri);
    if (this.files.has(uri.path) && !options.overwrite) throw FileSystemError.FileExists(uri);
    this.files.set(uri.path, this.keeps(content));
  }

  delete(uri: Uri): void {
    if (!this.files.delete(uri.path)) throw FileSystemError.FileNotFound(uri);
  }

  rename(): void {
    throw FileSystemError.NoPermissions();
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}
