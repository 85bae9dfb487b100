import { type Json, isJsonObject } from './json.ts';
import { inheritedKeyword } from './outside-keywords.ts';

/** A schema while it is rewritten. */
export type Rewritten = Record<string, Json>;

const proto = '__proto__';

/**
 * Ajv passes over a property that is called `__proto__`, and takes what every object inherits for evaluated. The first is said
 * by a pattern instead, or refused; against the second stands a keyword of ours.
 */
export function ownNames(node: Rewritten, pointer: string): Rewritten {
  move(node, 'patternProperties', '(?:__proto__)', pointer);
  move(node, 'properties', '^(?:__proto__)$', pointer);
  for (const keyword of ['dependencies', 'dependentSchemas', 'dependentRequired']) {
    const map = node[keyword];
    if (isJsonObject(map) && Object.hasOwn(map, proto)) throw new Error(`${pointer}/${keyword}/${proto} is not supported`);
  }
  const unevaluated = node['unevaluatedProperties'];
  if (unevaluated !== undefined && unevaluated !== true) node[inheritedKeyword] = isJsonObject(node['properties']) ? Object.keys(node['properties']) : [];
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
