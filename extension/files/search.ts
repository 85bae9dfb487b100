import { realpath } from 'node:fs/promises';
import { CodedError } from '../boundary/error-codes.ts';
import { isForeign } from '../boundary/foreign-path.ts';
import type { TextMatch, TextMatches, TextSearch } from '../boundary/tool-definition.ts';
import { compilePattern, leftOutOf, usable, type TreeRead } from './find-files.ts';
import { type ForeignFiles, foreignBytes, foreignRealPath, noForeignFiles } from './foreign-files.ts';
import { openFile, upTo } from './read-bytes.ts';
import { asWalked } from './real-path.ts';
import { walkTree } from './tree.ts';

export { findFiles, type TreeRead } from './find-files.ts';

const maxMatches = 200;
const maxLine = 500;
const maxTotal = 200_000;
const maxContext = 10;
const maxFileBytes = 5 * 1024 * 1024;
const binaryLook = 8192;

/**
 * The lines below the root that hold the query, character for character; what the editor holds unsaved of a file stands in for what
 * lies on disk. Links are not read. Bytes that are not UTF-8 are shown
 * as well as they can be. Throws INVALID_ARGS for a query or glob that cannot be used, and the signal's reason.
 */
export async function searchText(read: TreeRead, search: TextSearch): Promise<TextMatches> {
  if (search.query === '') throw new CodedError('INVALID_ARGS', 'The query is empty. Give the text to look for.');
  if (/[\r\n]/.test(search.query)) throw new CodedError('INVALID_ARGS', 'The query spans lines, but lines are searched one by one. Give a part of one line.');
  const includes = search.include.map((glob) => usable(compilePattern(glob)));
  const excludes = search.exclude.map((glob) => usable(compilePattern(glob)));
  const matches: TextMatch[] = [];
  const counts = { filesSearched: 0, skippedBinary: 0, skippedLarge: 0 };
  const unread: string[] = [];
  let total = 0;
  let full = false;

  const add = (match: TextMatch): boolean => {
    const size = [match.text, ...match.before, ...match.after].reduce((sum, line) => sum + line.length, 0);
    if (matches.length >= maxMatches || total + size > maxTotal) full = true;
    else {
      matches.push(match);
      total += size;
    }
    return !full;
  };

  const report = await walkTree(read, async ({ path, relative, type }) => {
    if (type === 'link' || (includes.length > 0 && !includes.some((include) => include(relative)))) return;
    if (excludes.length > 0 && withFolders(relative).some((part) => excludes.some((exclude) => exclude(part)))) return;
    const content = await readText(path, read);
    switch (content.kind) {
      case 'binary': counts.skippedBinary += 1; return;
      case 'large': counts.skippedLarge += 1; return;
      case 'unreadable': unread.push(read.display(path)); return;
      case 'text': break;
    }
    // A folder on the way may have become a link since it was listed: what lies elsewhere was not judged.
    if (content.text.includes(search.query) && await whereItLeads(path, read.foreign) !== path) {
      unread.push(read.display(path));
      return;
    }
    counts.filesSearched += 1;
    for (const match of matchesIn(content.text, search, read.display(path))) if (!add(match)) return 'stop';
    return;
  });
  const { leftOut, unreadable } = leftOutOf(read, report);
  return { matches, ...counts, leftOut, unreadable: [...unreadable, ...unread], truncated: report.truncated || full };
}

/** The path and every folder that it lies in, so that `exclude: ["dist"]` keeps out all of dist. */
function withFolders(relative: string): readonly string[] {
  const parts = relative.split('/');
  return parts.map((_, n) => parts.slice(0, n + 1).join('/'));
}

async function whereItLeads(path: string, foreign: ForeignFiles = noForeignFiles): Promise<string | null> {
  try {
    return isForeign(path) ? await foreignRealPath(path, foreign) : await realpath(path);
  } catch {
    return null;
  }
}

type Content = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'binary' | 'large' | 'unreadable' };

async function readText(path: string, { unsaved, foreign }: TreeRead): Promise<Content> {
  try {
    const held = unsaved?.(asWalked(path)) ?? null;
    if (held !== null) return textOf(held);
    if (isForeign(path)) return await readForeignText(path, foreign ?? noForeignFiles);
    const file = await openFile(path);
    if (file === null) return { kind: 'unreadable' };
    try {
      const { size } = await file.stat();
      const bytes = size > maxFileBytes ? null : await upTo(maxFileBytes, file, size);
      return bytes === null ? { kind: 'large' } : textOf(bytes);
    } finally {
      await file.close();
    }
  } catch {
    return { kind: 'unreadable' };
  }
}

async function readForeignText(path: string, foreign: ForeignFiles): Promise<Content> {
  const file = await foreignBytes(path, foreign, maxFileBytes);
  if (file === null) return { kind: 'unreadable' };
  return 'size' in file ? { kind: 'large' } : textOf(file.bytes);
}

function textOf(bytes: Uint8Array): Content {
  if (bytes.length > maxFileBytes) return { kind: 'large' };
  if (bytes.subarray(0, binaryLook).includes(0)) return { kind: 'binary' };
  return { kind: 'text', text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8').replace(/^\uFEFF/, '') };
}

function* matchesIn(text: string, { query, contextLines }: TextSearch, display: string): Generator<TextMatch> {
  if (!text.includes(query)) return;
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  const context = Math.min(Math.max(0, Math.trunc(contextLines)), maxContext);
  for (const [n, line] of lines.entries()) {
    const at = line.indexOf(query);
    if (at < 0) continue;
    const around = (from: number, to: number): readonly string[] => lines.slice(Math.max(0, from), Math.max(0, to)).map((other) => cut(other, 0));
    yield { display, line: n + 1, text: cut(line, at), before: around(n - context, n), after: around(n + 1, n + 1 + context) };
  }
}

/** At most 500 characters of the line, with the match in them. */
function cut(line: string, at: number): string {
  if (line.length <= maxLine) return line;
  const from = at < maxLine - 100 ? 0 : at - 100;
  const part = line.slice(from, from + maxLine - 2);
  return `${from > 0 ? '…' : ''}${part}${from + part.length < line.length ? '…' : ''}`;
}
