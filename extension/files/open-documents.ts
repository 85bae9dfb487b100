import type { Digest, RealPath } from '../boundary/effect.ts';

/** A document of the editor's with changes that are not on disk. */
export interface UnsavedDocument {
  /** Its text as UTF-8, with a byte order mark where the file will be saved with one. */
  readonly bytes: Uint8Array;
  readonly digest: Digest;
  /** Why its buffer cannot take an edit, for the model: it is a notebook, or its line ends are mixed on disk. null where it can. */
  readonly unfit: string | null;
}

/** What the editor holds open. Headless there is nothing. */
export interface OpenDocuments {
  /** null where the editor holds nothing unsaved of this file. */
  unsaved(path: RealPath): UnsavedDocument | null;
  /**
   * Changes the buffer of an unsaved document, by one edit, and leaves it unsaved. Throws STALE_PERMIT, with nothing changed, where it is
   * not exactly `base` any more.
   */
  replace(path: RealPath, base: Digest, bytes: Uint8Array): Promise<void>;
}

export const noOpenDocuments: OpenDocuments = {
  unsaved: () => null,
  replace: () => Promise.reject(new Error('there are no open documents here')),
};
