import { type Json, type JsonObject, isJsonObject } from '../json.ts';
import type { Rewritten } from './own-names.ts';

/** Ajv nests the check of each member in that of the one before: with thousands, no engine reads the code any more. */
const membersTogether = 50;
/** Of what cannot be taken apart. */
const mostMembers = 250;

/**
 * The same schema with its many members in parts of their own: `define` keeps a part and gives a reference to it. Names and patterns
 * stay where they were, since `additionalProperties` asks for them, but say nothing there.
 */
export function split(node: Rewritten, pointer: string, define: (part: JsonObject) => JsonObject): Rewritten {
  const parts: Json[] = [];
  for (const keyword of ['properties', 'patternProperties', 'dependentSchemas', 'dependencies'] as const) {
    const map = node[keyword];
    if (!isJsonObject(map) || Object.keys(map).length <= membersTogether) continue;
    for (const entries of chunks(Object.entries(map))) parts.push(define({ [keyword]: Object.fromEntries(entries) }));
    if (keyword === 'properties' || keyword === 'patternProperties') node[keyword] = Object.fromEntries(Object.keys(map).map((name) => [name, true]));
    else delete node[keyword];
  }
  if (parts.length > 0) node['allOf'] = [...listOf(node['allOf']), ...parts];
  for (const keyword of ['allOf', 'anyOf'] as const) {
    if (node[keyword] !== undefined) node[keyword] = grouped(listOf(node[keyword]), keyword, define);
  }
  for (const keyword of ['oneOf', 'prefixItems', 'items', 'patternProperties'] as const) {
    if (Object.keys(node[keyword] ?? {}).length > mostMembers && (keyword !== 'items' || Array.isArray(node[keyword]))) throw new Error(`${pointer}/${keyword} has more than ${mostMembers} members`);
  }
  return node;
}

function grouped(members: readonly Json[], keyword: 'allOf' | 'anyOf', define: (part: JsonObject) => JsonObject): readonly Json[] {
  if (members.length <= membersTogether) return members;
  return grouped(chunks(members).map((group) => define({ [keyword]: group })), keyword, define);
}

function chunks<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / membersTogether) }, (_, index) => all.slice(index * membersTogether, (index + 1) * membersTogether));
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
