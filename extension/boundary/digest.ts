import { hash } from 'node:crypto';
import type { Digest } from './effect.ts';
import type { Json } from './json.ts';
import { canonicalJson } from './json.ts';

/** SHA-256 of the bytes, or of the text's UTF-8. */
export function sha256(data: Uint8Array | string): Digest {
  return hash('sha256', data, 'hex') as Digest;
}

/** The digest of a JSON value, the same for the same value whatever the order of its keys. */
export function digestOfJson(value: Json): Digest {
  return sha256(canonicalJson(value));
}

const pattern = /^[0-9a-f]{64}$/;
export function isDigest(text: unknown): text is Digest {
  return typeof text === 'string' && pattern.test(text);
}
