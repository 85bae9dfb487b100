import { isAbsolute, resolve } from 'node:path';
import { isDigest, sha256 } from './digest.ts';
import type { Digest, Effect, EffectKind, Foreseen } from './effect.ts';
import { CodedError } from './error-codes.ts';
import { isForeignPath } from './foreign-path.ts';
import { isResultPath } from './result-path.ts';
import { snapshotJson } from './snapshot.ts';

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === 'string' && value.length > 0;
// Rules compare paths as text, so one that leads elsewhere than it reads (`/w/../etc`) is no path.
const path: Check = (value) => typeof value === 'string' && isAbsolute(value) && !value.includes('\0') && resolve(value) === value;
/** Of a file: on disk, or in another file system of the editor's. Programs run on disk alone. */
const file: Check = (value) => path(value) || (typeof value === 'string' && isForeignPath(value));
const flag: Check = (value) => typeof value === 'boolean';
const texts: Check = (value) => Array.isArray(value) && value.every((item) => typeof item === 'string');
const oneOf = (...words: readonly string[]): Check => (value) => typeof value === 'string' && words.includes(value);
const optional = (check: Check): Check => (value) => value === undefined || check(value);

const shapes: Readonly<Record<EffectKind, Readonly<Record<string, Check>>>> = {
  read: { path: (value) => file(value) || (typeof value === 'string' && isResultPath(value)), extent: oneOf('file', 'tree'), except: texts },
  write: { path: file, base: (value) => value === 'absent' || isDigest(value), result: isDigest, via: oneOf('disk', 'buffer') },
  delete: { path: file, base: isDigest },
  move: { from: file, to: file, base: isDigest },
  run: { program: path, argv: texts, script: optional(isDigest), cwd: path, grant: isDigest, background: flag },
  process: { id: text, op: oneOf('read', 'stop') },
  fetch: { url: text, grant: isDigest },
  mcp: { server: text, tool: text, definition: isDigest, arguments: isDigest, grant: isDigest },
  converse: { op: oneOf('ask', 'plan', 'tools') },
};

/**
 * What a tool's `effects` returned, as detached, frozen effects; each write with the bytes that its digest names.
 * Throws INVALID_EFFECTS for anything else: what cannot be understood is not run.
 */
export function checkForeseen(given: unknown): Foreseen {
  try {
    return checked(given);
  } catch (error) {
    if (error instanceof CodedError) throw error;
    return invalid('what it foresaw cannot be read');
  }
}

function checked(given: unknown): Foreseen {
  if (typeof given !== 'object' || given === null || !('effects' in given) || !('claims' in given) || !('content' in given)) return invalid('it foresaw nothing that can be read');
  const effects = checkList(given.effects, 'effects');
  if (effects.length === 0) return invalid('it foresaw no effect; every call has at least one');
  const { content } = given;
  if (!(content instanceof Map)) return invalid('content must be a Map');
  // Copies: what the tool still holds can change after it was signed.
  const own = new Map<Digest, Uint8Array>();
  for (const effect of effects) {
    if (effect.kind !== 'write') continue;
    const bytes: unknown = content.get(effect.result);
    const copy = bytes instanceof Uint8Array ? Uint8Array.from(bytes) : null;
    if (copy === null || sha256(copy) !== effect.result) return invalid(`the bytes of the write to ${effect.path} are not those that its digest names`);
    own.set(effect.result, copy);
  }
  return Object.freeze({ effects, claims: checkList(given.claims, 'claims'), content: own });
}

function checkList(given: unknown, what: string): readonly Effect[] {
  const snapshot = snapshotJson(given);
  if (!snapshot.ok) return invalid(`${what} are not plain JSON: ${snapshot.lossy.fault} at ${snapshot.lossy.pointer}`);
  if (!Array.isArray(snapshot.value)) return invalid(`${what} must be a list`);
  snapshot.value.forEach((item: unknown, index) => {
    const fault = faultOf(item);
    if (fault !== null) invalid(`${what}[${index}] ${fault}`);
  });
  // The table above has checked every member of every kind.
  return snapshot.value as readonly unknown[] as readonly Effect[];
}

function faultOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('kind' in item) || typeof item.kind !== 'string' || !Object.hasOwn(shapes, item.kind)) return 'is of no kind that is known';
  const shape = shapes[item.kind as EffectKind];
  const fields: Readonly<Record<string, unknown>> = { ...item };
  for (const [name, check] of Object.entries(shape)) if (!check(fields[name])) return `(${item.kind}) has a wrong ${name}`;
  if (item.kind === 'read' && fields['extent'] !== 'file' && !file(fields['path'])) return '(read) has a wrong extent: a result is read by itself';
  for (const name of Object.keys(fields)) if (name !== 'kind' && !Object.hasOwn(shape, name)) return `(${item.kind}) has an unknown member ${name}`;
  return null;
}

function invalid(what: string): never {
  throw new CodedError('INVALID_EFFECTS', `What this call would do cannot be judged, so it is denied: ${what}.`);
}
