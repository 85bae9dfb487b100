import type { Ajv, Options, ValidateFunction } from 'ajv';
import { isJsonObject } from '../json.ts';
import { type Budget, CheckTooCostly, createBudget, unitsOfCheck, unitsOfListing } from './budget.ts';
import type { Draft } from './drafts.ts';
import type { Following } from './evaluated.ts';
import type { FlatSchema } from './flatten.ts';
import { addOutsideKeywords } from './keywords.ts';
import { refKeyword } from './ref-keyword.ts';
import { createOutsidePatterns } from './regexp.ts';
import { type Compiled, type Validator, validatorOf } from '../violations.ts';

/** Formats are annotations and unknown keywords nothing, as the drafts have it; nothing is coerced, filled in or fetched. */
export const lenient = { strict: false, logger: false, validateFormats: false, coerceTypes: false, useDefaults: false, ownProperties: true } as const satisfies Options;

/** Compiles a flat schema. Its validator does not throw: a check that does not come to an end is a violation. */
export function compileFlat(flat: FlatSchema, draft: Draft): Validator {
  const budget = createBudget();
  const patterns = createOutsidePatterns(budget);
  const regExp = Object.assign((pattern: string) => patterns.compile(pattern), { code: 'linear' });
  const first = new Map<string, ValidateFunction>();
  const following: Following = {
    definitions: flat.definitions, draft,
    accepts: (schema, value) => {
      budget.spend(1);
      const name = isJsonObject(schema) ? schema[refKeyword] : undefined;
      if (typeof name === 'string') return checkOf(first, name)(value);
      if (typeof schema !== 'boolean') throw new Error('a schema without a name cannot be asked alone');
      return schema;
    },
    matches: (pattern, key) => patterns.compile(pattern).test(key),
  };
  const compileInto = (checks: Map<string, ValidateFunction>, options: Options): ValidateFunction => {
    const ajv: Ajv = draft.createAjv({ ...lenient, ...options, verbose: true, meta: false, validateSchema: false, addUsedSchema: false, code: { regExp, optimize: false } });
    addOutsideKeywords(ajv, budget, following, checks);
    for (const [name, definition] of Object.entries(flat.definitions)) if (isJsonObject(definition)) checks.set(name, ajv.compile(definition));
    return checkOf(checks, flat.root);
  };
  const one = compileInto(first, {});
  let all: Compiled | undefined;
  return bounded(budget, one, () => (all ??= patient(budget, compileInto(new Map(), { allErrors: true }))));
}

function checkOf(checks: ReadonlyMap<string, ValidateFunction>, name: string): ValidateFunction {
  const check = checks.get(name);
  if (check === undefined) throw new Error(`${name} was not compiled`);
  return check;
}

/** Where listing all faults costs too much, the first one is known already. */
function patient(budget: Budget, all: ValidateFunction): Compiled {
  const check: Compiled = (value) => {
    budget.refill(unitsOfListing);
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
function bounded(budget: Budget, first: ValidateFunction, all: () => Compiled): Validator {
  const validate = validatorOf(first, all);
  return (value) => {
    budget.refill(unitsOfCheck);
    try {
      return validate(value);
    } catch (error) {
      const why = error instanceof CheckTooCostly ? error.message : error instanceof RangeError ? 'it is nested too deeply' : `the check failed: ${error instanceof Error ? error.message : String(error)}`;
      return [{ pointer: '', expected: 'a value that its schema can be held against', got: why }];
    }
  };
}
