import { closeSync, fstatSync, type FSWatcher, openSync, readSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { CodedError } from '../boundary/error-codes.ts';
import { firstHash } from './event-log.ts';
import { LogDamaged, readRecord } from './read-log.ts';
import type { LogEvent, LogRecord, SessionLog } from './records.ts';

/** Bytes that are read at once; no record is longer. */
const longestRecord = 64 * 1024 * 1024;
/** A fault counts once it has been there for so long: a writer that repairs a torn line is seen in the middle of it. */
const faultMs = 300;
const pollMs = 500;

/**
 * A session's log as another process writes it. Each whole record is checked against the chain and told once, in order; a record that is
 * still being written is waited for. Ends, with why, where the file is damaged, shorter than it was or gone.
 */
export class FollowedLog implements SessionLog {
  readonly #file: string;
  readonly #now: () => number;
  readonly #events: LogEvent[] = [];
  readonly #listeners = new Set<(event: LogEvent) => void>();
  readonly #endListeners = new Set<(why: string) => void>();
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | null = null;
  /** Bytes of the whole records so far. */
  #offset = 0;
  #prev = firstHash;
  #faultSince: number | null = null;
  #closed = false;

  /** Reads what is there. Throws LogDamaged, or what the file system says. `now` is monotonic, in milliseconds. */
  constructor(file: string, now: () => number) {
    this.#file = file;
    this.#now = now;
    this.#read();
    if (this.#events.length === 0) throw new LogDamaged(1, 'there is no whole record');
    this.#timer = setInterval(() => this.#look(), pollMs);
    this.#watch();
  }

  get events(): readonly LogEvent[] {
    return this.#events;
  }

  append(): LogRecord {
    throw new CodedError('LOG_UNAVAILABLE', 'Another window writes this session; nothing runs here. Take the session over, or start a new one.');
  }

  onAppend(listener: (event: LogEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called once, where it cannot be followed any more. */
  onEnd(listener: (why: string) => void): void {
    this.#endListeners.add(listener);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  /** The folder, not the file: whoever takes a session over may put another file in its place. Without a watcher there is the timer. */
  #watch(): void {
    try {
      this.#watcher = watch(dirname(this.#file), (_event, name) => {
        if (name === null || name === basename(this.#file)) this.#look();
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      this.#watcher = null;
    }
  }

  #look(): void {
    if (this.#closed) return;
    try {
      this.#read();
      this.#faultSince = null;
    } catch (error) {
      this.#faultSince ??= this.#now();
      if (this.#now() - this.#faultSince < faultMs) return;
      this.close();
      const why = error instanceof Error ? error.message : String(error);
      for (const listener of this.#endListeners) listener(why);
    }
  }

  #read(): void {
    const descriptor = openSync(this.#file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      if (size < this.#offset) throw new LogDamaged(this.#events.length, 'the file is shorter than it was');
      while (this.#offset < size && this.#readSome(descriptor, Math.min(size - this.#offset, longestRecord))) { /* the rest of it */ }
    } finally {
      closeSync(descriptor);
    }
  }

  /** False where no record has become whole. */
  #readSome(descriptor: number, length: number): boolean {
    const buffer = Buffer.allocUnsafe(length);
    const bytes = buffer.subarray(0, readSync(descriptor, buffer, 0, length, this.#offset));
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
      const { event, hash } = readRecord(bytes.toString('utf8', start, end), this.#events.length + 1, this.#prev);
      this.#prev = hash;
      this.#offset += end + 1 - start;
      start = end + 1;
      this.#events.push(event);
      for (const listener of this.#listeners) tell(listener, event);
    }
    if (start === 0 && length === longestRecord) throw new LogDamaged(this.#events.length + 1, 'it is longer than a record can be');
    return start > 0;
  }
}

function tell(listener: (event: LogEvent) => void, event: LogEvent): void {
  try {
    listener(event);
  } catch {
    // Its own fault, and its own loss.
  }
}
