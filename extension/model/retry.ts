import type { ModelFailure } from './model-client.ts';

/** Requests for one step, the first among them. */
export const maxTries = 5;
const longestWaitMs = 60_000;
const firstWaitMs = 1_000;
const longestBackoffMs = 30_000;

/**
 * How long to wait before the next request, or null where there is none.
 * `tried` counts the requests so far; `random` is in [0, 1).
 */
export function retryWaitMs(failure: ModelFailure, tried: number, random: number): number | null {
  if (!failure.retryable || tried >= maxTries) return null;
  if (failure.retryAfterMs !== undefined) return Math.min(longestWaitMs, failure.retryAfterMs);
  const backoff = Math.min(longestBackoffMs, firstWaitMs * 2 ** (tried - 1));
  // Half of it is fixed, so that a wait never vanishes; half is spread, so that many clients do not come back together.
  return Math.round(backoff / 2 + (backoff / 2) * random);
}

/** Resolves after `ms`, or as soon as the signal fires. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Waits, and reports the seconds that are left: at once, and then each second. Resolves early where the signal fires. */
export async function waitOut(ms: number, sleep: Sleep, signal: AbortSignal, onSeconds: (left: number) => void): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted; left -= 1000) {
    onSeconds(Math.ceil(left / 1000));
    await sleep(Math.min(left, 1000), signal);
  }
}

/** For the status line: `The server is busy (429)`. */
export function inShort(failure: ModelFailure): string {
  const status = failure.status === undefined ? '' : ` (${failure.status})`;
  switch (failure.kind) {
    case 'busy': return `The server is busy${status}`;
    case 'server': return `The server has an error${status}`;
    case 'network': return 'The connection failed';
    case 'broken-stream': return 'The answer broke off';
    case 'key': return `The key was refused${status}`;
    case 'not-found': return `The model was not found${status}`;
    case 'bad-request': return `The request was refused${status}`;
    case 'too-long': return `The conversation is too long${status}`;
    case 'protocol': return 'The server does not speak the protocol';
    case 'aborted': return 'Stopped';
  }
}
