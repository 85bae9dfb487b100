import type { CallKey } from './call.ts';
import type { RealPath } from './effect.ts';

/** What stands before a result's id where `read_file` reads it: `countersign-result:ID`. The id is the key of the call. */
const resultScheme = 'countersign-result:';

/** Keys as we make them: nothing that leads anywhere as a part of a file's name. */
const key = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,127}$/;

export function isResultId(id: string): boolean {
  return key.test(id) && !id.endsWith('.');
}

/** Under which a result that was cut or left out is read again. It is no path of any file system. */
export function resultPath(call: CallKey): string {
  return resultScheme + call;
}

/** Whether a path means a result: such a text is never joined with a folder, also where its id is none. */
export function namesResult(path: string): boolean {
  return path.startsWith(resultScheme);
}

/** The id that a path names; null for any other path, and for what cannot be an id. */
export function resultIdOf(path: string): string | null {
  if (!namesResult(path)) return null;
  const id = path.slice(resultScheme.length);
  return isResultId(id) ? id : null;
}

/** A path that names a result is real: nothing can lead elsewhere from it. */
export function isResultPath(path: string): path is RealPath {
  return resultIdOf(path) !== null;
}
