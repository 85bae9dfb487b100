import type { DataValidationCxt, FuncKeywordDefinition, SchemaValidateFunction, ValidateFunction } from 'ajv/dist/types';
import type { JsonObject } from '../json.ts';
import type { Budget } from './budget.ts';

/** A reference by the name of a definition; a schema from outside cannot have it, as unknown keywords are left out when it is read. */
export const refKeyword = 'countersignRef';

/**
 * Each definition is a check of its own, called by name: nothing is resolved, and no chain of references is too long to be compiled.
 * Of a part's faults `mostFaults` are kept, where Ajv would copy all of them at each reference.
 */
export function refDefinition(checks: ReadonlyMap<string, ValidateFunction>, budget: Budget, mostFaults: number): FuncKeywordDefinition {
  const validate: SchemaValidateFunction = (name: string, value: unknown, _parent?: JsonObject, context?: DataValidationCxt) => {
    const check = checks.get(name);
    if (check === undefined) throw new Error(`${name} was not compiled`);
    if (check(value, context)) return true;
    const faults = (check.errors ?? []).slice(0, mostFaults);
    budget.spend(8 * faults.length);
    // Ajv would write the place and the value of the reference over those of the fault; in its code, which is not strict, it writes in vain.
    validate.errors = faults.map((fault) => Object.freeze(fault));
    return false;
  };
  return { keyword: refKeyword, schemaType: 'string', before: '$ref', errors: true, validate };
}
