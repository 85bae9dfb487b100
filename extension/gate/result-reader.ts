import type { RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { resultIdOf } from '../boundary/result-path.ts';
import type { Reader } from '../boundary/tool-definition.ts';
import { asLines, type KeptResults } from '../files/kept-results.ts';

/** Reads a result of the session's that was cut or folded; no disk path is involved, and nothing is observed that could be edited. */
export function createResultReader(path: RealPath, kept: KeptResults, alive: () => void): Reader {
  const noTree = (): Promise<never> => Promise.reject(new CodedError('FS_REFUSED', `${path} is a result, not a folder. Read it with read_file.`));
  return Object.freeze({
    display: path,
    bytes: () => {
      alive();
      const text = kept.read(resultIdOf(path) ?? '');
      return text === null ? Promise.reject(noSuchResult(path)) : Promise.resolve(new TextEncoder().encode(asLines(text).replaceAll('\0', '␀')));
    },
    part: () => Promise.resolve(null),
    entries: noTree,
    find: noTree,
    search: noTree,
  });
}

export function noSuchResult(path: string): CodedError {
  return new CodedError('FS_NOT_FOUND', `There is no result ${JSON.stringify(path.slice(0, 200))} in this session. Use the path exactly as the cut or left-out result names it, or make the call again.`);
}
