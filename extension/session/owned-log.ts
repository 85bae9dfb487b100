import { CodedError } from '../boundary/error-codes.ts';
import type { EventLog } from './event-log.ts';
import type { LogEvent, LogRecord, SessionLog } from './records.ts';
import type { SessionOwner } from './session-owner.ts';

export interface OwnedLogPorts {
  readonly sleep: (ms: number) => Promise<void>;
  /** What ending what runs may take, in milliseconds, where another window wants the session. */
  readonly letGoMs: number;
}

/** A log that only its owner may write: a window that was reloaded or overtaken cannot go on under its successor. */
export class OwnedLog implements SessionLog {
  readonly #log: EventLog;
  readonly #owner: SessionOwner;
  #closed = false;

  constructor(log: EventLog, owner: SessionOwner) {
    this.#log = log;
    this.#owner = owner;
  }

  get events(): readonly LogEvent[] {
    return this.#log.events;
  }

  /** Whether this window writes the session still. */
  get isOurs(): boolean {
    return !this.#closed && this.#owner.holds;
  }

  append(event: LogEvent): LogRecord {
    if (this.#closed) throw new CodedError('LOG_UNAVAILABLE', 'This session is closed here; nothing runs in it any more.');
    if (!this.#owner.holds) {
      throw new CodedError('LOG_UNAVAILABLE', 'This session goes on in another window; nothing runs here. Take it over again, or start a new session.');
    }
    return this.#log.append(event);
  }

  onAppend(listener: (event: LogEvent) => void): () => void {
    return this.#log.onAppend(listener);
  }

  /**
   * Where another window wants the session: has `stop` end what runs, lets go once that is done or has taken too long, and then tells `lost`. The
   * same where another window has it already; then nothing more was written here. Once, and not after `close`.
   */
  onLost({ sleep, letGoMs }: OwnedLogPorts, stop: () => Promise<void>, lost: () => void): void {
    this.#owner.onWanted(() => {
      void (async () => {
        if (this.#closed) return;
        await Promise.race([stop().catch(() => undefined), sleep(letGoMs)]);
        if (this.#closed) return;
        this.close();
        lost();
      })();
    });
  }

  /** Nothing more is written, and another window may: what is open now is closed by the repair when the session is opened again. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#log.close();
    this.#owner.release();
  }
}
