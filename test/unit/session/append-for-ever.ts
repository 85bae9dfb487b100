import { writeSync } from 'node:fs';
import { EventLog } from '../../../extension/session/event-log.ts';
import { event, start } from './session-logs.ts';

/** Appends without end; says the number of each record on standard output once it has been appended. */
const log = EventLog.create(process.argv[2] ?? '', start);
for (let text = 1; ; text += 1) {
  const { n } = log.append(event.user('x'.repeat((text * 997) % 20_000)));
  writeSync(1, `${n}\n`);
}
