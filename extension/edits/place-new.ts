import { constants } from 'node:fs';
import { copyFile, link, unlink } from 'node:fs/promises';
import { errnoOf } from '../files/real-path.ts';
import { stale } from './world-check.ts';

const linksUnsupported: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/**
 * Gives a staged file its final name without ever overwriting: a rename would. STALE_PERMIT where the name is taken by now.
 * Where the file system has no hard links, an exclusive copy takes their place; what was copied in part is removed.
 */
export async function placeNew(staged: string, target: string, makeLink: (from: string, to: string) => Promise<void> = link): Promise<void> {
  try {
    await makeLink(staged, target);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw taken(target);
    if (!linksUnsupported.has(errnoOf(error) ?? '')) throw error;
    try {
      await copyFile(staged, target, constants.COPYFILE_EXCL);
    } catch (copyError) {
      throw errnoOf(copyError) === 'EEXIST' ? taken(target) : copyError;
    }
  }
  await unlink(staged);
}

function taken(target: string): Error {
  return stale(`${target} was absent when this was signed; now something stands there`);
}
