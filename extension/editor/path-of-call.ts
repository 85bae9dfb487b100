import type { CallKey } from '../boundary/call.ts';
import { isResultPath } from '../boundary/result-path.ts';
import type { LogEvent } from '../session/records.ts';

/** The file that a call changed or would change, if it is one. */
export function pathOfCall(events: readonly LogEvent[], call: CallKey): string | null {
  for (const event of events.toReversed()) {
    if (event.type !== 'started' && event.type !== 'asked') continue;
    if (event.call !== call) continue;
    const effects = event.type === 'started' ? event.effects : event.content.effects;
    return effects.flatMap((effect) => ('path' in effect && !isResultPath(effect.path) ? [effect.path] : []))[0] ?? null;
  }
  return null;
}
