import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RealPath } from '../boundary/effect.ts';
import type { DirectoryEntry } from '../boundary/tool-definition.ts';
import { accessError } from './real-path.ts';

const maxEntries = 5000;

/** What stands in a folder, by name; links are named, not followed. FS_* where it cannot be listed. */
export async function entriesOf(path: RealPath): Promise<readonly DirectoryEntry[]> {
  try {
    const entries = (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, maxEntries);
    return await Promise.all(entries.map(async (entry): Promise<DirectoryEntry> => {
      const type = entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other';
      return { name: entry.name, type, size: type === 'file' ? await sizeOf(join(path, entry.name)) : 0 };
    }));
  } catch (cause) {
    throw accessError(path, cause);
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
