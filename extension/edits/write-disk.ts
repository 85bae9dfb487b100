import { unlink } from 'node:fs/promises';
import { CodedError } from '../boundary/error-codes.ts';
import { sha256 } from '../boundary/digest.ts';
import type { Change } from './change.ts';
import { checkWorld } from './world-check.ts';
import { discard, land, removeFolders, stage, verify, writeFileExactly, type FileWrite } from './write-file.ts';

/** A write with what it takes to undo it. */
export interface PlannedWrite extends FileWrite {
  /** The bytes of the base; null where it is absent. */
  readonly baseBytes: Uint8Array | null;
}

/** A write of a file on disk, as one of several changes. */
export function diskWrite(write: PlannedWrite): Change {
  return {
    path: write.path,
    verify: async () => {
      if ((write.baseBytes === null ? 'absent' : sha256(write.baseBytes)) !== write.base) {
        throw new CodedError('EDIT_INVALID', `The base bytes of ${write.path} are not those that were signed. Nothing was written.`);
      }
      await verify(write);
    },
    stage: async () => {
      const staged = await stage(write);
      return { folders: staged.folders, land: () => land(staged), discard: () => discard(staged), takeBack: () => takeBack(write, staged.folders) };
    },
  };
}

/** Only what is still exactly as we wrote it is put back: what someone changed since is theirs. */
async function takeBack({ path, bytes, baseBytes, random }: PlannedWrite, folders: readonly string[]): Promise<void> {
  const base = sha256(bytes);
  if (baseBytes !== null) return writeFileExactly({ path, base, bytes: baseBytes, recheck: () => {}, random });
  await checkWorld({ path, base });
  await unlink(path);
  await removeFolders(folders);
}
