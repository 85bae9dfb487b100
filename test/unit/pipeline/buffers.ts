import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Digest, RealPath } from '../../../extension/boundary/effect.ts';
import { stale } from '../../../extension/edits/world-check.ts';
import type { OpenDocuments, UnsavedDocument } from '../../../extension/files/open-documents.ts';

/** An editor's unsaved documents, by the paths of their files. */
export class Buffers implements OpenDocuments {
  readonly texts = new Map<string, string>();
  /** Why the buffer at a path takes no edit. */
  readonly unfit = new Map<string, string>();
  /** How often a buffer was changed by us. */
  edits = 0;
  /** Runs just before an edit is applied. */
  beforeEdit: () => void | Promise<void> = () => {};

  unsaved(path: RealPath): UnsavedDocument | null {
    const text = this.texts.get(path);
    if (text === undefined) return null;
    const bytes = Buffer.from(text);
    return { bytes, digest: sha256(bytes), unfit: this.unfit.get(path) ?? null };
  }

  async replace(path: RealPath, base: Digest, bytes: Uint8Array): Promise<void> {
    await this.beforeEdit();
    if (this.unsaved(path)?.digest !== base) throw stale(`The unsaved text of ${path} changed`);
    this.edits += 1;
    this.texts.set(path, Buffer.from(bytes).toString());
  }
}
