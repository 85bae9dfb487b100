import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { EventLog, type LogStart } from './event-log.ts';
import { OwnedLog } from './owned-log.ts';
import { reopenLog } from './repair.ts';
import type { Claimed, SessionOwner } from './session-owner.ts';

/** Begins a log. Throws LOG_UNAVAILABLE, and lets go of the session then. */
export function createOwnedLog(file: string, start: LogStart, owner: SessionOwner): OwnedLog {
  try {
    return new OwnedLog(EventLog.create(file, start), owner);
  } catch (error) {
    owner.release();
    throw error;
  }
}

/** A log that its new owner goes on with, repaired. Throws LogDamaged or LOG_UNAVAILABLE, and lets go of the session then. */
export function openOwnedLog(file: string, { owner, before }: Extract<Claimed, { type: 'owner' }>): { readonly log: OwnedLog; readonly torn: boolean } {
  try {
    if (before === 'silent') standAlone(file);
    const { log, torn } = reopenLog(file);
    return { log: new OwnedLog(log, owner), torn };
  } catch (error) {
    owner.release();
    throw error;
  }
}

/**
 * Puts a copy in the file's place. A process that was not seen to end and wakes up in the middle of writing a record then writes into a file that
 * nobody reads, not between the records of its successor.
 */
function standAlone(file: string): void {
  const copy = `${file}.${process.pid}.tmp`;
  copyFileSync(file, copy);
  try {
    renameSync(copy, file);
  } catch {
    // Where a file that is open cannot be replaced; what remains is the time between that process's look at the owner and its write.
    rmSync(copy, { force: true });
  }
}
