import { type Json, type JsonObject, isJsonObject } from '../json.ts';
import type { Draft } from './drafts.ts';
import { refKeyword } from './ref-keyword.ts';

/** What following the alternatives of a schema needs; both spend from the budget of the check. */
export interface Following {
  /** The flat schema's definitions. */
  readonly definitions: JsonObject;
  readonly draft: Draft;
  readonly accepts: (schema: Json, value: Json) => boolean;
  readonly matches: (pattern: string, key: string) => boolean;
}

type Keys = 'all' | ReadonlySet<string>;

/**
 * The keys of a value (an object's names, a list's indices) that no keyword of `schema` looked at but its own `unevaluated…`.
 * Only what holds counts: of `anyOf`, `oneOf` and `if` the members that accept the value. What `schema` says of the value itself
 * may be taken as true: where it is not, the value is refused for that.
 */
export function unevaluatedKeys(schema: JsonObject, value: Json, following: Following): readonly string[] {
  const { unevaluatedItems: _items, unevaluatedProperties: _properties, ...others } = schema;
  const seen = evaluatedKeys(others, value, following);
  if (seen === 'all' || typeof value !== 'object' || value === null) return [];
  return Object.keys(value).filter((key) => !seen.has(key));
}

function evaluatedKeys(schema: Json, value: Json, following: Following): Keys {
  if (!isJsonObject(schema)) return new Set();
  const own = Array.isArray(value) ? ofItems(schema, value, following) : isJsonObject(value) ? ofProperties(schema, value, following) : new Set<string>();
  if (own === 'all') return 'all';
  const keys = new Set(own);
  for (const part of partsThatHold(schema, value, following)) {
    const more = evaluatedKeys(part, value, following);
    if (more === 'all') return 'all';
    for (const key of more) keys.add(key);
  }
  return keys;
}

function ofProperties(schema: JsonObject, value: JsonObject, { matches }: Following): Keys {
  if (schema['additionalProperties'] !== undefined || schema['unevaluatedProperties'] !== undefined) return 'all';
  const named = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const patterns = isJsonObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : [];
  return new Set(Object.keys(value).filter((key) => Object.hasOwn(named, key) || patterns.some((pattern) => matches(pattern, key))));
}

function ofItems(schema: JsonObject, value: readonly Json[], { draft, accepts }: Following): Keys {
  const { items, prefixItems, contains } = schema;
  if (schema['unevaluatedItems'] !== undefined) return 'all';
  if (items !== undefined && (!Array.isArray(items) || schema['additionalItems'] !== undefined)) return 'all';
  const inTurn = Array.isArray(items) ? items.length : Array.isArray(prefixItems) ? prefixItems.length : 0;
  // Before 2020-12, `contains` did not count.
  const contained = contains === undefined || draft.name !== '2020-12' ? null : contains;
  return new Set(Object.keys(value).filter((_key, index) => index < inTurn || (contained !== null && accepts(contained, value[index] ?? null))));
}

/** The schemas that `schema` applies to the value itself, and that accept it. */
function partsThatHold(schema: JsonObject, value: Json, { definitions, accepts }: Following): readonly Json[] {
  const parts: Json[] = [];
  const { [refKeyword]: ref, allOf, anyOf, oneOf, if: condition, then: yes, else: no } = schema;
  if (typeof ref === 'string') parts.push(definitions[ref] ?? true);
  if (Array.isArray(allOf)) parts.push(...(allOf as readonly Json[]));
  for (const choice of [anyOf, oneOf]) if (Array.isArray(choice)) parts.push(...(choice as readonly Json[]).filter((member) => accepts(member, value)));
  if (condition !== undefined) parts.push(...(accepts(condition, value) ? [condition, yes ?? true] : [no ?? true]));
  for (const dependent of [schema['dependentSchemas'], schema['dependencies']]) {
    if (isJsonObject(dependent) && isJsonObject(value)) parts.push(...Object.entries(dependent).filter(([key]) => Object.hasOwn(value, key)).map(([, part]) => part));
  }
  return parts;
}
