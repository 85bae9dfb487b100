import type { Ajv, FuncKeywordDefinition, SchemaValidateFunction, ValidateFunction } from 'ajv';
import { type Json, type JsonObject, canonicalJson, isJsonObject } from '../json.ts';
import type { Budget } from './budget.ts';
import { type Following, unevaluatedKeys } from './evaluated.ts';
import { refDefinition, refKeyword } from './ref-keyword.ts';

/** A keyword of ours, which a schema from outside cannot have: unknown ones are left out when it is read. */
export const costKeyword = 'countersignCost';

const loops = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'] as const;
const expensive = [...loops, refKeyword, 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'properties', 'dependencies', 'dependentSchemas', 'dependentRequired', 'required', 'enum', 'const'];

/** What one check against this schema costs, without those that it leads to; a negative cost grows with the members of the value. Null for what costs next to nothing. */
export function checkCost(schema: JsonObject): number | null {
  let cost = 0;
  for (const keyword of expensive) {
    const value = schema[keyword];
    if (value === undefined) continue;
    cost += 1 + (keyword === 'enum' || keyword === 'const' ? Math.ceil(JSON.stringify(value).length / 16) : typeof value === 'object' && value !== null ? Object.keys(value).length : 0);
  }
  if (cost === 0) return null;
  return loops.some((keyword) => schema[keyword] !== undefined) ? -cost : cost;
}

/**
 * Adds the keywords of ours, and puts others in the place of Ajv's: its `uniqueItems` takes the square of the list's length, and its
 * `unevaluated…` take for looked at what only a member that failed has looked at, or what every object inherits.
 */
export function addOutsideKeywords(ajv: Ajv, budget: Budget, following: Following, checks: ReadonlyMap<string, ValidateFunction>): void {
  // Where the first fault is enough, a few are; where all are listed, as many as a reader is shown.
  ajv.addKeyword(refDefinition(checks, budget, ajv.opts.allErrors === true ? 50 : 3));
  ajv.addKeyword({
    keyword: costKeyword, schemaType: 'number', before: refKeyword, errors: false,
    validate: (cost: number, value: Json) => {
      budget.spend(cost >= 0 ? cost : membersOf(value) - cost);
      return true;
    },
  });
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword(uniqueItems(budget));
  ajv.opts.unevaluated = false;
  for (const [keyword, type, param] of [['unevaluatedItems', 'array', 'unevaluatedItem'], ['unevaluatedProperties', 'object', 'unevaluatedProperty']] as const) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword(unevaluated(keyword, type, param, following));
  }
}

function unevaluated(keyword: string, type: 'array' | 'object', param: string, following: Following): FuncKeywordDefinition {
  const validate: SchemaValidateFunction = (schema: Json, value: readonly Json[] | JsonObject, parent: JsonObject = {}) => {
    const members = new Map(Object.entries(value));
    const refused = unevaluatedKeys(parent, value, following).filter((key) => !following.accepts(schema, members.get(key) ?? null));
    validate.errors = refused.slice(0, 50).map((key) => ({ keyword, message: `must NOT have the unevaluated member ${JSON.stringify(key.slice(0, 100))}`, params: { [param]: key } }));
    return refused.length === 0;
  };
  return { keyword, type, schemaType: ['boolean', 'object'], errors: true, validate };
}

function membersOf(value: Json): number {
  return Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
}

function uniqueItems(budget: Budget): FuncKeywordDefinition {
  const validate: SchemaValidateFunction = (wanted: boolean, items: readonly Json[]) => {
    if (!wanted) return true;
    const seen = new Map<string, number>();
    for (const [index, item] of items.entries()) {
      const text = canonicalJson(item);
      budget.spend(1 + Math.ceil(text.length / 8));
      const before = seen.get(text);
      if (before !== undefined) {
        validate.errors = [{ keyword: 'uniqueItems', message: `must NOT have duplicate items (items ## ${before} and ${index} are identical)`, params: { i: index, j: before } }];
        return false;
      }
      seen.set(text, index);
    }
    return true;
  };
  return { keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', errors: true, validate };
}
