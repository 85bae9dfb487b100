import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RealPath } from '../boundary/effect.ts';
import type { DirectoryEntry, DirectoryListing } from '../boundary/tool-definition.ts';
import { isForeign, isForeignName } from '../boundary/foreign-path.ts';
import { type ForeignFiles, noForeignFiles } from './foreign-files.ts';
import { accessError } from './real-path.ts';

export const maxEntries = 5000;

/** What stands in a folder, by name; links are named, not followed. FS_* where it cannot be listed. */
export async function entriesOf(path: RealPath, foreign: ForeignFiles = noForeignFiles): Promise<DirectoryListing> {
  if (isForeign(path)) return foreignEntriesOf(path, foreign);
  try {
    const all = (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
    const entries = await Promise.all(all.slice(0, maxEntries).map(async (entry): Promise<DirectoryEntry> => {
      const type = entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other';
      return { name: entry.name, type, size: type === 'file' ? await sizeOf(join(path, entry.name)) : 0 };
    }));
    return { entries, more: all.length - entries.length };
  } catch (cause) {
    throw accessError(path, cause);
  }
}

/** Sizes are asked for a few at a time: each may be a request to somewhere else. */
async function foreignEntriesOf(path: string, foreign: ForeignFiles): Promise<DirectoryListing> {
  const all = [...await foreign.entries(path)].sort((a, b) => (a.name < b.name ? -1 : 1));
  const listed = all.slice(0, maxEntries);
  const entries: DirectoryEntry[] = [];
  for (let at = 0; at < listed.length; at += sizesAtOnce) {
    entries.push(...await Promise.all(listed.slice(at, at + sizesAtOnce).map(async ({ name, type }): Promise<DirectoryEntry> => {
      // A name that no path can hold leads nowhere; it is listed all the same.
      const size = type === 'file' && isForeignName(name) ? await foreignSizeOf(`${path.replace(/\/$/, '')}/${name}`, foreign) : 0;
      return { name, type, size };
    })));
  }
  return { entries, more: all.length - entries.length };
}

const sizesAtOnce = 50;

async function foreignSizeOf(path: string, foreign: ForeignFiles): Promise<number> {
  try {
    return (await foreign.status(path))?.size ?? 0;
  } catch {
    return 0;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
