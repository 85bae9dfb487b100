import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Glob, RealPath } from '../boundary/effect.ts';
import { isForeign, isForeignName } from '../boundary/foreign-path.ts';
import type { DirectoryEntry } from '../boundary/tool-definition.ts';
import { type ForeignFiles, noForeignFiles } from './foreign-files.ts';

export interface TreeCaps {
  /** Files that are visited before the walk ends. */
  readonly files: number;
  /** Folders within folders. */
  readonly depth: number;
}

export interface TreeWalk {
  readonly root: RealPath;
  /** The glob of the rule that leaves this path out, or null. A folder that is left out is not entered. */
  readonly skip: (absolutePath: string, isDirectory: boolean) => Glob | null;
  /** Folders that are not entered, and of which nothing is said: somebody reads them by themselves. */
  readonly apart?: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Where a root that does not lie on disk is reached. */
  readonly foreign?: ForeignFiles;
  readonly caps?: Partial<TreeCaps>;
}

export interface TreeEntry {
  readonly path: string;
  /** Relative to the root, with `/`. */
  readonly relative: string;
  /** Links are named, never followed: what they lead to lies elsewhere and was not judged. */
  readonly type: 'file' | 'link';
}

export interface TreeReport {
  /** The first of what was left out, by which glob. */
  readonly leftOut: readonly { readonly path: string; readonly glob: Glob }[];
  readonly leftOutCount: number;
  readonly unreadable: readonly string[];
  /** True where a cap ended the walk, or a folder lies deeper than it goes. */
  readonly truncated: boolean;
}

const defaultCaps: TreeCaps = { files: 50_000, depth: 64 };
const reported = 100;
/** Not entered unless the root lies in one: generated, or Git's own. */
const unentered: ReadonlyMap<string, Glob> = new Map([['.git', '**/.git/**'], ['node_modules', '**/node_modules/**']]);

/**
 * Visits every file and link below the root, in the order of their relative paths. Throws the signal's reason, and what the root
 * itself answers where it cannot be read; any other folder that cannot be read is reported.
 */
export async function walkTree(walk: TreeWalk, visit: (entry: TreeEntry) => void | 'stop' | Promise<void | 'stop'>): Promise<TreeReport> {
  const caps = { ...defaultCaps, ...walk.caps };
  const leftOut: { path: string; glob: Glob }[] = [];
  const unreadable: string[] = [];
  const entered = new Set(walk.root.split(isForeign(walk.root) ? '/' : sep));
  let leftOutCount = 0;
  let files = 0;
  let truncated = false;

  const isLeftOut = (path: string, name: string, isDirectory: boolean): boolean => {
    const glob = walk.skip(path, isDirectory) ?? (isDirectory && !entered.has(name) ? unentered.get(name) ?? null : null);
    if (glob === null) return false;
    leftOutCount += 1;
    if (leftOut.length < reported) leftOut.push({ path, glob });
    return true;
  };

  const enter = async (folder: string, relative: string, depth: number): Promise<'go-on' | 'stop'> => {
    const entries = await list(folder, walk.foreign ?? noForeignFiles, depth === 0 ? null : unreadable);
    for (const entry of entries) {
      walk.signal.throwIfAborted();
      const path = childOf(folder, entry.name);
      const below = relative === '' ? entry.name : `${relative}/${entry.name}`;
      const isDirectory = entry.type === 'directory';
      if (entry.type === 'other') continue;
      // In other file systems a name may be anything, and lead elsewhere as a part of a path.
      if (isForeign(folder) && !isForeignName(entry.name)) {
        unreadable.push(path);
        continue;
      }
      if (walk.apart?.has(path) === true || isLeftOut(path, entry.name, isDirectory)) continue;
      if (isDirectory) {
        if (depth >= caps.depth) truncated = true;
        else if (await enter(path, below, depth + 1) === 'stop') return 'stop';
        continue;
      }
      if (files >= caps.files) {
        truncated = true;
        return 'stop';
      }
      files += 1;
      if (await visit({ path, relative: below, type: entry.type === 'link' ? 'link' : 'file' }) === 'stop') return 'stop';
    }
    return 'go-on';
  };

  walk.signal.throwIfAborted();
  await enter(walk.root, '', 0);
  return { leftOut, leftOutCount, unreadable, truncated };
}

/** Sorted so that the whole walk comes in the order of its paths: a folder sorts with the `/` that follows its name. */
async function list(folder: string, foreign: ForeignFiles, unreadable: string[] | null): Promise<readonly ListedEntry[]> {
  try {
    const entries = isForeign(folder) ? await foreign.entries(folder) : await listDisk(folder);
    return entries.map((entry) => ({ entry, key: entry.type === 'directory' ? `${entry.name}/` : entry.name }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ entry }) => entry);
  } catch (error) {
    if (unreadable === null) throw error;
    unreadable.push(folder);
    return [];
  }
}

type ListedEntry = Pick<DirectoryEntry, 'name' | 'type'>;

async function listDisk(folder: string): Promise<readonly ListedEntry[]> {
  return (await readdir(folder, { withFileTypes: true })).map((entry) => ({
    name: entry.name, type: entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other',
  }));
}

function childOf(folder: string, name: string): string {
  return isForeign(folder) ? `${folder.replace(/\/$/, '')}/${name}` : join(folder, name);
}
