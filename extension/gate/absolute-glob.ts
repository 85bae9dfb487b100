import { isForeign, namesIn } from '../boundary/foreign-path.ts';

/** A path as the literal part of a glob: nothing in it is special. */
export function escapeGlob(path: string): string {
  return slashed(path).replaceAll(/[\\*?[\]{}()!+@|$^]/g, (char) => `\\${char}`);
}

/** A glob with `~/` as an absolute one; any other stays as it is. The home folder's own name is never taken for a pattern. */
export function fromHome(glob: string, home: string): string {
  return glob.startsWith('~/') ? `${escapeGlob(home).replace(/\/$/, '')}${glob.slice(1)}` : glob;
}

/**
 * With `/` on every system, as globs are matched. No glob that is absolute on disk matches what is made of a foreign path; `//` stands in no
 * glob, so it is written otherwise.
 */
export function slashed(path: string): string {
  if (isForeign(path)) return path.replace('://', ':/@');
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

/** Whether a glob speaks of names wherever they stand, and so of other file systems than the disk too. */
export function isOfAnyPlace(glob: string): boolean {
  return glob === '/**' || glob.startsWith('/**/');
}

/** What a glob is compared with: of a foreign path the names alone, where the glob speaks of any place. */
export function targetOf(path: string, glob: string): string {
  return isForeign(path) && isOfAnyPlace(glob) ? namesIn(path) : slashed(path);
}
