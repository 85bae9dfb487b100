import type { Ajv, ErrorObject, Options } from 'ajv';
import type { JsonObject } from './json.ts';
import { type Budget, CheckTooCostly, createBudget } from './outside-budget.ts';
import { type Draft, draftOf } from './outside-drafts.ts';
import { flatten } from './outside-flatten.ts';
import { addOutsideKeywords } from './outside-keywords.ts';
import { limitedCopy } from './outside-limits.ts';
import { type Place, placesOf } from './outside-places.ts';
import { createOutsidePatterns } from './outside-regexp.ts';
import { type Compiled, type SchemaCompiler, type Validator, validatorOf } from './violations.ts';

/** Formats are annotations and unknown keywords nothing, as the drafts have it; nothing is coerced, filled in or fetched. */
const lenient = { strict: false, logger: false, validateFormats: false, coerceTypes: false, useDefaults: false, ownProperties: true } as const satisfies Options;

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
    const flat = flatten(schema, draft, places, validMeta);
    return compileFlat(flat, draft);
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

function compileFlat(flat: JsonObject, draft: Draft): Validator {
  const budget = createBudget();
  const patterns = createOutsidePatterns(budget);
  const regExp = Object.assign((pattern: string) => patterns.compile(pattern), { code: 'linear' });
  const compile = (options: Options): Compiled => {
    const ajv = draft.createAjv({ ...lenient, ...options, verbose: true, meta: false, validateSchema: false, addUsedSchema: false, inlineRefs: false, code: { regExp } });
    addOutsideKeywords(ajv, budget);
    return ajv.compile(flat);
  };
  const first = understood(() => compile({}));
  let all: Compiled | undefined;
  return bounded(budget, first, () => (all ??= patient(budget, compile({ allErrors: true }))));
}

/** A chain of thousands of references is more than the compiler's own stack holds. */
function understood<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (error instanceof RangeError) throw new Error('/ its references are chained too deeply to be compiled', { cause: error });
    throw error;
  }
}

/** Where listing all faults costs too much, the first one is known already. */
function patient(budget: Budget, all: Compiled): Compiled {
  const check: Compiled = (value) => {
    budget.refill();
    try {
      const valid = all(value);
      check.errors = all.errors ?? null;
      return valid;
    } catch {
      check.errors = null;
      return false;
    }
  };
  return check;
}

/** A check that does not come to an end says no. */
function bounded(budget: Budget, first: Compiled, all: () => Compiled): Validator {
  const validate = validatorOf(first, all);
  return (value) => {
    budget.refill();
    try {
      return validate(value);
    } catch (error) {
      const why = error instanceof CheckTooCostly ? error.message : error instanceof RangeError ? 'it is nested too deeply' : `the check failed: ${error instanceof Error ? error.message : String(error)}`;
      return [{ pointer: '', expected: 'a value that its schema can be held against', got: why }];
    }
  };
}
