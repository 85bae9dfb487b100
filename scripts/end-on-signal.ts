import { constants } from 'node:os';

/** A signal ends a process without its `exit` handlers, which end the editors and remove the folders; with this they run. */
export function endOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(128 + constants.signals[signal]));
}
