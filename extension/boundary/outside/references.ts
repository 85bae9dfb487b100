import { type Json, type JsonObject, isJsonObject, pointerStep } from '../json.ts';
import { absolute, type Place, type Places } from './places.ts';

/** What the reference `keyword` of `node` stands for: always a place in the same document. Anything else is an Error that names it. */
export function resolveReference(keyword: '$ref' | '$dynamicRef' | '$recursiveRef', node: JsonObject, from: Place, places: Places): Place {
  const written = node[keyword];
  const at = `${from.pointer}/${keyword}`;
  if (typeof written !== 'string') throw new Error(`${at} must be text`);
  const hash = written.indexOf('#');
  const uri = hash < 0 ? written : written.slice(0, hash);
  const fragment = decoded(hash < 0 ? '' : written.slice(hash + 1), at);
  const address = uri === '' ? from.base : absolute(uri, from.base, at);
  const resource = places.resources.get(address);
  const shown = JSON.stringify(written.slice(0, 200));
  if (resource === undefined) throw new Error(`${at} ${shown} lies outside of the schema: only what stands in it can be referred to`);
  const target = fragment === '' ? resource : fragment.startsWith('/') ? stepInto(resource, fragment, places) : places.anchors.get(`${address}#${fragment}`);
  if (target === undefined) throw new Error(`${at} ${shown} stands for nothing in the schema`);
  switch (keyword) {
    case '$ref':
      return target;
    case '$dynamicRef':
      if (isJsonObject(target.node) && target.node['$dynamicAnchor'] === fragment) fixed(places.dynamicAnchors.get(fragment) ?? [], `${at} ${shown}`);
      return target;
    case '$recursiveRef':
      if (isJsonObject(target.node) && target.node['$recursiveAnchor'] === true) fixed(places.recursiveAnchors, `${at} ${shown}`);
      return target;
  }
}

/** With one candidate there is nothing to choose; with several the choice depends on the way that led there, which is not followed. */
function fixed(candidates: readonly Place[], what: string): void {
  if (candidates.length > 1) throw new Error(`${what} may stand for ${candidates.length} schemas, as the way there decides: this is not supported`);
}

function stepInto(resource: Place, fragment: string, places: Places): Place | undefined {
  let place = resource;
  for (const step of fragment.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const node: Json | undefined = member(place.node, key);
    if (node === undefined) return undefined;
    place = places.of.get(node) ?? { node, pointer: place.pointer + pointerStep(key), base: place.base };
  }
  return place;
}

function member(node: Json, key: string): Json | undefined {
  if (Array.isArray(node)) return /^(?:0|[1-9]\d*)$/.test(key) ? (node as readonly Json[])[Number(key)] : undefined;
  return isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}

function decoded(fragment: string, at: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw new Error(`${at} has a wrong percent escape`);
  }
}
