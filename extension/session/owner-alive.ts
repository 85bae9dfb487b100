import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { OwnerEntry, OwnerFiles } from './owner-files.ts';

/** Of the windows that may write one session. All in milliseconds. */
export interface OwnerTimes {
  /** Between two touches of the owner's. */
  readonly beat: number;
  /** A beat older than this is in doubt. */
  readonly stale: number;
  /** How long a beat in doubt is watched: an owner that lives would touch its file in it. */
  readonly doubt: number;
  /** Between two looks at whether another window wants the session. */
  readonly look: number;
  /** What an owner that lets go may take to end what runs. */
  readonly letGo: number;
  /** How long whoever takes over waits for it. */
  readonly wait: number;
}

export const ownerTimes: OwnerTimes = { beat: 2000, stale: 15_000, doubt: 6000, look: 400, letGo: 2000, wait: 5000 };

/** What an owner needs of its process. */
export interface OwnerPorts {
  readonly pid: number;
  readonly place: string;
  readonly newToken: () => string;
  /** Milliseconds since 1970. It may jump: it only decides whether there is doubt. */
  readonly wallClock: () => number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly times: OwnerTimes;
}

/**
 * Whether the owner of a session is there. It is not where it has let go, where its process has ended, or where its heartbeat has stopped. A
 * beat that looks old (or comes from the future) is watched for a while: the machine may have slept, or its clock been set.
 */
export async function ownerStateOf(entry: OwnerEntry, files: OwnerFiles, ports: OwnerPorts): Promise<'alive' | 'gone' | 'silent'> {
  if (isGone(entry, ports)) return 'gone';
  const age = ports.wallClock() - entry.beat;
  if (age >= 0 && age < ports.times.stale) return 'alive';
  const end = ports.now() + ports.times.doubt;
  while (ports.now() < end) {
    await ports.sleep(ports.times.beat / 4);
    const later = files.latest();
    if (later === null || later.generation !== entry.generation || later.beat !== entry.beat) return later === null || isGone(later, ports) ? 'gone' : 'alive';
  }
  return 'silent';
}

/** By what needs no waiting. */
export function isGone({ mark }: OwnerEntry, ports: OwnerPorts): boolean {
  if (mark === null) return false;
  return mark.released || (mark.place === ports.place && !isRunning(mark.pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Those of this process. */
export function processPorts(): OwnerPorts {
  return {
    pid: process.pid, place: placeOfProcesses(), newToken: randomUUID, wallClock: Date.now, now: () => performance.now(),
    sleep: (ms) => new Promise((resolve) => { setTimeout(resolve, ms); }), times: ownerTimes,
  };
}

/** Process ids are compared only where this is the same. */
export function placeOfProcesses(): string {
  const host = hostname();
  try {
    return `${host} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`.slice(0, 500);
  } catch {
    return host.slice(0, 500);
  }
}
