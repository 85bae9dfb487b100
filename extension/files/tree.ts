import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Glob, RealPath } from '../boundary/effect.ts';

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
  readonly signal: AbortSignal;
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
  const entered = new Set(walk.root.split(sep));
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
    const entries = await list(folder, depth === 0 ? null : unreadable);
    for (const entry of entries) {
      walk.signal.throwIfAborted();
      const path = join(folder, entry.name);
      const below = relative === '' ? entry.name : `${relative}/${entry.name}`;
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile() && !entry.isSymbolicLink()) continue;
      if (isLeftOut(path, entry.name, isDirectory)) continue;
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
      if (await visit({ path, relative: below, type: entry.isFile() ? 'file' : 'link' }) === 'stop') return 'stop';
    }
    return 'go-on';
  };

  walk.signal.throwIfAborted();
  await enter(walk.root, '', 0);
  return { leftOut, leftOutCount, unreadable, truncated };
}

/** Sorted so that the whole walk comes in the order of its paths: a folder sorts with the `/` that follows its name. */
async function list(folder: string, unreadable: string[] | null): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.map((entry) => ({ entry, key: entry.isDirectory() ? `${entry.name}/` : entry.name }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ entry }) => entry);
  } catch (error) {
    if (unreadable === null) throw error;
    unreadable.push(folder);
    return [];
  }
}
