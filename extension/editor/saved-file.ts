import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type * as vscode from 'vscode';
import type { RealPath } from '../boundary/effect.ts';
import { isForeign } from '../boundary/foreign-path.ts';
import { maxFileBytes } from '../files/read-bytes.ts';
import { foreignPathOf } from './foreign-uri.ts';

/** Whether a document's file is the one at this real path. */
export function leadsTo(uri: vscode.Uri, path: RealPath): boolean {
  if (isForeign(path)) return foreignPathOf(uri) === path;
  if (uri.scheme !== 'file') return false;
  const { fsPath } = uri;
  if (fsPath === path) return true;
  try {
    // Asked for each file of a search: only a link can lead to a file of another name.
    if (plainName(fsPath) !== plainName(path) && !lstatSync(fsPath).isSymbolicLink()) return false;
    return realpathSync.native(fsPath) === path;
  } catch {
    return false;
  }
}

/** As the laxest file system compares names. */
function plainName(path: string): string {
  return basename(path).normalize('NFKC').toLowerCase();
}

/** What lies on disk; null where there is no file, or one that is too large, or in another file system: there nothing can be read at once. */
export function savedBytes(path: RealPath): Uint8Array | null {
  if (isForeign(path)) return null;
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= maxFileBytes ? readFileSync(path) : null;
  } catch {
    return null;
  }
}
