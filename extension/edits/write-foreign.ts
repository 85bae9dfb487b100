import { sha256 } from '../boundary/digest.ts';
import type { Digest, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { foreignParent } from '../boundary/foreign-path.ts';
import { foreignBytes, type ForeignFiles, isInFolders } from '../files/foreign-files.ts';
import { maxFileBytes } from '../files/read-bytes.ts';
import type { Change, StagedChange } from './change.ts';
import { refuseReadOnly } from './read-only.ts';
import { stale } from './world-check.ts';

/** One file's deletion off the disk, as it was signed. */
export interface ForeignDeletion {
  readonly path: RealPath;
  readonly base: Digest;
  /** The bytes of the base. */
  readonly baseBytes: Uint8Array;
  /** What else must still hold just before; throws where it does not. */
  readonly recheck: () => Promise<void> | void;
}

/** One file's write off the disk, as it was signed. */
export interface ForeignWrite extends Omit<ForeignDeletion, 'base' | 'baseBytes'> {
  readonly base: Digest | 'absent';
  /** null where it is absent. */
  readonly baseBytes: Uint8Array | null;
  readonly bytes: Uint8Array;
}

/**
 * A write through the editor, as one of several changes. Such a file system has no rename that replaces, so what is there is compared with
 * the base immediately before, and read again after: it holds exactly what was signed, or the call fails and says what stands there.
 * Folders that are made for it stay.
 */
export function foreignWrite(write: ForeignWrite, files: ForeignFiles): Change {
  const { path, base, baseBytes, bytes } = write;
  const result = sha256(bytes);
  const verify = async (): Promise<void> => {
    if ((baseBytes === null ? 'absent' : sha256(baseBytes)) !== base) throw new CodedError('EDIT_INVALID', `The base bytes of ${path} are not those that were signed. Nothing was written.`);
    await write.recheck();
    await refuseReadOnly(path, `write ${path}`, files);
    await refuseFileOnTheWay(path, files);
    await checkBase(path, base, files);
  };
  return changeOf(path, { from: base, to: result }, files, verify, {
    make: () => files.write(path, bytes),
    restore: () => (baseBytes === null ? files.delete(path) : files.write(path, baseBytes)),
  });
}

/** A deletion through the editor, as one of several changes. */
export function foreignDeletion({ path, base, baseBytes, recheck }: ForeignDeletion, files: ForeignFiles): Change {
  const verify = async (): Promise<void> => {
    if (sha256(baseBytes) !== base) throw new CodedError('EDIT_INVALID', `The base bytes of ${path} are not those that were signed. Nothing was deleted.`);
    await recheck();
    await refuseReadOnly(path, `delete ${path}`, files);
    await checkBase(path, base, files);
  };
  return changeOf(path, { from: base, to: 'absent' }, files, verify, { make: () => files.delete(path), restore: () => files.write(path, baseBytes) });
}

interface Steps {
  readonly make: () => Promise<void>;
  readonly restore: () => Promise<void>;
}

/** Verified once more right before it is made; taken back only where what it made still stands. */
function changeOf(path: RealPath, { from, to }: { readonly from: Digest | 'absent'; readonly to: Digest | 'absent' }, files: ForeignFiles, verify: () => Promise<void>, { make, restore }: Steps): Change {
  return {
    path, verify,
    stage: () => Promise.resolve(inOneGo({
      land: async () => {
        await verify();
        await become(path, { from, to }, files, make);
      },
      takeBack: async () => {
        await checkBase(path, to, files);
        await become(path, { from: to, to: from }, files, restore);
      },
    })),
  };
}

/** Nothing can be made ready beforehand. */
function inOneGo(steps: Pick<StagedChange, 'land' | 'takeBack'>): StagedChange {
  return { folders: [], discard: () => Promise.resolve(), ...steps };
}

type State = Digest | 'absent' | 'something else';

/** Whatever the file system says of a change: what stands there afterwards counts. */
async function become(path: RealPath, { from, to }: { readonly from: State; readonly to: State }, files: ForeignFiles, change: () => Promise<void>): Promise<void> {
  const failure = await change().then(() => null, (cause: unknown) => ({ cause }));
  const now = await seen(path, files);
  if (now.state === to) return;
  if (failure !== null && now.state === from) throw failure.cause;
  const why = failure === null ? '' : ` (${failure.cause instanceof Error ? failure.cause.message : String(failure.cause)})`;
  throw new CodedError('TOOL_FAILED', `The file system of ${path} did not do what it was told${why}: now ${now.words}. Read it again before you go on, and tell the person.`, failure === null ? {} : { cause: failure.cause });
}

async function checkBase(path: RealPath, base: Digest | 'absent', files: ForeignFiles): Promise<void> {
  const { state } = await seen(path, files);
  if (state === base) return;
  if (base === 'absent') throw stale(`${path} was absent when this was signed; now something stands there`);
  throw stale(state === 'absent' ? `${path} is gone` : `The content of ${path} changed after this was signed`);
}

async function seen(path: RealPath, files: ForeignFiles): Promise<{ readonly state: State; readonly words: string }> {
  try {
    const file = await foreignBytes(path, files, maxFileBytes);
    if (file === null) return { state: 'absent', words: 'nothing stands there' };
    if ('size' in file) return { state: 'something else', words: `a file of ${file.size} bytes stands there` };
    return { state: file.digest, words: `a file of ${file.bytes.length} bytes with the digest ${file.digest} stands there` };
  } catch (error) {
    return { state: 'something else', words: `what stands there cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function refuseFileOnTheWay(path: RealPath, files: ForeignFiles): Promise<void> {
  for (let folder = foreignParent(path); isInFolders(folder, files); folder = foreignParent(folder)) {
    const status = await files.status(folder);
    if (status !== null && status.type !== 'directory') throw stale(`${folder} is no folder any more`);
    if (status !== null || files.folders.includes(folder)) return;
  }
}
