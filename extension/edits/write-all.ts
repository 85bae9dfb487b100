import { unlink } from 'node:fs/promises';
import { CodedError } from '../boundary/error-codes.ts';
import { sha256 } from '../boundary/digest.ts';
import { checkWorld } from './world-check.ts';
import { discard, land, removeFolders, stage, verify, writeFileExactly, type FileWrite, type Staged } from './write-file.ts';

/** A write with what it takes to undo it. */
export interface PlannedWrite extends FileWrite {
  /** The bytes of the base; null where it is absent. */
  readonly baseBytes: Uint8Array | null;
}

/**
 * All of the writes or none: verifies all, stages all, lands all. Where one fails after others landed, those are rolled back
 * to their base bytes; the error names whatever could not be.
 */
export async function writeAll(writes: readonly PlannedWrite[]): Promise<void> {
  const paths = new Set(writes.map(({ path }) => path));
  if (paths.size !== writes.length) throw new CodedError('EDIT_INVALID', 'One file is written twice in one call. Nothing was written. Make it one write a file.');
  const unfit = writes.find(({ base, baseBytes }) => (baseBytes === null ? 'absent' : sha256(baseBytes)) !== base);
  if (unfit !== undefined) throw new CodedError('EDIT_INVALID', `The base bytes of ${unfit.path} are not those that were signed. Nothing was written.`);
  for (const write of writes) await verify(write);
  const staged = await stageAll(writes);
  for (const [n, one] of staged.entries()) {
    try {
      await land(one);
    } catch (error) {
      for (const later of staged.slice(n + 1)) await discard(later);
      const failure = await afterRollBack(error, staged.slice(0, n), writes);
      // A folder that several files were to share is empty only now.
      for (const { folders } of staged.toReversed()) await removeFolders(folders);
      throw failure;
    }
  }
}

async function stageAll(writes: readonly FileWrite[]): Promise<readonly Staged[]> {
  const staged: Staged[] = [];
  for (const write of writes) {
    try {
      staged.push(await stage(write));
    } catch (error) {
      for (const one of staged.toReversed()) await discard(one);
      throw error;
    }
  }
  return staged;
}

async function afterRollBack(error: unknown, landed: readonly Staged[], writes: readonly PlannedWrite[]): Promise<unknown> {
  const stuck: string[] = [];
  for (const one of landed.toReversed()) {
    const plan = writes.find(({ path }) => path === one.write.path);
    if (plan === undefined) continue;
    try {
      await rollBack(plan, one.folders);
    } catch (cause) {
      stuck.push(`${plan.path} (${cause instanceof Error ? cause.message : String(cause)})`);
    }
  }
  if (landed.length === 0) return error;
  const what = stuck.length === 0
    ? 'The files written before it were put back as they were: nothing was changed.'
    : `Written, and not put back: ${stuck.join('; ')}. Every other file is as it was.`;
  const message = error instanceof Error ? error.message : String(error);
  return new CodedError(error instanceof CodedError ? error.code : 'TOOL_FAILED', `${message} ${what}`, { cause: error });
}

/** Only what is still exactly as we wrote it is put back: what someone changed since is theirs. */
async function rollBack({ path, bytes, baseBytes, random }: PlannedWrite, folders: readonly string[]): Promise<void> {
  const base = sha256(bytes);
  if (baseBytes !== null) return writeFileExactly({ path, base, bytes: baseBytes, recheck: () => {}, random });
  await checkWorld({ path, base });
  await unlink(path);
  await removeFolders(folders);
}
