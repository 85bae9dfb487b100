import { Ajv, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../json.ts';

/** Where the schemas stand in a keyword's value; `value` holds none. */
export type Position = 'schema' | 'list' | 'schema-or-list' | 'map' | 'map-of-schemas-or-names' | 'definitions' | 'value';

/** A draft of JSON Schema as far as schemas from outside are read: a keyword that it does not list is no keyword. */
export interface Draft {
  readonly name: string;
  /** Its meta schema, as Ajv knows it. */
  readonly metaSchema: string;
  readonly keywords: ReadonlyMap<string, Position>;
  /** Up to draft-07 a `$ref` silences what stands beside it, and an `$id` that begins with `#` is an anchor. */
  readonly refStandsAlone: boolean;
  readonly createAjv: (options: Options) => Ajv;
}

/** What holds for the very value that the schema itself is applied to, and not for a part of it. */
export const inPlaceKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']);

const values = (...names: readonly string[]): readonly (readonly [string, Position])[] => names.map((name) => [name, 'value']);

const draft06Keywords: readonly (readonly [string, Position])[] = [
  ...values('type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'maxProperties', 'minProperties', 'required'),
  ['allOf', 'list'], ['anyOf', 'list'], ['oneOf', 'list'], ['not', 'schema'],
  ['properties', 'map'], ['patternProperties', 'map'], ['additionalProperties', 'schema'], ['propertyNames', 'schema'], ['dependencies', 'map-of-schemas-or-names'],
  ['items', 'schema-or-list'], ['additionalItems', 'schema'], ['contains', 'schema'], ['definitions', 'definitions'],
];
const draft07Keywords: typeof draft06Keywords = [...draft06Keywords, ['if', 'schema'], ['then', 'schema'], ['else', 'schema'], ['$defs', 'definitions']];
const draft2019Keywords: typeof draft06Keywords = [
  ...draft07Keywords, ...values('dependentRequired', 'minContains', 'maxContains'), ['dependentSchemas', 'map'], ['unevaluatedItems', 'schema'], ['unevaluatedProperties', 'schema'],
];
const draft2020Keywords: typeof draft06Keywords = [...draft2019Keywords.filter(([name]) => name !== 'additionalItems'), ['items', 'schema'], ['prefixItems', 'list']];

const draft2020: Draft = {
  name: '2020-12', metaSchema: 'https://json-schema.org/draft/2020-12/schema', keywords: new Map(draft2020Keywords), refStandsAlone: false, createAjv: (options) => new Ajv2020(options),
};
const draft2019: Draft = {
  name: '2019-09', metaSchema: 'https://json-schema.org/draft/2019-09/schema', keywords: new Map(draft2019Keywords), refStandsAlone: false, createAjv: (options) => new Ajv2019(options),
};
const draft07: Draft = { name: 'draft-07', metaSchema: 'http://json-schema.org/draft-07/schema', keywords: new Map(draft07Keywords), refStandsAlone: true, createAjv: (options) => new Ajv(options) };
/** Its meta schema is that of draft-07 without a few keywords, which is all the stricter. */
const draft06: Draft = { ...draft07, name: 'draft-06', keywords: new Map(draft06Keywords) };

const known: ReadonlyMap<string, Draft> = new Map([
  ['//json-schema.org/draft/2020-12/schema', draft2020], ['//json-schema.org/draft/2019-09/schema', draft2019],
  ['//json-schema.org/draft-07/schema', draft07], ['//json-schema.org/draft-06/schema', draft06],
]);

/** The draft that a schema says it is written in; 2020-12 where it says nothing. */
export function draftOf(schema: JsonObject): Draft {
  const named = schema['$schema'];
  if (named === undefined) return draft2020;
  const draft = typeof named === 'string' ? known.get(named.replace(/^https?:/, '').replace(/#$/, '')) : undefined;
  if (draft === undefined) throw new Error(`/$schema ${JSON.stringify(named).slice(0, 200)} is no draft that is read here; these are: 2020-12, 2019-09, draft-07, draft-06`);
  return draft;
}
