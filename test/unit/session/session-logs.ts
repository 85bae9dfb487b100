import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { CallResult } from '../../../extension/boundary/result.ts';
import type { Verdict } from '../../../extension/boundary/verdict.ts';
import { EventLog } from '../../../extension/session/event-log.ts';
import type { LogEvent } from '../../../extension/session/records.ts';

export const start = { sessionId: 'a-session', roots: ['/w'] };
export const digest = sha256('');
export const verdict: Verdict = { decision: 'ask', decidedBy: 'no rule', reason: 'no rule covers it', rules: [], revision: 'r' };
const result: CallResult = { isError: false, content: [{ type: 'text', text: 'done' }], error: null };

/** One event of each kind, of which a log is made. */
export const event = {
  user: (text = 'hello', turn = 't1'): LogEvent => ({ type: 'user', turn, text }),
  assistant: (...calls: readonly string[]): LogEvent => ({
    type: 'assistant', turn: 't1', step: 1, text: 'I look.', finish: 'tool-calls', calls: calls.map((call) => ({ call, id: `wire-${call}`, name: 'read_file', arguments: '{"path":"é😀\\n"}' })),
  }),
  personCall: (call: string, of: string): LogEvent => ({ type: 'person-call', proposal: { call, id: `wire-${call}`, name: 'read_file', arguments: '{}' }, of }),
  asked: (call: string): LogEvent => ({ type: 'asked', call, digest, verdict, content: { effects: [], claims: [], diffs: [], warnings: [] } }),
  decided: (call: string, approval: 'allowed' | 'denied' = 'allowed'): LogEvent => ({ type: 'decided', call, digest, approval, reason: '' }),
  started: (call: string): LogEvent => ({ type: 'started', call, digest, revision: 'r', decidedBy: 'the person', effects: [] }),
  settled: (call: string): LogEvent => ({ type: 'settled', call, verdict, approval: 'allowed', result, observed: [] }),
  ended: (turn = 't1'): LogEvent => ({ type: 'turn-ended', turn, end: 'answered', message: '' }),
};

/** A whole turn with two calls. */
export const wholeTurn: readonly LogEvent[] = [
  event.user(), event.assistant('c1', 'c2'), event.asked('c1'), event.decided('c1'), event.started('c1'), event.settled('c1'), event.started('c2'), event.settled('c2'), event.ended(),
];

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-log-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A log on disk that holds these events after its first record. */
export function logOf(t: TestContext, events: readonly LogEvent[]): string {
  const file = join(temporaryFolder(t), 'session.jsonl');
  let clock = 1000;
  const log = EventLog.create(file, start, () => ++clock);
  for (const one of events) log.append(one);
  log.close();
  return file;
}
