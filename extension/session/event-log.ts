import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { sha256 } from '../boundary/digest.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { snapshotJson } from '../boundary/snapshot.ts';
import { type LogEvent, type LogRecord, logVersion, type SessionLog } from './records.ts';

export const firstHash = '0'.repeat(64);

/** The hash of a record over everything in it, in this order; the chain runs through `prev`. */
export function hashOf(record: Omit<LogRecord, 'hash'>): string {
  return hashOfText(record, JSON.stringify(record.event));
}

/** Of a record whose event has been put into words already. */
function hashOfText({ n, at, prev }: Pick<LogRecord, 'n' | 'at' | 'prev'>, event: string): string {
  return sha256(`[${JSON.stringify(n)},${JSON.stringify(at)},${JSON.stringify(prev)},${event}]`);
}

export interface LogStart {
  readonly sessionId: string;
  readonly roots: readonly string[];
}

/** Where lines go. `write` returns once the operating system has them. */
interface Sink {
  write(line: string): void;
  close(): void;
}

/** A session's log: append-only, numbered, chained. */
export class EventLog implements SessionLog {
  readonly #events: LogEvent[] = [];
  readonly #listeners = new Set<(event: LogEvent) => void>();
  readonly #sink: Sink;
  readonly #now: () => number;
  #n: number;
  #prev: string;
  #failed: unknown;
  #closed = false;

  private constructor(sink: Sink, now: () => number, past: readonly LogRecord[]) {
    this.#sink = sink;
    this.#now = now;
    this.#events.push(...past.map(({ event }) => event));
    this.#n = past.at(-1)?.n ?? 0;
    this.#prev = past.at(-1)?.hash ?? firstHash;
  }

  static inMemory(start: LogStart, now: () => number = Date.now): EventLog {
    return EventLog.#started(new EventLog({ write: () => undefined, close: () => undefined }, now, []), start);
  }

  /** Begins a new file, which must not exist. Throws LOG_UNAVAILABLE. */
  static create(file: string, start: LogStart, now: () => number = Date.now): EventLog {
    return EventLog.#started(new EventLog(fileSink(file, constants.O_EXCL), now, []), start);
  }

  /** Goes on with a file whose whole records have been read. Throws LOG_UNAVAILABLE. */
  static reopen(file: string, past: readonly LogRecord[], now: () => number = Date.now): EventLog {
    return new EventLog(fileSink(file, 0), now, past);
  }

  static #started(log: EventLog, start: LogStart): EventLog {
    log.append({ type: 'session', version: logVersion, ...start });
    return log;
  }

  get events(): readonly LogEvent[] {
    return this.#events;
  }

  append(event: LogEvent): LogRecord {
    // After one failed write the file may end in half a record; what follows it would be lost, so nothing follows.
    if (this.#failed !== undefined) throw unavailable(this.#failed);
    const snapshot = snapshotJson(event);
    if (!snapshot.ok) throw new TypeError(`a record must be lossless JSON: ${snapshot.lossy.fault} at ${snapshot.lossy.pointer}`);
    const own = snapshot.value as unknown as LogEvent;
    const [n, at, prev] = [this.#n + 1, this.#now(), this.#prev];
    // The event is put into words once: what is hashed and what is written are the same text.
    const text = JSON.stringify(own);
    const record: LogRecord = { n, at, event: own, prev, hash: hashOfText({ n, at, prev }, text) };
    try {
      this.#sink.write(`{"n":${n},"at":${at},"event":${text},"prev":"${prev}","hash":"${record.hash}"}\n`);
    } catch (error) {
      this.#failed = error ?? new Error('unknown');
      throw unavailable(error);
    }
    this.#n = record.n;
    this.#prev = record.hash;
    this.#events.push(own);
    for (const listener of this.#listeners) tell(listener, own);
    return record;
  }

  onAppend(listener: (event: LogEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Nothing can be appended after it. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // The descriptor's number may be another file's by the next append.
    this.#failed ??= new Error('the log is closed');
    this.#sink.close();
  }
}

/** The record is written; whoever only watches cannot make it otherwise. */
function tell(listener: (event: LogEvent) => void, event: LogEvent): void {
  try {
    listener(event);
  } catch {
    // Its own fault, and its own loss.
  }
}

function fileSink(file: string, flags: number): Sink {
  let descriptor: number;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | flags, 0o600);
  } catch (error) {
    throw unavailable(error);
  }
  return {
    write: (line) => {
      const bytes = Buffer.from(line);
      let written = 0;
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    },
    close: () => closeSync(descriptor),
  };
}

function unavailable(cause: unknown): CodedError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CodedError('LOG_UNAVAILABLE', `The session log cannot be written (${why}), so nothing runs. Free disk space or mend the folder's permissions, then start a new session.`, { cause });
}
