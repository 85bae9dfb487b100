import picomatch from 'picomatch';
import { CodedError } from '../boundary/error-codes.ts';
import { checkGlob } from './glob-syntax.ts';
import { runProgram } from './linear-match.ts';
import { compileRegex, UnknownRegexError } from './regex-program.ts';

/** Whether a `/`-separated path, without `.` and `..` and without a `/` at its end, is matched. Throws FS_REFUSED for one that no file system holds. */
export type GlobMatcher = (path: string) => boolean;

export interface GlobOptions {
  /** Upper and lower case are the same, as on macOS and Windows. */
  readonly nocase?: boolean;
}

const longestPath = 32_767;
/** What file systems hold: on such a path the choices of a simple glob cost the platform's engine some milliseconds at most. */
const longestRealPath = 4096;
const longName = /[^/]{256}/;
const cacheSize = 1000;
const cache = new Map<string, GlobMatcher | CodedError>();

/**
 * A picomatch glob with `dot: true`; Unicode forms do not count. It matches in linear time, whatever the pattern.
 * INVALID_ARGS for a pattern that would not mean what it seems to.
 */
export function compileGlob(glob: string, { nocase = false }: GlobOptions = {}): GlobMatcher | CodedError {
  const key = `${nocase ? 'i' : 's'}${glob}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const compiled = compile(glob, nocase);
  if (cache.size >= cacheSize) cache.clear();
  cache.set(key, compiled);
  return compiled;
}

function compile(glob: string, nocase: boolean): GlobMatcher | CodedError {
  const fold = nocase ? foldCase : compose;
  const syntax = checkGlob(nocase ? bothCases(fold(glob)) : fold(glob));
  if (syntax.kind === 'refused') return invalid(glob, syntax.why);
  let matches: GlobMatcher;
  try {
    matches = matcherOf(syntax.glob);
  } catch (cause) {
    if (!(cause instanceof SyntaxError) && !(cause instanceof UnknownRegexError)) throw cause;
    return invalid(glob, 'it is no valid pattern', cause);
  }
  return (path) => {
    if (path.length > longestPath) throw new CodedError('FS_REFUSED', 'The path is longer than any file system allows. Use a shorter one.');
    return matches(fold(path));
  };
}

// `s`, so that a name with a line end in it is matched as any other. Left to itself, picomatch takes an extglob that could
// backtrack without end as plain characters; here it cannot.
const options = { dot: true, windows: false, flags: 's', debug: true, strictBrackets: true, maxExtglobRecursion: false };

function matcherOf(glob: string): GlobMatcher {
  const regex = picomatch.makeRe(glob, options);
  const program = compileRegex(regex.source);
  const simple = isSimple(glob);
  return (path) => (simple && isOrdinary(path) ? regex.test(path) : runProgram(program, path));
}

function isOrdinary(path: string): boolean {
  return path.length < 256 || (path.length <= longestRealPath && !longName.test(path));
}

/**
 * True where the engine's own backtracking is certain to be cheap, as for nearly every glob that people write: nothing repeats
 * but wildcards, and at most two things leave it a choice (how far a wildcard reaches, or a second list of words).
 */
export function isSimple(glob: string): boolean {
  // Escaped characters, sets and lists of plain words take no part in backtracking beyond their count.
  const bare = glob.replace(/\\./g, '_').replace(/\[[^[\]]+\]/g, '_');
  const lists = bare.match(plainList) ?? [];
  const parts = bare.replace(plainList, '_').split('/');
  if (/[\\[\](){}|]/.test(parts.join(''))) return false;
  return parts.reduce((choices, part, n) => {
    if (part === '**') return choices + (n === parts.length - 1 ? 0 : 1);
    return choices + Math.max(0, (part.match(/\*+/g) ?? []).length - 1);
  }, Math.max(0, lists.length - 1)) <= 2;
}

const plainList = /\{[\w.,-]{1,200}\}/g;

function compose(text: string): string {
  return text.normalize('NFC');
}

/** Up before down, so that letters with more than two forms (the long s, the Kelvin sign) meet, as they do on such file systems. */
function foldCase(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

function bothCases(glob: string): string {
  return glob.replaceAll('[:upper:]', '[:alpha:]').replaceAll('[:lower:]', '[:alpha:]');
}

function invalid(glob: string, why: string, cause?: unknown): CodedError {
  const shown = glob.length > 100 ? `${glob.slice(0, 100)}…` : glob;
  return new CodedError('INVALID_ARGS', `The glob "${shown}" cannot be used: ${why}.`, { cause });
}
