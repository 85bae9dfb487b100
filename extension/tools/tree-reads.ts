import type { EffectOf } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { Look } from '../boundary/tool-definition.ts';

/** A read of everything below a folder, or below each workspace folder. The gate fills in what is left out. */
export async function treeReads(path: string | undefined, look: Look): Promise<readonly EffectOf<'read'>[]> {
  const folders = path === undefined ? await look.roots() : [await look.locate(path)];
  if (folders.length === 0) throw new CodedError('FS_NOT_FOUND', 'No folder is open, so there is nothing to search below. Ask the person to open a folder.');
  return folders.map((located) => {
    if (located.type !== 'directory') throw new CodedError('FS_REFUSED', `${located.display} is a file, not a folder.`);
    return { kind: 'read', path: located.path, extent: 'tree', except: [] };
  });
}
