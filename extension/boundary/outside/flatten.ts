import { type Json, type JsonObject, isJsonObject, pointerStep } from '../json.ts';
import { type Draft, inPlaceKeywords } from './drafts.ts';
import type { Place, Places } from './places.ts';
import { refKeyword } from './ref-keyword.ts';
import { resolveReference } from './references.ts';
import { checkCost, costKeyword } from './keywords.ts';
import { refuseLoops } from './loops.ts';
import { type Rewritten, ownNames } from './own-names.ts';
import { split } from './split.ts';

/** A schema without names of its own: definitions, which refer to each other by `refKeyword`, and the one that all begins with. */
export interface FlatSchema {
  readonly root: string;
  readonly definitions: JsonObject;
}

/** Each is compiled apart, in half a millisecond or more. */
const mostDefinitions = 2000;

type Reach = 'in place' | 'a part';

/** A schema that something refers to, and the others that it leads to for the same value. */
interface Hoisted {
  readonly name: string;
  readonly place: Place;
  readonly inPlace: Set<Hoisted>;
}

/**
 * The same schema without names: no `$id`, no anchor, no unknown keyword; what is referred to becomes a definition with a name of
 * ours. So one schema cannot meet another's names, and a validator has nothing left to resolve.
 */
export function flatten(root: JsonObject, draft: Draft, places: Places, checkTarget: (place: Place) => void): FlatSchema {
  const named = [...places.of.values()].some(({ node }) => hasUnevaluated(node, draft)) ? choices : none;
  const hoisted = new Map<string, Hoisted>();
  const waiting: Hoisted[] = [];
  const hoist = (place: Place): Hoisted => {
    const known = hoisted.get(place.pointer);
    if (known !== undefined) return known;
    // Where no keyword has schemas, the meta schema was not asked yet.
    if (!places.of.has(place.node)) checkTarget(place);
    if (hoisted.size >= mostDefinitions) throw new Error(`${place.pointer || '/'} is one of more than ${mostDefinitions} schemas that are referred to`);
    const made: Hoisted = { name: `s${hoisted.size}`, place, inPlace: new Set() };
    hoisted.set(place.pointer, made);
    waiting.push(made);
    return made;
  };
  const definitions: Rewritten = {};
  let parts = 0;
  const define = (part: JsonObject): JsonObject => {
    parts += 1;
    definitions[`p${parts}`] = withCost(part);
    return { [refKeyword]: `p${parts}` };
  };
  const byName = (node: Json, pointer: string, base: string, owner: Hoisted, reach: Reach): Json => {
    const target = hoist(places.of.get(node) ?? { node, pointer, base });
    if (reach === 'in place') owner.inPlace.add(target);
    return { [refKeyword]: target.name };
  };
  const rewrite = (node: Json, pointer: string, base: string, owner: Hoisted, reach: Reach): Json => {
    if (typeof node === 'boolean') return node;
    if (!isJsonObject(node)) throw new Error(`${pointer || '/'} must be a schema`);
    const place = places.of.get(node) ?? { node, pointer, base };
    if (!places.of.has(node) && typeof node['$id'] === 'string') throw new Error(`${pointer}/$id stands where no schema is expected`);
    const refs = (['$ref', '$dynamicRef', '$recursiveRef'] as const).filter((keyword) => Object.hasOwn(node, keyword) && isReference(keyword, draft));
    const targets = refs.map((keyword) => hoist(resolveReference(keyword, node, place, places)));
    if (reach === 'in place') for (const target of targets) owner.inPlace.add(target);
    const [first, ...others] = targets.map(({ name }): JsonObject => ({ [refKeyword]: name }));
    if (first !== undefined && draft.refStandsAlone) return withCost(first);
    const copy: Rewritten = { ...first };
    for (const [keyword, value] of Object.entries(node)) {
      const position = draft.keywords.get(keyword);
      if (position === undefined || position === 'definitions') continue;
      const at = pointer + pointerStep(keyword);
      const inner = reach === 'in place' && inPlaceKeywords.has(keyword) ? 'in place' : 'a part';
      const schema = (child: Json, step: string): Json => (named.has(keyword) && isJsonObject(child) ? byName(child, at + step, place.base, owner, inner) : rewrite(child, at + step, place.base, owner, inner));
      copy[keyword] = position === 'value' ? value : Array.isArray(value) ? listOf(value, schema) : position === 'schema' || position === 'schema-or-list' ? schema(value, '') : mapOf(value, at, schema);
    }
    const more = [...others, ...requirements(copy, pointer)];
    if (more.length > 0) copy['allOf'] = [...(Array.isArray(copy['allOf']) ? (copy['allOf'] as readonly Json[]) : []), ...more];
    return withCost(split(ownNames(copy, pointer), pointer, define));
  };
  const start = hoist(places.of.get(root) ?? { node: root, pointer: '', base: '' });
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const body = rewrite(next.place.node, next.place.pointer, next.place.base, next, 'in place');
    definitions[next.name] = typeof body === 'boolean' ? (body ? {} : { not: {} }) : body;
  }
  refuseLoops(hoisted.values());
  return { root: start.name, definitions };
}

/** What has to be asked alone to know what a schema has looked at. */
const choices: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'if', 'contains', 'unevaluatedItems', 'unevaluatedProperties']);
const none: ReadonlySet<string> = new Set();

function hasUnevaluated(node: Json, draft: Draft): boolean {
  return isJsonObject(node) && ['unevaluatedItems', 'unevaluatedProperties'].some((keyword) => Object.hasOwn(node, keyword) && draft.keywords.has(keyword));
}

function isReference(keyword: '$ref' | '$dynamicRef' | '$recursiveRef', draft: Draft): boolean {
  return keyword === '$ref' || (keyword === '$dynamicRef' ? draft.name === '2020-12' : draft.name === '2019-09');
}

function listOf(value: readonly Json[], schema: (child: Json, step: string) => Json): Json {
  return value.map((child, index) => schema(child, pointerStep(index)));
}

/** `dependentRequired` said by schemas: Ajv writes a message for each name that lists all of them. */
function requirements(copy: Rewritten, pointer: string): readonly JsonObject[] {
  const { dependentRequired } = copy;
  if (!isJsonObject(dependentRequired)) return [];
  delete copy['dependentRequired'];
  if (Object.hasOwn(dependentRequired, '__proto__')) throw new Error(`${pointer}/dependentRequired/__proto__ is not supported`);
  return Object.entries(dependentRequired).map(([name, required]) => ({ dependentSchemas: { [name]: { required } } }));
}

function mapOf(value: Json, at: string, schema: (child: Json, step: string) => Json): Json {
  if (!isJsonObject(value)) throw new Error(`${at} must be an object`);
  const entries = Object.entries(value).map(([key, child]) => [key, Array.isArray(child) ? { required: child as Json } : schema(child, pointerStep(key))] as const);
  return Object.fromEntries(entries);
}

function withCost(node: JsonObject): JsonObject {
  const cost = checkCost(node);
  return cost === null ? node : { ...node, [costKeyword]: cost };
}
