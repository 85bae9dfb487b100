import { appendFileSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { EventLog } from '../../../extension/session/event-log.ts';
import { event, start } from './session-logs.ts';

/** Run with a limit on the size of files: appends until one fails, makes room again, tries once more, and puts things back. */
const file = process.argv[2] ?? '';
const log = EventLog.create(file, start, () => 0);
let appended = 0;
const attempt = (): string => {
  try {
    log.append(event.user('x'.repeat(300)));
    appended += 1;
    return 'written';
  } catch (error) {
    return error instanceof CodedError ? error.code : String(error);
  }
};
while (attempt() === 'written') if (appended > 1000) throw new Error('nothing stopped it');
const full = readFileSync(file);
truncateSync(file, 0);
const second = attempt();
if (statSync(file).size === 0) appendFileSync(file, full);
process.stdout.write(JSON.stringify({ appended, second }));
