import type { FileHandle } from 'node:fs/promises';
import type { RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { isForeign } from '../boundary/foreign-path.ts';
import type { TextPart } from '../boundary/tool-definition.ts';
import { maxFileBytes, openFile, statOf } from './read-bytes.ts';
import { accessError, realPathOf } from './real-path.ts';

export interface PartRequest {
  /** 1-based, inclusive. */
  readonly first: number;
  readonly last: number;
  readonly signal: AbortSignal;
}

/** In bytes, from the start of the file: what is looked through to find a line. */
export const maxScan = 256 * 1024 * 1024;
/** In bytes: what is kept of the lines that were asked for. */
export const maxPart = 1024 * 1024;
const chunkBytes = 256 * 1024;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Lines of a file that is too large to be read whole, without loading it; null where it is not that large, or lies in a file system
 * that gives files whole or not at all. The part may end before
 * the last line that was asked for. Throws FS_* for what is no text there, or lies too far from the start.
 */
export async function readPart(path: RealPath, request: PartRequest): Promise<TextPart | null> {
  if (isForeign(path)) return null;
  const stats = await statOf(path);
  if (stats === null || !stats.isFile() || stats.size <= maxFileBytes) return null;
  const file = await openFile(path);
  if (file === null) return null;
  try {
    const found = await scan(path, file, request);
    if (await realPathOf(path) !== path) throw new CodedError('STALE_PERMIT', `A folder on the way to ${path} was replaced by a link.`);
    return { lines: decoded(path, found.kept, request.first), size: stats.size, totalLines: found.totalLines };
  } catch (cause) {
    throw cause instanceof CodedError || request.signal.aborted ? cause : accessError(path, cause);
  } finally {
    await file.close();
  }
}

interface Found {
  /** Whole lines, each without its line end. */
  readonly kept: readonly Uint8Array[];
  /** null where the end was not reached. */
  readonly totalLines: number | null;
}

async function scan(path: RealPath, file: FileHandle, { first, last, signal }: PartRequest): Promise<Found> {
  const kept: Uint8Array[] = [];
  const chunk = Buffer.allocUnsafe(chunkBytes);
  /** Pieces of the line that is being read, where it is one that was asked for. */
  let pieces: Buffer[] = [];
  let piecesSize = 0;
  let keptSize = 0;
  let line = 1;
  let empty = true;
  let afterReturn = false;

  const keep = (piece: Buffer): void => {
    pieces.push(Buffer.from(piece));
    piecesSize += piece.length;
    if (piecesSize > maxPart) throw new CodedError('FS_REFUSED', `Line ${line} of ${path} is longer than ${maxPart} bytes (1 MiB), and the file is too large to be read whole.`);
  };
  const endLine = (): 'go-on' | 'done' => {
    if (line >= first) {
      if (keptSize + piecesSize > maxPart) return 'done';
      kept.push(Buffer.concat(pieces));
      keptSize += piecesSize;
    }
    pieces = [];
    piecesSize = 0;
    line += 1;
    return line <= last ? 'go-on' : 'done';
  };

  for (let scanned = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, null);
    if (bytesRead === 0) {
      // What follows the last line end is a line only where there is something.
      if (!empty && endLine() === 'done' && line <= last) return { kept, totalLines: null };
      return { kept, totalLines: line - 1 };
    }
    let start = 0;
    for (let at = 0; at < bytesRead; at += 1) {
      const byte = chunk[at];
      if (byte === 0) throw new CodedError('FS_NOT_TEXT', `${path} is a binary file (a NUL byte at offset ${scanned + at}). It cannot be read as text.`);
      if (byte === lineFeed && afterReturn) {
        afterReturn = false;
        start = at + 1;
        continue;
      }
      afterReturn = byte === carriageReturn;
      empty = byte === lineFeed || byte === carriageReturn;
      if (!empty) continue;
      if (line >= first) keep(chunk.subarray(start, at));
      start = at + 1;
      if (endLine() === 'done') return { kept, totalLines: null };
    }
    if (line >= first && start < bytesRead) keep(chunk.subarray(start, bytesRead));
    scanned += bytesRead;
    if (scanned >= maxScan) {
      if (kept.length > 0) return { kept, totalLines: null };
      throw new CodedError('FS_REFUSED', `Line ${first} of ${path} lies beyond its first ${maxScan} bytes (256 MiB); only in those can a part be read.`);
    }
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(path: RealPath, kept: readonly Uint8Array[], first: number): readonly string[] {
  return kept.map((bytes, n) => {
    try {
      const text = decoder.decode(bytes);
      return first === 1 && n === 0 ? text.replace(/^\uFEFF/, '') : text;
    } catch (cause) {
      throw new CodedError('FS_ENCODING', `Line ${first + n} of ${path} is not valid UTF-8. Ask the user to save the file as UTF-8.`, { cause });
    }
  });
}
