import { readFileSync } from 'node:fs';
import { firstHash, hashOf } from './event-log.ts';
import { type LogEvent, type LogRecord, logVersion } from './records.ts';

/** A log that is damaged or not ours to understand. The file is left as it is. */
export class LogDamaged extends Error {
  /** 1-based. */
  readonly line: number;
  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`);
    this.line = line;
  }
}

export interface ReadLog {
  readonly records: readonly LogRecord[];
  /** Bytes of whole records: where a torn last line would be cut off. */
  readonly wholeBytes: number;
  /** True where the last line was torn, by a crash in the middle of writing it. */
  readonly torn: boolean;
}

/** What a record holds besides its type, and that it is there. Members that are not listed are refused nowhere: the chain covers them. */
const members: Readonly<Record<LogEvent['type'], readonly string[]>> = {
  session: ['version', 'sessionId', 'roots'],
  user: ['turn', 'text'],
  assistant: ['turn', 'step', 'text', 'finish', 'calls'],
  'person-call': ['proposal', 'of'],
  folded: ['turn', 'calls'],
  summarised: ['turn', 'through', 'text'],
  asked: ['call', 'digest', 'verdict', 'content'],
  decided: ['call', 'digest', 'approval', 'reason'],
  started: ['call', 'digest', 'revision', 'decidedBy', 'effects'],
  settled: ['call', 'verdict', 'approval', 'result', 'observed'],
  'turn-ended': ['turn', 'end', 'message'],
};

/** Reads a whole log and checks its chain. Throws LogDamaged; a torn last line is not damage, it is said. */
export function readLog(file: string): ReadLog {
  const bytes = readFileSync(file);
  const records: LogRecord[] = [];
  let prev = firstHash;
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
    const record = readRecord(bytes.toString('utf8', start, end), records.length + 1, prev);
    records.push(record);
    prev = record.hash;
    start = end + 1;
  }
  if (records.length === 0) throw new LogDamaged(1, 'there is no whole record');
  return { records, wholeBytes: start, torn: start < bytes.length };
}

/** One line of a log, which must be the record of this number and follow the one with the hash `prev`. Throws LogDamaged. */
export function readRecord(line: string, number: number, prev: string): LogRecord {
  const damaged = (what: string): never => {
    throw new LogDamaged(number, what);
  };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return damaged('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || !('event' in value) || !('hash' in value) || !('n' in value)) return damaged('it is no record');
  const record = value as LogRecord;
  if (record.n !== number) return damaged(`it is numbered ${String(record.n)}`);
  if (record.prev !== prev || record.hash !== hashOf(record)) return damaged('its hash does not fit: something was changed here');
  const { event } = record;
  if (typeof event !== 'object' || event === null || typeof event.type !== 'string') return damaged('it holds no event');
  if (event.type === 'session' && event.version !== logVersion) return damaged(`the format version ${String(event.version)} is not known; this is version ${logVersion}`);
  if (!Object.hasOwn(members, event.type)) return damaged(`the record type ${JSON.stringify(event.type)} is not known; a newer version may have written it`);
  const missing = members[event.type].find((name) => !Object.hasOwn(event, name));
  if (missing !== undefined) return damaged(`a ${event.type} record has no ${missing}`);
  if ((number === 1) !== (event.type === 'session')) return damaged('the session record stands first, and only there');
  return record;
}
