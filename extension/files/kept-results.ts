import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallKey } from '../boundary/call.ts';
import { isResultId } from '../boundary/result-path.ts';

/** Narrations that were cut for the model, whole: kept outside every workspace folder, for as long as their session. */
export interface KeptResults {
  /** Called before the cut is told. Throws where it cannot be kept: the cut then says so in place of the id. */
  keep(call: CallKey, text: string): void;
  /** The whole narration of a call of this session, cut or folded; null where there is none. */
  read(id: string): string | null;
}

/** In UTF-8 bytes; what is longer is kept up to here. */
export const maxKept = 16 * 1024 * 1024;

/** As files, `FOLDER/ID.txt`. */
export class FileKeptResults implements KeptResults {
  readonly #folder: string;
  readonly #logged: (call: CallKey) => string | null;

  /**
   * The caller sees to it that the folder lies in no workspace folder. It is made when it is needed. `logged` gives what the session's log
   * has of a call: only its ids lead to a file.
   */
  constructor(folder: string, logged: (call: CallKey) => string | null) {
    this.#folder = folder;
    this.#logged = logged;
  }

  keep(call: CallKey, text: string): void {
    if (!isResultId(call)) throw new Error('the key of the call is no name of a file');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const place = this.#placeOf(call);
    const temporary = `${place}.tmp`;
    try {
      writeFileSync(temporary, whole(text), { mode: 0o600 });
      renameSync(temporary, place);
    } catch (error) {
      discard(temporary);
      throw error;
    }
  }

  read(id: string): string | null {
    if (!isResultId(id)) return null;
    const logged = this.#logged(id);
    if (logged === null) return null;
    try {
      return readFileSync(this.#placeOf(id), 'utf8');
    } catch {
      // It was not cut, or its file is gone.
      return logged;
    }
  }

  #placeOf(id: string): string {
    return join(this.#folder, `${id}.txt`);
  }
}

/** For as long as the process lives: for tests, and where nothing is kept. */
export class MemoryKeptResults implements KeptResults {
  readonly #texts = new Map<CallKey, string>();
  readonly #logged: (call: CallKey) => string | null;

  constructor(logged: (call: CallKey) => string | null = () => null) {
    this.#logged = logged;
  }

  keep(call: CallKey, text: string): void {
    this.#texts.set(call, whole(text).toString('utf8'));
  }

  read(id: string): string | null {
    return this.#texts.get(id) ?? this.#logged(id);
  }
}

/**
 * A result as it is read again, by its lines: a longer one goes on in the next, since of a line no more than its beginning is shown.
 * What begins alike is broken alike.
 */
export function asLines(text: string): string {
  // No count in the pattern: on lines just short of it, one would be tried anew at each character.
  return text.replaceAll(/[^\r\n]+/g, (line) => (line.length < longestLine ? line : broken(line)));
}

/** In UTF-16 units; one less where that would halve a character. */
const longestLine = 1900;

function broken(line: string): string {
  const pieces: string[] = [];
  let start = 0;
  for (let end = endOf(line, start); end < line.length; end = endOf(line, start)) {
    pieces.push(line.slice(start, end));
    start = end;
  }
  return [...pieces, line.slice(start)].join('\n');
}

function endOf(line: string, start: number): number {
  const last = line.charCodeAt(start + longestLine - 1);
  return start + (last >= 0xd800 && last <= 0xdbff ? longestLine - 1 : longestLine);
}

function whole(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxKept) return bytes;
  let end = maxKept;
  // Never half of a character: a byte of the form 10xxxxxx goes on with one.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`\n[${bytes.length - end} more bytes were not kept]`)]);
}

function discard(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // It was not there.
  }
}
