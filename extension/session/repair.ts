import { truncateSync } from 'node:fs';
import type { CallKey } from '../boundary/call.ts';
import type { CallResult } from '../boundary/result.ts';
import { EventLog } from './event-log.ts';
import { readLog } from './read-log.ts';
import type { LogEvent } from './records.ts';

/** Opens a session's log again after a reload or a crash: cuts off a torn last line, closes what was left open. Throws LogDamaged. */
export function reopenLog(file: string, now: () => number = Date.now): { readonly log: EventLog; readonly torn: boolean } {
  const { records, wholeBytes, torn } = readLog(file);
  if (torn) truncateSync(file, wholeBytes);
  const log = EventLog.reopen(file, records, now);
  for (const event of repairs(log.events)) log.append(event);
  return { log, torn };
}

/**
 * The records that close what a crash left open: a result for each call without one (it may have happened if it had started), then
 * the end of its turn. Nothing for a log that is whole, so repairing twice changes nothing.
 */
export function repairs(events: readonly LogEvent[]): readonly LogEvent[] {
  const open = new Map<CallKey, 'proposed' | 'asked' | 'decided' | 'started'>();
  const digests = new Map<CallKey, Extract<LogEvent, { type: 'asked' }>['digest']>();
  let turn: string | null = null;
  for (const event of events) {
    switch (event.type) {
      case 'user':
        turn = event.turn;
        break;
      case 'assistant':
        // A turn that is taken up again has no message of its own.
        turn = event.turn;
        for (const { call } of event.calls) open.set(call, 'proposed');
        break;
      case 'person-call':
        open.set(event.proposal.call, 'proposed');
        break;
      case 'asked':
        open.set(event.call, 'asked');
        digests.set(event.call, event.digest);
        break;
      case 'decided':
        open.set(event.call, 'decided');
        break;
      case 'started':
        open.set(event.call, 'started');
        break;
      case 'settled':
        open.delete(event.call);
        break;
      case 'turn-ended':
        turn = null;
        break;
      case 'session':
      case 'folded':
      case 'summarised':
        break;
    }
  }
  const closing: LogEvent[] = [];
  for (const [call, state] of open) {
    const digest = digests.get(call);
    if (state === 'asked' && digest !== undefined) closing.push({ type: 'decided', call, digest, approval: 'dismissed', reason: 'the window was closed' });
    closing.push({ type: 'settled', call, verdict: null, approval: state === 'asked' ? 'dismissed' : null, result: state === 'started' ? outcomeUnknown : notStarted, observed: [] });
  }
  if (turn !== null) closing.push({ type: 'turn-ended', turn, end: 'interrupted', message: 'The window was closed or reloaded in the middle of this turn.' });
  return closing;
}

const notStarted = interrupted('TOOL_NOT_STARTED', 'The window was closed before this call ran; nothing was done.');
const outcomeUnknown = interrupted('TOOL_OUTCOME_UNKNOWN', 'The window was closed while this call ran; it may have been done or not. Look before you go on.');

function interrupted(code: 'TOOL_NOT_STARTED' | 'TOOL_OUTCOME_UNKNOWN', message: string): CallResult {
  return { isError: true, content: [{ type: 'text', text: `${code}: ${message}` }], error: { code, message } };
}
