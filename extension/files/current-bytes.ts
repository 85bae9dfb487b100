import type { RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { type ForeignFiles, noForeignFiles } from './foreign-files.ts';
import type { OpenDocuments } from './open-documents.ts';
import { type FileBytes, maxFileBytes, readBytes } from './read-bytes.ts';

/** A file as the person sees it. */
export interface CurrentFile extends FileBytes {
  /** Where it was read: on disk (or where its folder lies), or in the buffer of an unsaved document. */
  readonly via: 'disk' | 'buffer';
  /** Why the buffer cannot take an edit; null where it can, and of what lies on disk. */
  readonly unfit: string | null;
}

/** The text that the editor holds unsaved of a file, or else its bytes on disk; null where there is neither. */
export async function currentBytes(path: RealPath, documents: Pick<OpenDocuments, 'unsaved'>, foreign: ForeignFiles = noForeignFiles): Promise<CurrentFile | null> {
  const unsaved = documents.unsaved(path);
  if (unsaved === null) {
    const file = await readBytes(path, foreign);
    return file === null ? null : { ...file, via: 'disk', unfit: null };
  }
  const { bytes, digest, unfit } = unsaved;
  if (bytes.length > maxFileBytes) throw new CodedError('FS_REFUSED', `The unsaved text of ${path} has ${bytes.length} bytes; at most ${maxFileBytes} (20 MiB) are read whole, and nothing larger is edited. Ask the person to save it, then read a part of it: read_file with startLine and endLine.`);
  return { bytes, digest, via: 'buffer', unfit };
}
