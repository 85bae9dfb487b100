import type { ErrorCode } from '../boundary/error-codes.ts';
import { processPorts } from '../session/owner-alive.ts';
import { OwnerFiles } from '../session/owner-files.ts';
import { LogDamaged, readLog } from '../session/read-log.ts';
import type { LogEvent } from '../session/records.ts';
import { reopenLog, repairs } from '../session/repair.ts';
import { claimSession } from '../session/session-owner.ts';
import { UnusableOptions } from './options.ts';

/** What a log's chain says of it. */
export interface Verified {
  readonly ok: boolean;
  /** Whole records, from the first, whose chain holds. */
  readonly records: number;
  /** The last line is half a record, from a crash in the middle of writing it: it was never acknowledged. */
  readonly torn: boolean;
  /** Where the damage is, 1-based; and in words. */
  readonly line?: number;
  readonly message?: string;
  /** Whether a key vouches for the last record. There is none yet: a log that was written anew from its first record on passes. */
  readonly headKeyed: false;
}

export interface Resumed {
  readonly torn: boolean;
  /** The calls that had no result, with what they have got. */
  readonly closed: readonly { readonly call: string; readonly code: ErrorCode | null }[];
  readonly turnEnded: boolean;
  readonly dryRun: boolean;
}

export function verifyLog(file: string): Verified {
  try {
    const { records, torn } = readLog(file);
    return { ok: true, records: records.length, torn, headKeyed: false };
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw unreadable(file, error);
    return { ok: false, records: error.line - 1, torn: false, line: error.line, message: error.message, headKeyed: false };
  }
}

/** Closes what a crash left open in a log, as a reload in the editor would. Throws LogDamaged, and leaves the file as it is. */
export async function resumeLog(file: string, dryRun: boolean): Promise<Resumed> {
  const { records, torn } = readable(file);
  const missing = repairs(records.map(({ event }) => event));
  if (!dryRun) await repairFile(file);
  return { torn, closed: missing.flatMap(closedBy), turnEnded: missing.some(({ type }) => type === 'turn-ended'), dryRun };
}

/** A session that a window writes is repaired by nobody else. */
async function repairFile(file: string): Promise<void> {
  const base = `${file.replace(/\.jsonl$/, '')}.owner`;
  if (new OwnerFiles(base).latest() === null) return reopenLog(file).log.close();
  const claimed = await claimSession(base, processPorts());
  if (claimed.type === 'held') throw new UnusableOptions(`${file} is written by a window of the editor. Close that, or start a new session in it, and try again.`);
  try {
    reopenLog(file).log.close();
  } finally {
    claimed.owner.release();
  }
}

function readable(file: string): ReturnType<typeof readLog> {
  try {
    return readLog(file);
  } catch (error) {
    throw error instanceof LogDamaged ? error : unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): UnusableOptions {
  return new UnusableOptions(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
}

function closedBy(event: LogEvent): Resumed['closed'] {
  return event.type === 'settled' ? [{ call: event.call, code: event.result.error?.code ?? null }] : [];
}
