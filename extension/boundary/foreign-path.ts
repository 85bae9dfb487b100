import type { RealPath } from './effect.ts';
import { namesResult } from './result-path.ts';

/**
 * A path in a file system of the editor's other than the disk: `scheme://authority/path`, an address without query and fragment, written as it
 * reads. Nothing in it is encoded, so there is one way to write each. A scheme has two characters or more: `C:` is a drive.
 */
const address = /^([A-Za-z][A-Za-z0-9+.-]+):\/\/([^/]*)(.*)$/s;

/** What no name in such a path may hold: a file system that reads the path as an address would take it for another one. */
// oxlint-disable-next-line no-control-regex
const strange = /[\\?#\u0000-\u001f\u007f\ufffd]|%[0-9A-Fa-f]{2}/;

const longest = 4096;

/** Whether a text means such a path: it is never joined with a folder of the disk, also where it is not a path that can be used. */
export function isForeign(path: string): boolean {
  const scheme = address.exec(path)?.[1]?.toLowerCase();
  return scheme !== undefined && scheme !== 'file' && !namesResult(path);
}

/** With `.` and `..` resolved, and without empty parts; null for a text that is no such path, or holds what none may. */
export function canonicalForeign(path: string): string | null {
  const [, scheme, authority, inside] = isForeign(path) ? address.exec(path) ?? [] : [];
  if (scheme === undefined || authority === undefined || inside === undefined || path.length > longest || strange.test(path) || !path.isWellFormed()) return null;
  const parts: string[] = [];
  for (const part of inside.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `${scheme}://${authority}/${parts.join('/')}`;
}

/** A canonical one is real: such file systems have no links that are followed here. */
export function isForeignPath(path: string): path is RealPath {
  return isForeign(path) && canonicalForeign(path) === path;
}

/** Whether a file system's name for something can be a part of such a path. */
export function isForeignName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !strange.test(name) && name.isWellFormed();
}

/** The folder that holds a canonical one; the topmost is its own. */
export function foreignParent(path: string): string {
  const top = topOf(path);
  const above = path.slice(0, path.lastIndexOf('/'));
  return above.length <= top.length ? `${top}/` : above;
}

/** Its part after the authority, from `/` on: the names alone, whatever file system they stand in. */
export function namesIn(path: string): string {
  return path.slice(topOf(path).length);
}

function topOf(path: string): string {
  const [, scheme = '', authority = ''] = address.exec(path) ?? [];
  return `${scheme}://${authority}`;
}
