import type { Digest, EffectOf, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { Reader, TextSearch } from '../boundary/tool-definition.ts';
import { entriesOf } from '../files/directory.ts';
import { readBytes } from '../files/read-bytes.ts';
import type { Roots } from '../files/roots.ts';
import { findFiles, searchText } from '../files/search.ts';
import { lastMatch } from './match.ts';

export interface ReaderParts {
  readonly roots: Roots;
  readonly signal: AbortSignal;
  /** Throws once the call has settled. */
  readonly alive: () => void;
  /** Throws where the path leads elsewhere by now. */
  readonly recheck: () => Promise<void>;
  readonly note: (path: RealPath, digest: Digest) => void;
}

/** The outcome of a performed read: bound to the effect's path and to what it leaves out. */
export function createReader(effect: EffectOf<'read'>, parts: ReaderParts): Reader {
  const { path, extent, except } = effect;
  const tree = {
    root: path, signal: parts.signal, display: (absolute: string) => parts.roots.display(absolute),
    skip: (absolute: string) => lastMatch(except, absolute),
  };
  const onTree = async (): Promise<void> => {
    parts.alive();
    if (extent !== 'tree') throw new Error('this read was signed for one file or folder, not for what lies below it');
    await parts.recheck();
  };
  return Object.freeze({
    display: parts.roots.display(path),
    bytes: async () => {
      parts.alive();
      await parts.recheck();
      const file = await readBytes(path);
      if (file === null) throw new CodedError('FS_NOT_FOUND', `${parts.roots.display(path)} does not exist any more.`);
      parts.note(path, file.digest);
      return file.bytes;
    },
    entries: async () => {
      parts.alive();
      await parts.recheck();
      return entriesOf(path);
    },
    find: async (pattern: string) => { await onTree(); return findFiles(tree, pattern); },
    search: async (query: TextSearch) => { await onTree(); return searchText(tree, query); },
  });
}
