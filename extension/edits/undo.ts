import { sha256 } from '../boundary/digest.ts';
import type { Digest } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { FileChange } from '../boundary/file-change.ts';
import { lineIn, type MergeConflict, mergeText } from './merge.ts';
import { decodeText, encodeText } from './text.ts';

/** A file as it stands: null and `absent` where there is none. */
export interface FileState {
  readonly bytes: Uint8Array | null;
  readonly digest: Digest | 'absent';
}

export type ObjectOf = (digest: Digest) => Promise<Uint8Array | null>;

/**
 * The file without these changes of it, the newest first: exactly the bytes from before, where nobody changed it since; else the
 * changes are taken out of it line by line. Gives the state that is to be written, which may be the present one, or why it cannot be.
 */
export async function undoneState(display: string, now: FileState, changes: readonly Pick<FileChange, 'base' | 'result'>[], object: ObjectOf): Promise<FileState | CodedError> {
  let state = now;
  for (let at = 0; at < changes.length; at += 1) {
    // What stands there as it was before one of them is without that one and all that came after it.
    const reached = changes.findLastIndex(({ base }) => base === state.digest);
    if (reached >= at) {
      at = reached;
      continue;
    }
    const change = changes[at];
    if (change === undefined) break;
    const next = await without({ display, now, state, object }, change);
    if (next instanceof CodedError) return next;
    state = next;
  }
  return state;
}

interface UndoStep {
  readonly display: string;
  readonly now: FileState;
  /** `now` without the changes that came after this one. */
  readonly state: FileState;
  readonly object: ObjectOf;
}

async function without({ display, now, state, object }: UndoStep, { base, result }: Pick<FileChange, 'base' | 'result'>): Promise<FileState | CodedError> {
  if (state.digest === result) return base === 'absent' ? { bytes: null, digest: 'absent' } : kept(display, base, object);
  if (result === 'absent') return refused('FS_STALE', `${display} was deleted by the call, and now another file stands there. Move that away first`);
  if (base === 'absent') return refused('FS_STALE', state.bytes === null ? `${display} is gone already` : `${display} was created by the call and changed since; it would be deleted with what was changed. Delete it by hand`);
  if (state.bytes === null) return refused('FS_STALE', `${display} was changed by the call and deleted since. Bring it back first`);
  const [before, after] = [await kept(display, base, object), await kept(display, result, object)];
  if (before instanceof CodedError) return before;
  if (after instanceof CodedError) return after;
  const [common, ours, theirs] = [decodeText(after.bytes, display), decodeText(state.bytes, display), decodeText(before.bytes, display)];
  if (common instanceof CodedError || ours instanceof CodedError || theirs instanceof CodedError) {
    return refused('FS_STALE', `${display} was changed since, and it is not UTF-8 text, so the two changes cannot be told apart`);
  }
  const merge = mergeText(common.text, ours.text, theirs.text);
  if (!merge.clean) {
    const shown = decodeText(now.bytes ?? state.bytes, display);
    const lineNow = (line: number): number => (shown instanceof CodedError || shown.text === ours.text ? line : lineIn(shown.text, ours.text, line));
    return refused('FS_STALE', inConflict(display, merge.conflicts, lineNow), `${display} was changed since in the same place. Change it by hand`);
  }
  const bytes = encodeText({ text: merge.text, bom: ours.bom === common.bom ? theirs.bom : ours.bom }, display);
  return bytes instanceof CodedError ? bytes : { bytes, digest: sha256(bytes) };
}

interface Kept {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
}

async function kept(display: string, digest: Digest, object: ObjectOf): Promise<Kept | CodedError> {
  const bytes = await object(digest);
  return bytes !== null && sha256(bytes) === digest ? { bytes, digest } : refused('FS_NOT_FOUND', `What stood in ${display} before is not kept any more, or is damaged`);
}

const maxConflicts = 3;
const maxShown = 1000;

function inConflict(display: string, conflicts: readonly MergeConflict[], lineNow: (line: number) => number): string {
  const shown = conflicts.slice(0, maxConflicts).map(({ first, last, ours, theirs }) => {
    const where = last > first ? `lines ${lineNow(first)} to ${lineNow(last)}` : last === first ? `line ${lineNow(first)}` : `before line ${lineNow(first)}`;
    return `${where}:\nNow it is\n${quoted(ours)}\nand before the call it was\n${quoted(theirs)}`;
  });
  const more = conflicts.length > maxConflicts ? `\nand in ${conflicts.length - maxConflicts} more places` : '';
  return `${display} was changed since in the same place, ${shown.join('\n')}${more}\nChange it by hand`;
}

function quoted(text: string): string {
  if (text === '') return '(nothing)';
  const part = text.length > maxShown ? `${text.slice(0, maxShown).toWellFormed()}…` : text;
  return part.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/).map((line) => `> ${line}`).join('\n');
}

function refused(code: 'FS_STALE' | 'FS_NOT_FOUND', why: string, quiet: string = why): CodedError {
  return new CodedError(code, why, { quiet });
}
