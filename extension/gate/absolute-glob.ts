/** A path as the literal part of a glob: nothing in it is special. */
export function escapeGlob(path: string): string {
  return slashed(path).replaceAll(/[\\*?[\]{}()!+@|$^]/g, (char) => `\\${char}`);
}

/** A glob with `~/` as an absolute one; any other stays as it is. The home folder's own name is never taken for a pattern. */
export function fromHome(glob: string, home: string): string {
  return glob.startsWith('~/') ? `${escapeGlob(home).replace(/\/$/, '')}${glob.slice(1)}` : glob;
}

/** With `/` on every system, as globs are matched. */
export function slashed(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
