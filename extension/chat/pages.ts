import type { Entry } from '../../webview/protocol/state.ts';
import type { Change } from './transcript.ts';
import { wholeState } from './whole-state.ts';

export interface Page {
  readonly entries: readonly Entry[];
  /** How many stand before them. */
  readonly older: number;
}

/** Entries that are sent at once. */
const pageSize = 150;

/** What of a long conversation the view holds: the newest entries, and older ones as it asks for them. The rest is not sent, nor are changes of it. */
export class Pages {
  readonly #size: number;
  /** Ids that the view does not have, oldest first. */
  #unsent: readonly string[] = [];
  #isUnsent = new Set<string>();

  constructor(size: number = pageSize) {
    this.#size = size;
  }

  /** The newest entries; whatever waits for the person is among them. */
  newest(entries: readonly Entry[]): Page {
    const waiting = entries.findIndex((entry) => entry.kind === 'call' && (entry.status === 'asking' || entry.question !== null));
    const from = Math.min(Math.max(0, entries.length - this.#size), waiting < 0 ? entries.length : waiting);
    this.#hold(entries.slice(0, from).map(({ id }) => id));
    return { entries: wholeState(entries.slice(from)), older: from };
  }

  /** Those that stand before what was sent so far. */
  before(entries: readonly Entry[]): Page {
    const from = Math.max(0, this.#unsent.length - this.#size);
    const ids = new Set(this.#unsent.slice(from));
    this.#hold(this.#unsent.slice(0, from));
    return { entries: wholeState(entries.filter(({ id }) => ids.has(id))), older: from };
  }

  /** Whether the view has what changed. */
  concerns(change: Change): boolean {
    return !this.#isUnsent.has(change.type === 'entry' ? change.entry.id : change.id);
  }

  #hold(ids: readonly string[]): void {
    this.#unsent = ids;
    this.#isUnsent = new Set(ids);
  }
}
