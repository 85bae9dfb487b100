import type { Draft } from './drafts.ts';
import { type Json, type JsonObject, isJsonObject, pointerStep } from '../json.ts';

/** Where a schema stands in its document, and what its references are relative to. */
export interface Place {
  readonly node: Json;
  readonly pointer: string;
  readonly base: string;
}

/** What the names in a document stand for. Nothing outside of the document is ever among them. */
export interface Places {
  /** By the schema itself: only what stands where a draft's keywords have schemas. */
  readonly of: ReadonlyMap<Json, Place>;
  /** By `$id`, made absolute. */
  readonly resources: ReadonlyMap<string, Place>;
  /** By `$id`, `#` and the anchor's name. */
  readonly anchors: ReadonlyMap<string, Place>;
  /** By name: in several resources one may stand for several schemas. */
  readonly dynamicAnchors: ReadonlyMap<string, readonly Place[]>;
  readonly recursiveAnchors: readonly Place[];
}

/** What relative ids are relative to, where the document has no absolute one. */
export const unnamedBase = 'https://schema.invalid/';

export function placesOf(root: JsonObject, draft: Draft): Places {
  const of = new Map<Json, Place>();
  const resources = new Map<string, Place>();
  const anchors = new Map<string, Place>();
  const dynamicAnchors = new Map<string, Place[]>();
  const recursiveAnchors: Place[] = [];

  const name = (names: Map<string, Place>, key: string, place: Place, written: string): void => {
    if (names.has(key)) throw new Error(`${place.pointer || '/'} the name ${JSON.stringify(written.slice(0, 200))} stands for two schemas`);
    names.set(key, place);
  };
  const walk = (node: Json, pointer: string, outer: string): void => {
    if (!isJsonObject(node)) return;
    const silenced = draft.refStandsAlone && typeof node['$ref'] === 'string';
    const id = silenced ? undefined : node['$id'];
    const [uri = '', fragment = ''] = typeof id === 'string' ? id.split('#') : [];
    const base = uri === '' ? outer : absolute(uri, outer, pointer);
    const place: Place = { node, pointer, base };
    of.set(node, place);
    if (uri !== '') {
      name(resources, base, place, uri);
      const inner = node['$schema'];
      if (pointer !== '' && inner !== undefined && inner !== root['$schema']) throw new Error(`${pointer}/$schema a schema inside another may not be of a draft of its own`);
    }
    if (fragment !== '' && draft.refStandsAlone) name(anchors, `${base}#${fragment}`, place, `#${fragment}`);
    if (!draft.refStandsAlone) {
      const { $anchor: anchor, $dynamicAnchor: dynamic } = node;
      if (typeof anchor === 'string') name(anchors, `${base}#${anchor}`, place, `#${anchor}`);
      if (typeof dynamic === 'string' && draft.name === '2020-12') {
        if (dynamic !== anchor) name(anchors, `${base}#${dynamic}`, place, `#${dynamic}`);
        dynamicAnchors.set(dynamic, [...(dynamicAnchors.get(dynamic) ?? []), place]);
      }
      if (node['$recursiveAnchor'] === true) recursiveAnchors.push(place);
    }
    for (const [key, value] of Object.entries(node)) {
      const at = pointer + pointerStep(key);
      for (const [step, child] of schemasIn(value, draft.keywords.get(key))) walk(child, at + step, base);
    }
  };
  // A document without an `$id` is a resource as well; one whose `$id` is given is found by that alone.
  walk(root, '', unnamedBase);
  const rootPlace = of.get(root);
  if (rootPlace !== undefined && !resources.has(rootPlace.base)) resources.set(rootPlace.base, rootPlace);
  return { of, resources, anchors, dynamicAnchors, recursiveAnchors };
}

function schemasIn(value: Json, position: Draft['keywords'] extends ReadonlyMap<string, infer P> ? P | undefined : never): readonly (readonly [string, Json])[] {
  const members = (from: Json): readonly (readonly [string, Json])[] => (typeof from === 'object' && from !== null ? Object.entries(from).map(([key, child]) => [pointerStep(key), child]) : []);
  switch (position) {
    case 'schema':
      return [['', value]];
    case 'schema-or-list':
      return Array.isArray(value) ? members(value) : [['', value]];
    case 'list':
    case 'map':
    case 'definitions':
      return members(value);
    case 'map-of-schemas-or-names':
      return members(value).filter(([, child]) => !Array.isArray(child));
    case 'value':
    case undefined:
      return [];
  }
}

/** `uri` (without a fragment) made absolute by `base`. */
export function absolute(uri: string, base: string, pointer: string): string {
  if (!URL.canParse(uri, base)) throw new Error(`${pointer || '/'} ${JSON.stringify(uri.slice(0, 200))} is no address relative to ${JSON.stringify(base.slice(0, 200))}`);
  return new URL(uri, base).href;
}
