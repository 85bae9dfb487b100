import { type Json, type JsonObject, isJsonObject, pointerStep } from './json.ts';
import { type Draft, inPlaceKeywords } from './outside-drafts.ts';
import type { Place, Places } from './outside-places.ts';
import { resolveReference } from './outside-references.ts';
import { checkCost, costKeyword } from './outside-keywords.ts';
import { refuseLoops } from './outside-loops.ts';
import { type Rewritten, ownNames } from './outside-own-names.ts';

/** A schema that something refers to, and the others that it leads to for the same value. */
interface Hoisted {
  readonly name: string;
  readonly place: Place;
  readonly inPlace: Set<Hoisted>;
}

/**
 * The same schema without names: no `$id`, no anchor, no unknown keyword; what is referred to stands under `$defs` by a name of
 * ours, and each `$ref` points there. So one schema cannot meet another's names, and a validator has nothing left to resolve.
 */
export function flatten(root: JsonObject, draft: Draft, places: Places, checkTarget: (place: Place) => void): JsonObject {
  const hoisted = new Map<string, Hoisted>();
  const waiting: Hoisted[] = [];
  const hoist = (place: Place): Hoisted => {
    const known = hoisted.get(place.pointer);
    if (known !== undefined) return known;
    // Where no keyword has schemas, the meta schema was not asked yet.
    if (!places.of.has(place.node)) checkTarget(place);
    const made: Hoisted = { name: `s${hoisted.size}`, place, inPlace: new Set() };
    hoisted.set(place.pointer, made);
    waiting.push(made);
    return made;
  };
  const rewrite = (node: Json, pointer: string, base: string, owner: Hoisted, reach: 'in place' | 'a part'): Json => {
    if (typeof node === 'boolean') return node;
    if (!isJsonObject(node)) throw new Error(`${pointer || '/'} must be a schema`);
    const place = places.of.get(node) ?? { node, pointer, base };
    if (!places.of.has(node) && typeof node['$id'] === 'string') throw new Error(`${pointer}/$id stands where no schema is expected`);
    const refs = (['$ref', '$dynamicRef', '$recursiveRef'] as const).filter((keyword) => Object.hasOwn(node, keyword) && isReference(keyword, draft));
    const targets = refs.map((keyword) => hoist(resolveReference(keyword, node, place, places)));
    if (reach === 'in place') for (const target of targets) owner.inPlace.add(target);
    const [first, ...others] = targets.map(({ name }): JsonObject => ({ $ref: `#/$defs/${name}` }));
    if (first !== undefined && draft.refStandsAlone) return withCost(first);
    const copy: Rewritten = { ...first };
    for (const [keyword, value] of Object.entries(node)) {
      const position = draft.keywords.get(keyword);
      if (position === undefined || position === 'definitions') continue;
      const at = pointer + pointerStep(keyword);
      const inner = reach === 'in place' && inPlaceKeywords.has(keyword) ? 'in place' : 'a part';
      const schema = (child: Json, step: string): Json => rewrite(child, at + step, place.base, owner, inner);
      copy[keyword] = position === 'value' ? value : Array.isArray(value) ? value.map((child, index) => schema(child, pointerStep(index))) : position === 'schema' || position === 'schema-or-list' ? schema(value, '') : mapOf(value, at, schema);
    }
    if (others.length > 0) copy['allOf'] = [...(Array.isArray(copy['allOf']) ? (copy['allOf'] as readonly Json[]) : []), ...others];
    return withCost(ownNames(copy, pointer));
  };
  const start = hoist(places.of.get(root) ?? { node: root, pointer: '', base: '' });
  const definitions: Rewritten = {};
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const body = rewrite(next.place.node, next.place.pointer, next.place.base, next, 'in place');
    definitions[next.name] = typeof body === 'boolean' ? (body ? {} : { not: {} }) : body;
  }
  refuseLoops(hoisted.values());
  return { $ref: `#/$defs/${start.name}`, $defs: definitions };
}

function isReference(keyword: '$ref' | '$dynamicRef' | '$recursiveRef', draft: Draft): boolean {
  return keyword === '$ref' || (keyword === '$dynamicRef' ? draft.name === '2020-12' : draft.name === '2019-09');
}

function mapOf(value: Json, at: string, schema: (child: Json, step: string) => Json): Json {
  if (!isJsonObject(value)) throw new Error(`${at} must be an object`);
  const entries = Object.entries(value).map(([key, child]) => [key, Array.isArray(child) ? child : schema(child, pointerStep(key))] as const);
  return Object.fromEntries(entries);
}

function withCost(node: JsonObject): JsonObject {
  const cost = checkCost(node);
  return cost === null ? node : { ...node, [costKeyword]: cost };
}
