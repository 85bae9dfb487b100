import * as vscode from 'vscode';
import { canonicalForeign, isForeign } from '../boundary/foreign-path.ts';

const parts = /^([^:]+):\/\/([^/]*)(\/.*)$/s;

/** A document or folder off the disk as a path of ours; null for one on disk, and for an address that is more than a path. */
export function foreignPathOf({ scheme, authority, path, query, fragment }: vscode.Uri): string | null {
  if (query !== '' || fragment !== '') return null;
  const text = `${scheme}://${authority}${path}`;
  const canonical = isForeign(text) ? canonicalForeign(text) : null;
  // Another spelling of a path would be another document to the editor, also where it is the same file.
  return canonical !== null && (canonical === text || canonical === text.replace(/\/$/, '')) ? canonical : null;
}

/** The address of a real path, on disk or off it. */
export function uriOfPath(path: string): vscode.Uri {
  const [, scheme, authority, inside] = isForeign(path) ? parts.exec(path) ?? [] : [];
  if (scheme === undefined || authority === undefined || inside === undefined) return vscode.Uri.file(path);
  return vscode.Uri.from({ scheme, authority, path: inside });
}
