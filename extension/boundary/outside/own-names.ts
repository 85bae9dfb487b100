import { type Json, isJsonObject } from '../json.ts';

/** A schema while it is rewritten. */
export type Rewritten = Record<string, Json>;

const proto = '__proto__';

/** Ajv passes over a property that is called `__proto__`. So it is said by a pattern instead, or refused. */
export function ownNames(node: Rewritten, pointer: string): Rewritten {
  move(node, 'patternProperties', '(?:__proto__)', pointer);
  move(node, 'properties', '^(?:__proto__)$', pointer);
  for (const keyword of ['dependencies', 'dependentSchemas']) {
    const map = node[keyword];
    if (isJsonObject(map) && Object.hasOwn(map, proto)) throw new Error(`${pointer}/${keyword}/${proto} is not supported`);
  }
  return node;
}

function move(node: Rewritten, from: 'properties' | 'patternProperties', pattern: string, pointer: string): void {
  const map = node[from];
  if (!isJsonObject(map) || !Object.hasOwn(map, proto)) return;
  const { [proto]: schema = true, ...rest } = map;
  node[from] = rest;
  const patterns = node['patternProperties'] ?? {};
  if (!isJsonObject(patterns) || Object.hasOwn(patterns, pattern)) throw new Error(`${pointer}/${from}/${proto} is not supported`);
  node['patternProperties'] = { ...patterns, [pattern]: schema };
}
