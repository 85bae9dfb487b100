import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Who writes a session. */
export interface OwnerMark {
  readonly token: string;
  readonly pid: number;
  /** Where process ids mean the same: a machine since its last start, a container. */
  readonly place: string;
  readonly released: boolean;
}

export interface OwnerEntry {
  readonly generation: number;
  /** null where it cannot be read: it is being written, or is not ours. Its heartbeat still counts. */
  readonly mark: OwnerMark | null;
  /** When it was touched last, by the clock on the wall. */
  readonly beat: number;
}

/**
 * The files that say who writes a session: `BASE.1`, `BASE.2`, … each made by a new owner, and only where it was not there; the highest
 * counts. So of several that want to be the next, one is. `BASE.N.wanted` asks the owner of N to let go.
 */
export class OwnerFiles {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  latest(): OwnerEntry | null {
    for (;;) {
      const generation = Math.max(0, ...this.#generations());
      if (generation === 0) return null;
      try {
        return { generation, mark: markIn(readFileSync(this.#file(generation), 'utf8')), beat: statSync(this.#file(generation)).mtimeMs };
      } catch (error) {
        // A successor has removed it since the folder was read.
        if (!isMissing(error)) throw error;
      }
    }
  }

  /** Makes the entry of this generation; false where somebody else is the owner of it or of a later one. */
  claim(generation: number, mark: OwnerMark): boolean {
    mkdirSync(dirname(this.#base), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(this.#file(generation), textOf(mark), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    }
    const others = this.#generations();
    if (others.some((other) => other > generation)) {
      rmSync(this.#file(generation), { force: true });
      return false;
    }
    for (const other of others) if (other < generation) for (const end of ['', '.wanted']) rmSync(`${this.#file(other)}${end}`, { force: true });
    return true;
  }

  /** Whether this is still the owner's entry, and there is no later one. */
  isCurrent(generation: number, token: string): boolean {
    try {
      const mark = markIn(readFileSync(this.#file(generation), 'utf8'));
      return mark?.token === token && !mark.released && !existsSync(this.#file(generation + 1));
    } catch {
      return false;
    }
  }

  touch(generation: number): void {
    const now = new Date();
    utimesSync(this.#file(generation), now, now);
  }

  /** Writes over the entry, where it is still there: it must not come back once a successor has removed it. */
  rewrite(generation: number, mark: OwnerMark): void {
    try {
      writeFileSync(this.#file(generation), textOf(mark), { flag: 'r+' });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  want(generation: number): void {
    writeFileSync(`${this.#file(generation)}.wanted`, '', { mode: 0o600 });
  }

  unwant(generation: number): void {
    rmSync(`${this.#file(generation)}.wanted`, { force: true });
  }

  isWanted(generation: number): boolean {
    return existsSync(`${this.#file(generation)}.wanted`);
  }

  #file(generation: number): string {
    return `${this.#base}.${generation}`;
  }

  #generations(): readonly number[] {
    const start = `${basename(this.#base)}.`;
    try {
      return readdirSync(dirname(this.#base)).flatMap((name) => (name.startsWith(start) && /^[1-9]\d{0,8}$/.test(name.slice(start.length)) ? [Number(name.slice(start.length))] : []));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }
}

/** Always of one length: a shorter text over a longer one would leave its end. */
function textOf(mark: OwnerMark): string {
  return JSON.stringify(mark).padEnd(1000);
}

function markIn(text: string): OwnerMark | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('token' in value) || !('pid' in value) || !('place' in value) || !('released' in value)) return null;
  const { token, pid, place, released } = value;
  if (typeof token !== 'string' || typeof pid !== 'number' || !Number.isInteger(pid) || typeof place !== 'string' || typeof released !== 'boolean') return null;
  return { token, pid, place, released };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
