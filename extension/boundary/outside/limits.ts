import { type Json, type JsonObject, isJsonObject, pointerStep } from '../json.ts';
import { snapshotJson } from '../snapshot.ts';

/** What a schema from outside may be at most. */
export const outsideLimits = { bytes: 256 * 1024, depth: 64 } as const;

/** The schema as a copy that nobody else holds; an Error where it is no JSON object or larger than a schema may be. */
export function limitedCopy(schema: JsonObject): JsonObject {
  const copied = snapshotJson(schema);
  if (!copied.ok) throw new Error(`${copied.lossy.pointer || '/'} is ${copied.lossy.fault}, which is no JSON`);
  const { value } = copied;
  if (!isJsonObject(value)) throw new Error('/ the schema must be an object');
  const deep = tooDeep(value, '', 1);
  if (deep !== null) throw new Error(`${deep.slice(0, 200)} is nested deeper than ${outsideLimits.depth} levels`);
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > outsideLimits.bytes) throw new Error(`/ the schema has ${bytes} bytes of JSON, more than ${outsideLimits.bytes}`);
  return value;
}

/** The pointer of the first value that lies too deep. */
function tooDeep(value: Json, pointer: string, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth > outsideLimits.depth) return pointer;
  for (const [key, member] of Object.entries(value)) {
    const found = tooDeep(member, pointer + pointerStep(key), depth + 1);
    if (found !== null) return found;
  }
  return null;
}
