import { isGone, type OwnerPorts, ownerStateOf } from './owner-alive.ts';
import { type OwnerEntry, OwnerFiles, type OwnerMark } from './owner-files.ts';

/** That this process writes a session, until it lets go or another one has it. */
export class SessionOwner {
  readonly #files: OwnerFiles;
  readonly #generation: number;
  readonly #mark: OwnerMark;
  readonly #timer: NodeJS.Timeout;
  #wanted: (() => void) | null = null;
  #isWanted = false;
  #released = false;
  #lastBeat: number;

  constructor(files: OwnerFiles, generation: number, mark: OwnerMark, { now, times }: OwnerPorts) {
    this.#files = files;
    this.#generation = generation;
    this.#mark = mark;
    this.#lastBeat = now();
    this.#timer = setInterval(() => {
      if (!this.holds || files.isWanted(generation)) this.#want();
      if (now() - this.#lastBeat < times.beat) return;
      this.#lastBeat = now();
      this.#touch();
    }, times.look);
  }

  /** Looked up on disk each time, before each record. */
  get holds(): boolean {
    return !this.#released && this.#files.isCurrent(this.#generation, this.#mark.token);
  }

  /** Called once, where another window wants the session, or has it already. */
  onWanted(listener: () => void): void {
    this.#wanted = listener;
    if (this.#isWanted) listener();
  }

  release(): void {
    if (this.#released) return;
    const holds = this.holds;
    this.#released = true;
    clearInterval(this.#timer);
    try {
      if (holds) this.#files.rewrite(this.#generation, { ...this.#mark, released: true });
    } catch {
      // Then the next window finds the heartbeat stopped, or the process ended.
    }
  }

  #want(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#wanted?.();
  }

  #touch(): void {
    try {
      this.#files.touch(this.#generation);
    } catch {
      // Gone, and so seen by `holds`; or a disk that fails, and so does the log.
    }
  }
}

export type Claimed =
  /** `silent`: the owner before was not seen to end, its process may yet wake up. */
  | { readonly type: 'owner'; readonly owner: SessionOwner; readonly before: 'gone' | 'silent' }
  /** Another window writes it. */
  | { readonly type: 'held' };

/** Becomes the owner where nobody is. */
export async function claimSession(base: string, ports: OwnerPorts): Promise<Claimed> {
  const files = new OwnerFiles(base);
  const latest = files.latest();
  const before = latest === null ? 'gone' : await ownerStateOf(latest, files, ports);
  return before === 'alive' ? { type: 'held' } : claimNext(files, latest?.generation ?? 0, before, ports);
}

/** Becomes the owner: asks the one that is there to let go, and waits for it. `held` where it does not, or another window was faster. */
export async function takeSessionOver(base: string, ports: OwnerPorts): Promise<Claimed> {
  const files = new OwnerFiles(base);
  const latest = files.latest();
  if (latest === null) return claimNext(files, 0, 'gone', ports);
  const { generation } = latest;
  const state = await ownerStateOf(latest, files, ports);
  if (state !== 'alive') return claimNext(files, generation, state, ports);
  files.want(generation);
  const end = ports.now() + ports.times.wait;
  while (ports.now() < end) {
    await ports.sleep(ports.times.look / 8);
    const now = files.latest();
    if (now === null || now.generation !== generation) return { type: 'held' };
    if (isGone(now, ports)) return claimNext(files, generation, 'gone', ports);
  }
  files.unwant(generation);
  return { type: 'held' };
}

function claimNext(files: OwnerFiles, generation: number, before: 'gone' | 'silent', ports: OwnerPorts): Claimed {
  const mark = { token: ports.newToken(), pid: ports.pid, place: ports.place, released: false };
  return files.claim(generation + 1, mark) ? { type: 'owner', owner: new SessionOwner(files, generation + 1, mark, ports), before } : { type: 'held' };
}

/**
 * Tells, once for each owner, that a session that another window wrote is written by nobody now. It waits for a while first: whoever takes over
 * is between two owners for a moment. Returns what ends it.
 */
export function onSessionFree(base: string, ports: OwnerPorts, free: () => void): () => void {
  const files = new OwnerFiles(base);
  let seen: { readonly key: string; readonly since: number } | null = null;
  let told = '';
  const timer = setInterval(() => {
    let latest: OwnerEntry | null;
    try {
      latest = files.latest();
    } catch {
      return;
    }
    const gone = latest === null || isGone(latest, ports);
    const key = latest === null ? 'nobody' : `${latest.generation} ${gone ? 'gone' : latest.beat}`;
    if (seen?.key !== key) seen = { key, since: ports.now() };
    const waited = ports.now() - seen.since;
    if (key === told || waited < (gone ? ports.times.look * 3 : ports.times.stale)) return;
    told = key;
    free();
  }, ports.times.look);
  return () => clearInterval(timer);
}
