import type { Ajv, FuncKeywordDefinition } from 'ajv';
import { type Json, type JsonObject, canonicalJson, isJsonObject } from './json.ts';
import type { Budget } from './outside-budget.ts';

/** Keywords of ours, which a schema from outside cannot have: unknown ones are left out when it is read. */
export const costKeyword = 'countersignCost';
export const inheritedKeyword = 'countersignInherited';

const loops = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'] as const;
const expensive = [...loops, '$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'properties', 'dependencies', 'dependentSchemas', 'dependentRequired', 'required', 'enum', 'const'];

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

/** Adds the keywords of ours, and puts our `uniqueItems` in the place of Ajv's, which takes the square of the list's length. */
export function addOutsideKeywords(ajv: Ajv, budget: Budget): void {
  ajv.addKeyword({
    keyword: costKeyword, schemaType: 'number', before: '$ref', errors: false,
    validate: (cost: number, value: Json) => {
      budget.spend(cost >= 0 ? cost : membersOf(value) - cost);
      return true;
    },
  });
  ajv.addKeyword({
    keyword: inheritedKeyword, type: 'object', schemaType: 'array', errors: false, error: { message: 'must not have a property that every object inherits' },
    validate: (known: readonly string[], value: JsonObject) => Object.keys(value).every((key) => !(key in Object.prototype) || known.includes(key)),
  });
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword(uniqueItems(budget));
}

function membersOf(value: Json): number {
  return Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
}

function uniqueItems(budget: Budget): FuncKeywordDefinition {
  const validate: FuncKeywordDefinition['validate'] = (wanted: boolean, items: readonly Json[]) => {
    if (!wanted) return true;
    const seen = new Map<string, number>();
    for (const [index, item] of items.entries()) {
      const text = canonicalJson(item);
      budget.spend(1 + Math.ceil(text.length / 8));
      const before = seen.get(text);
      if (before !== undefined) {
        if (validate) validate.errors = [{ keyword: 'uniqueItems', message: `must NOT have duplicate items (items ## ${before} and ${index} are identical)`, params: { i: index, j: before } }];
        return false;
      }
      seen.set(text, index);
    }
    return true;
  };
  return { keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', errors: true, validate };
}
