import { rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Digest, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { errnoOf } from '../files/real-path.ts';
import type { Change } from './change.ts';
import { refusedByFileSystem } from './fs-refused.ts';
import { placeNew } from './place-new.ts';
import { refuseReadOnly } from './read-only.ts';
import { checkWorld, contentDigest, stale } from './world-check.ts';

/** One file's deletion, as it was signed. */
export interface FileDeletion {
  readonly path: RealPath;
  readonly base: Digest;
  /** What else must still hold just before; throws where it does not. */
  readonly recheck: () => Promise<void> | void;
  /** A fresh random name part, of letters and digits. */
  readonly random: () => string;
}

/**
 * The deletion of a file on disk, as one of several changes. The file first loses its name and is there until all have landed, so
 * that it can be put back as it was: with its mode, its owner and its other names.
 */
export function diskDeletion(deletion: FileDeletion): Change {
  const { path } = deletion;
  const temporary = join(dirname(path), `.countersign-${deletion.random()}.tmp`);
  return {
    path,
    verify: () => verify(deletion),
    stage: () => Promise.resolve({
      folders: [],
      land: () => setAside(deletion, temporary),
      discard: () => Promise.resolve(),
      takeBack: () => putBack(temporary, path),
      finish: () => end(temporary, path),
    }),
  };
}

async function verify({ path, base, recheck }: FileDeletion): Promise<void> {
  await recheck();
  await refuseReadOnly(path, `delete ${path}`);
  await checkWorld({ path, base });
}

async function setAside(deletion: FileDeletion, temporary: string): Promise<void> {
  const { path, base } = deletion;
  await verify(deletion);
  try {
    await rename(path, temporary);
  } catch (error) {
    throw errnoOf(error) === 'ENOENT' ? stale(`${path} is gone`) : refusedByFileSystem(error, `delete ${path}`);
  }
  // What was changed between the last look and the rename is not what was signed: it gets its name back.
  if (await contentDigest(temporary).catch(() => null) === base) return;
  await putBack(temporary, path);
  throw stale(`The content of ${path} changed after this was signed`);
}

/** Never in the place of another file. */
async function putBack(temporary: string, path: RealPath): Promise<void> {
  try {
    await placeNew(temporary, path);
  } catch (cause) {
    throw new CodedError('FS_REFUSED', `it is called ${temporary} now: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

async function end(temporary: string, path: RealPath): Promise<void> {
  try {
    await unlink(temporary);
  } catch (error) {
    throw refusedByFileSystem(error, `delete ${path}, which is called ${temporary} now`);
  }
}
