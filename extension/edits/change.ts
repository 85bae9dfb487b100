import { CodedError } from '../boundary/error-codes.ts';
import type { RealPath } from '../boundary/effect.ts';
import { removeFolders } from './write-file.ts';

/** One signed change at one place, on disk or in a buffer. */
export interface Change {
  readonly path: RealPath;
  /** Throws where it cannot be made as it was signed. Touches nothing. */
  verify(): Promise<void>;
  /** Does all that can fail and that nobody sees yet; leaves nothing behind where it fails. */
  stage(): Promise<StagedChange>;
}

export interface StagedChange {
  /** Folders made for it, outermost first. */
  readonly folders: readonly string[];
  /** Checks once more, and makes the change; leaves nothing of it behind where it fails. */
  land(): Promise<void>;
  /** Gives up what was staged and has not landed. */
  discard(): Promise<void>;
  /** After it landed: puts back what was there. Throws where somebody has changed it since; that stays. */
  takeBack(): Promise<void>;
  /** Once all have landed: ends what was kept so that it could be taken back. */
  finish?(): Promise<void>;
}

/**
 * All of the changes or none: verifies all, stages all, lands all, in their order. Where one fails after others landed, those are
 * taken back; the error names whatever could not be. `onStands` is told of each change that stands in the end, also where it fails.
 */
export async function makeAll(changes: readonly Change[], onStands: (path: RealPath) => void = () => {}): Promise<void> {
  const paths = new Set(changes.map(({ path }) => path));
  if (paths.size !== changes.length) throw new CodedError('EDIT_INVALID', 'One file is changed twice in one call. Nothing was written. Make it one change a file.');
  for (const change of changes) await change.verify();
  const staged = await stageAll(changes);
  for (const [n, one] of staged.entries()) {
    try {
      await one.land();
    } catch (error) {
      for (const later of staged.slice(n + 1)) await later.discard();
      const failure = await afterTakingBack(error, changes, staged.slice(0, n), onStands);
      // A folder that several files were to share is empty only now.
      for (const { folders } of staged.toReversed()) await removeFolders(folders);
      throw failure;
    }
  }
  for (const { path } of changes) onStands(path);
  const finished = await Promise.allSettled(staged.map(async (one) => one.finish?.()));
  for (const one of finished) if (one.status === 'rejected') throw one.reason;
}

async function stageAll(changes: readonly Change[]): Promise<readonly StagedChange[]> {
  const staged: StagedChange[] = [];
  for (const change of changes) {
    try {
      staged.push(await change.stage());
    } catch (error) {
      for (const one of staged.toReversed()) await one.discard();
      throw error;
    }
  }
  return staged;
}

async function afterTakingBack(error: unknown, changes: readonly Change[], landed: readonly StagedChange[], onStands: (path: RealPath) => void): Promise<unknown> {
  if (landed.length === 0) return error;
  const stuck: string[] = [];
  for (const [n, one] of [...landed.entries()].toReversed()) {
    try {
      await one.takeBack();
    } catch (cause) {
      if (changes[n] !== undefined) onStands(changes[n].path);
      stuck.push(`${changes[n]?.path} (${cause instanceof Error ? cause.message : String(cause)})`);
    }
  }
  const what = stuck.length === 0
    ? 'The files written before it were put back as they were: nothing was changed.'
    : `Written, and not put back: ${stuck.join('; ')}. Every other file is as it was.`;
  const message = error instanceof Error ? error.message : String(error);
  return new CodedError(error instanceof CodedError ? error.code : 'TOOL_FAILED', `${message} ${what}`, { cause: error });
}
