import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '../boundary/digest.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { isWithin, type Roots } from '../files/roots.ts';

export interface StorageFolder {
  readonly path: string;
  /** Whether it is the one that was given; the other one is every workspace's. */
  readonly isGiven: boolean;
}

/** What tells a workspace from others, in every window on it: its file, else its folders. null where there is neither. */
export function nameOfWorkspace(roots: Roots, file: string | null): string | null {
  const identity = file ?? roots.list.map(({ path }) => path).join('\n');
  return identity === '' ? null : sha256(identity).slice(0, 32);
}

/** The folder, or another of ours where that lies inside the workspace; made. Throws LOG_UNAVAILABLE where every place does. */
export function folderOutside(folder: string, roots: Roots): StorageFolder {
  const own = join(tmpdir(), `countersign-${process.getuid?.() ?? 'user'}`);
  for (const candidate of [folder, own]) {
    const real = realPathToBe(candidate);
    if (roots.list.some(({ path }) => isWithin(real, path))) continue;
    mkdirSync(real, { recursive: true, mode: 0o700 });
    // Its name can be guessed, and anybody may have made it before.
    if (candidate === own && !isOursAlone(real)) continue;
    return { path: real, isGiven: candidate === folder };
  }
  throw new CodedError('LOG_UNAVAILABLE', `The session log must not lie inside the workspace, and every place for it does (${folder}), or is not yours alone (${own}). Open a smaller folder.`);
}

/** Whether nobody else can put anything there. */
function isOursAlone(path: string): boolean {
  const { uid, mode } = statSync(path);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** As far as it exists, with every link resolved. Nothing is made. */
function realPathToBe(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(realPathToBe(dirname(path)), basename(path));
  }
}
