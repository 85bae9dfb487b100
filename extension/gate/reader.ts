import type { Digest, Effect, EffectOf, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { Reader, TextSearch } from '../boundary/tool-definition.ts';
import { entriesOf } from '../files/directory.ts';
import { currentBytes } from '../files/current-bytes.ts';
import type { OpenDocuments } from '../files/open-documents.ts';
import { readPart } from '../files/read-part.ts';
import { isWithin, type Roots } from '../files/roots.ts';
import { findFiles, searchText, type TreeRead } from '../files/search.ts';
import { lastMatch } from './match.ts';

export interface ReaderParts {
  readonly roots: Roots;
  readonly documents: OpenDocuments;
  /** What the same call was signed for: a folder that it reads by itself is not read a second time within another. */
  readonly others: readonly Effect[];
  readonly signal: AbortSignal;
  /** Throws once the call has settled. */
  readonly alive: () => void;
  /** Throws where the path leads elsewhere by now. */
  readonly recheck: () => Promise<void>;
  readonly note: (path: RealPath, digest: Digest) => void;
}

/** The outcome of a performed read: bound to the effect's path and to what it leaves out. What the editor holds unsaved is what is read. */
export function createReader(effect: EffectOf<'read'>, parts: ReaderParts): Reader {
  const { path, extent, except } = effect;
  const tree: TreeRead = {
    root: path, signal: parts.signal, foreign: parts.roots.foreign, display: (absolute) => parts.roots.display(absolute),
    skip: (absolute) => lastMatch(except, absolute), apart: readApart(effect, parts.others),
    unsaved: (absolute) => parts.documents.unsaved(absolute)?.bytes ?? null,
  };
  const display = parts.roots.display(path);
  const usable = async (): Promise<void> => {
    parts.alive();
    await parts.recheck();
  };
  const onTree = async (): Promise<void> => {
    parts.alive();
    if (extent !== 'tree') throw new Error('this read was signed for one file or folder, not for what lies below it');
    await parts.recheck();
  };
  return Object.freeze({
    display,
    bytes: async () => {
      await usable();
      const file = await currentBytes(path, parts.documents, parts.roots.foreign);
      if (file === null) throw new CodedError('FS_NOT_FOUND', `${display} does not exist any more.`);
      parts.note(path, file.digest);
      return file.bytes;
    },
    part: async (first: number, last: number) => {
      await usable();
      return parts.documents.unsaved(path) === null ? readPart(path, { first, last, signal: parts.signal }) : null;
    },
    entries: async () => {
      await usable();
      return entriesOf(path, parts.roots.foreign);
    },
    find: async (pattern: string) => { await onTree(); return findFiles(tree, pattern); },
    search: async (query: TextSearch) => { await onTree(); return searchText(tree, query); },
  });
}

/** Folders below this read's own that the same call reads by themselves. */
function readApart({ path }: EffectOf<'read'>, others: readonly Effect[]): ReadonlySet<string> {
  return new Set(others.flatMap((other) => (other.kind === 'read' && other.extent === 'tree' && other.path !== path && isWithin(other.path, path) ? [other.path] : [])));
}
