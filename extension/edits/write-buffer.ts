import { sha256 } from '../boundary/digest.ts';
import type { Digest, RealPath } from '../boundary/effect.ts';
import type { OpenDocuments } from '../files/open-documents.ts';
import type { Change } from './change.ts';
import { stale } from './world-check.ts';

/** A change of a document that the editor holds unsaved, as it was signed. */
export interface BufferWrite {
  readonly path: RealPath;
  readonly base: Digest;
  /** The bytes of the base. */
  readonly baseBytes: Uint8Array;
  readonly bytes: Uint8Array;
  /** What else must still hold; throws where it does not. */
  readonly recheck: () => Promise<void> | void;
}

/** A write that lands in the buffer of an unsaved document, as one of several changes. What lies on disk is not touched. */
export function bufferWrite(write: BufferWrite, documents: Pick<OpenDocuments, 'unsaved' | 'replace'>): Change {
  const verify = async (): Promise<void> => {
    await write.recheck();
    refuseMoved(write, documents);
  };
  return {
    path: write.path,
    verify,
    stage: () => Promise.resolve({
      folders: [],
      land: async () => {
        await verify();
        await documents.replace(write.path, write.base, write.bytes);
      },
      discard: () => Promise.resolve(),
      takeBack: () => documents.replace(write.path, sha256(write.bytes), write.baseBytes),
    }),
  };
}

function refuseMoved({ path, base }: BufferWrite, documents: Pick<OpenDocuments, 'unsaved'>): void {
  const now = documents.unsaved(path);
  if (now === null) throw stale(`${path} had unsaved changes in the editor when this was signed; now it has none (it was saved, reverted or closed)`);
  if (now.digest !== base) throw stale(`The unsaved text of ${path} changed in the editor after this was signed`);
  if (now.unfit !== null) throw stale(`${path} cannot be changed in the editor any more: ${now.unfit}`);
}
