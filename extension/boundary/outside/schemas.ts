import type { Ajv, ErrorObject } from 'ajv';
import { compileFlat, lenient } from './checks.ts';
import { type Draft, draftOf } from './drafts.ts';
import { flatten } from './flatten.ts';
import { limitedCopy } from './limits.ts';
import { type Place, placesOf } from './places.ts';
import type { SchemaCompiler } from '../violations.ts';

/**
 * Compiles schemas that strangers wrote. Each is copied, capped, held against its draft's meta schema, and flattened, so that it
 * refers to itself alone and shares nothing with another. Patterns run in linear time; a check that costs too much is a violation.
 * What cannot be had so is refused by an Error that says where and why: there is no schema that accepts because it was not understood.
 */
export function createOutsideCompiler(): SchemaCompiler {
  const metaSchemas = new Map<string, Ajv>();
  return (given) => {
    const schema = limitedCopy(given);
    const draft = draftOf(schema);
    const meta = metaSchemas.get(draft.metaSchema) ?? draft.createAjv({ ...lenient, allErrors: true });
    metaSchemas.set(draft.metaSchema, meta);
    const validMeta = (place: Place): void => refuseInvalid(meta, draft, place);
    const root: Place = { node: schema, pointer: '', base: '' };
    validMeta(root);
    const places = placesOf(schema, draft);
    // An asynchronous validator answers with a promise, which is never `false`.
    for (const { node, pointer } of places.of.values()) if (typeof node === 'object' && node !== null && '$async' in node) throw new Error(`${pointer}/$async is not supported`);
    return compileFlat(flatten(schema, draft, places, validMeta), draft);
  };
}

const mostFaults = 20;

function refuseInvalid(meta: Ajv, draft: Draft, { node, pointer }: Place): void {
  const validate = meta.getSchema(draft.metaSchema);
  if (validate === undefined) throw new Error(`the meta schema of ${draft.name} is missing`);
  if (validate(node) === true) return;
  const said = (error: ErrorObject): string => `${pointer + error.instancePath || '/'} ${error.message ?? error.keyword}`;
  throw new Error([...new Set((validate.errors ?? []).map(said))].slice(0, mostFaults).join('; ') || `${pointer || '/'} is no schema`);
}
