import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { foreignParent } from '../../../extension/boundary/foreign-path.ts';
import type { ForeignFiles, ForeignStatus } from '../../../extension/files/foreign-files.ts';

/** A file system in memory, as the editor would reach it. It does whatever it is asked to: what it is not to be asked shows in `reached`. */
export class MemoryFiles implements ForeignFiles {
  readonly folders: readonly string[];
  readonly files = new Map<string, Uint8Array>();
  readonly links = new Set<string>();
  readonly emptyFolders = new Set<string>();
  readonly readOnlyFiles = new Set<string>();
  /** Names that are listed beside the real ones. */
  readonly listed: { readonly name: string; readonly type: ForeignStatus['type'] }[] = [];
  /** Every path that was looked at or changed. */
  readonly reached = new Set<string>();
  whyReadOnly: string | null = null;
  /** What is really done when a file is written or deleted (null). */
  land = (path: string, bytes: Uint8Array | null): void => {
    if (bytes === null) this.files.delete(path);
    else this.files.set(path, bytes);
  };

  constructor(folders: readonly string[], files: Readonly<Record<string, string>> = {}) {
    this.folders = folders;
    for (const [path, text] of Object.entries(files)) this.files.set(path, Buffer.from(text));
  }

  text(path: string): string | null {
    const bytes = this.files.get(path);
    return bytes === undefined ? null : Buffer.from(bytes).toString();
  }

  all(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));
  }

  status(path: string): Promise<ForeignStatus | null> {
    this.reached.add(path);
    const bytes = this.files.get(path);
    const type = this.links.has(path) ? 'link' : bytes !== undefined ? 'file' : this.#isFolder(path) ? 'directory' : null;
    return Promise.resolve(type === null ? null : { type, size: bytes?.length ?? 0, readOnly: this.readOnlyFiles.has(path) });
  }

  read(path: string): Promise<Uint8Array | null> {
    this.reached.add(path);
    return Promise.resolve(this.files.get(path) ?? null);
  }

  async entries(path: string): ReturnType<ForeignFiles['entries']> {
    this.reached.add(path);
    if (!this.#isFolder(path)) throw new CodedError('FS_NOT_FOUND', `${path} is no folder.`);
    const names = [...this.files.keys(), ...this.emptyFolders, ...this.links].flatMap((one) => {
      const below = one.startsWith(`${path}/`) ? one.slice(path.length + 1).split('/')[0] : undefined;
      return below === undefined ? [] : [below];
    });
    const entries = await Promise.all([...new Set(names)].map(async (name) => ({ name, type: (await this.status(`${path}/${name}`))?.type ?? 'other' })));
    return [...entries, ...this.listed];
  }

  readOnly(): string | null {
    return this.whyReadOnly;
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    return this.#change(path, bytes);
  }

  delete(path: string): Promise<void> {
    return this.#change(path, null);
  }

  async #change(path: string, bytes: Uint8Array | null): Promise<void> {
    this.reached.add(path);
    const above = foreignParent(path);
    if (this.files.has(above)) throw new CodedError('FS_REFUSED', `${above} is a file.`);
    await Promise.resolve();
    this.land(path, bytes);
  }

  #isFolder(path: string): boolean {
    return this.folders.includes(path) || this.emptyFolders.has(path) || [...this.files.keys(), ...this.links].some((file) => file.startsWith(`${path}/`));
  }
}
