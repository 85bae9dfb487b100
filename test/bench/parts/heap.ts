import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** What the heap holds once all that nobody holds has been collected. */
export function heapBytes(): number {
  if (typeof collect !== 'function') throw new Error('the engine does not give its garbage collector');
  collect();
  return process.memoryUsage().heapUsed;
}
