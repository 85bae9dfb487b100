import type { CallKey } from '../boundary/call.ts';
import type { Observations } from '../files/observations.ts';
import { undoTool } from './changes.ts';
import type { LogEvent } from './records.ts';

/** What a session that is opened again has read and written: as it knew it, without what an undo put there and the model has not read. */
export function noteObserved(events: readonly LogEvent[], observations: Observations): void {
  const undos = new Set<CallKey>();
  for (const event of events) {
    if (event.type === 'person-call' && event.proposal.name === undoTool) undos.add(event.proposal.call);
    if (event.type === 'settled' && !undos.has(event.call)) for (const { path, digest } of event.observed) observations.note(path, digest);
  }
}
