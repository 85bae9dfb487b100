import { CodedError } from '../boundary/error-codes.ts';
import type { TreeFiles } from '../boundary/tool-definition.ts';
import type { RealPath } from '../boundary/effect.ts';
import { compileGlob, type GlobMatcher } from './globs.ts';
import { walkTree, type TreeReport, type TreeWalk } from './tree.ts';

export interface TreeRead extends TreeWalk {
  /** The path as the model should write it. */
  readonly display: (absolutePath: string) => string;
  /** What the editor holds unsaved of a file: read in the place of what lies on disk. null where it holds nothing. */
  readonly unsaved?: (absolutePath: RealPath) => Uint8Array | null;
}

const maxFound = 10_000;

/**
 * The files whose path relative to the root matches; a pattern without `/` matches a name at any depth. Links are named as files.
 * Throws INVALID_ARGS for a pattern that cannot be used.
 */
export async function findFiles(read: TreeRead, pattern: string): Promise<TreeFiles & { readonly unreadable: readonly string[] }> {
  const matches = usable(compilePattern(pattern));
  const files: string[] = [];
  let full = false;
  const report = await walkTree(read, ({ path, relative }) => {
    if (!matches(relative)) return;
    if (files.length >= maxFound) {
      full = true;
      return 'stop';
    }
    files.push(read.display(path));
    return;
  });
  return { files, ...leftOutOf(read, report), truncated: report.truncated || full };
}

/** A glob on relative paths, or one on names where it has no `/`. */
export function compilePattern(pattern: string): GlobMatcher | CodedError {
  if (pattern.startsWith('/') || pattern.startsWith('~/')) {
    return new CodedError('INVALID_ARGS', `The glob "${pattern.slice(0, 100)}" is absolute. Write it relative to the folder that is searched.`);
  }
  return compileGlob(pattern.includes('/') ? pattern : `**/${pattern}`);
}

export function usable(matcher: GlobMatcher | CodedError): GlobMatcher {
  if (matcher instanceof CodedError) throw matcher;
  return matcher;
}

export function leftOutOf({ display }: TreeRead, { leftOut, unreadable }: TreeReport): Pick<TreeFiles, 'leftOut'> & { readonly unreadable: readonly string[] } {
  return { leftOut: leftOut.map(({ path, glob }) => ({ display: display(path), glob })), unreadable: unreadable.map(display) };
}
