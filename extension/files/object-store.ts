import { constants } from 'node:fs';
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 } from '../boundary/digest.ts';
import type { Digest } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';

/**
 * Bytes by their digest, outside every workspace folder: what a write replaced, so that it can be undone, and the images that a person
 * sent. Nothing in it changes once it is there.
 */
export interface ObjectStore {
  /** Durable when it resolves. Rejects with FS_REFUSED where it cannot be kept. */
  put(bytes: Uint8Array): Promise<Digest>;
  /** null where it is not there, or is not what its name says any more. */
  get(digest: Digest): Promise<Uint8Array | null>;
}

/** Objects as files, `FOLDER/ab/cdef…`. Several windows may share the folder: an object is complete from the moment when it has its name. */
export class FileObjectStore implements ObjectStore {
  readonly #folder: string;
  readonly #random: () => string;
  /** What was seen whole in this folder by this process: that it is still there is enough then. */
  readonly #known = new Set<Digest>();

  /** The caller sees to it that the folder lies in no workspace folder. It is made when it is needed. */
  constructor(folder: string, random: () => string) {
    this.#folder = folder;
    this.#random = random;
  }

  async put(bytes: Uint8Array): Promise<Digest> {
    const digest = sha256(bytes);
    try {
      if (this.#known.has(digest) && await isThere(this.#placeOf(digest))) return digest;
      // One that is there and damaged gives way to a whole one.
      if (await this.get(digest) === null) await this.#write(this.#placeOf(digest), bytes);
    } catch (cause) {
      throw new CodedError('FS_REFUSED', `What stands there now cannot be kept for an undo (${cause instanceof Error ? cause.message : String(cause)}), so nothing was written. Ask the person to free disk space, or to mend the permissions of ${this.#folder}.`, { cause });
    }
    this.#known.add(digest);
    return digest;
  }

  async get(digest: Digest): Promise<Uint8Array | null> {
    let bytes: Uint8Array;
    try {
      bytes = await readFile(this.#placeOf(digest));
    } catch {
      return null;
    }
    return sha256(bytes) === digest ? bytes : null;
  }

  #placeOf(digest: Digest): string {
    return join(this.#folder, digest.slice(0, 2), digest.slice(2));
  }

  async #write(place: string, bytes: Uint8Array): Promise<void> {
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    const temporary = join(this.#folder, `${this.#random()}.tmp`);
    try {
      const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, place);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
    for (const folder of [dirname(place), this.#folder]) await syncFolder(folder);
  }
}

/** For as long as the process lives: for tests, and where nothing is kept. */
export class MemoryObjectStore implements ObjectStore {
  readonly #objects = new Map<Digest, Uint8Array>();

  put(bytes: Uint8Array): Promise<Digest> {
    const digest = sha256(bytes);
    if (!this.#objects.has(digest)) this.#objects.set(digest, Uint8Array.from(bytes));
    return Promise.resolve(digest);
  }

  get(digest: Digest): Promise<Uint8Array | null> {
    return Promise.resolve(this.#objects.get(digest) ?? null);
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** So that the new name outlives a power cut; not every system can. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    await handle.sync().catch(() => undefined);
    await handle.close();
  } catch {
    // The object is there all the same.
  }
}
