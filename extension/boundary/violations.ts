import type { ErrorObject } from 'ajv';
import { closestNames } from './closest.ts';
import type { Violation } from './error-codes.ts';
import { type JsonObject, jsonTypeOf, pointerStep } from './json.ts';

/** All violations (of a value over 64 kB, the first), or none. Never coerces, never fills in. */
export type Validator = (value: unknown) => readonly Violation[];

/** Gives the validator of a JSON Schema (2020-12), or throws an Error that lists all that is wrong with it. What has none is never accepted. */
export type SchemaCompiler = (schema: JsonObject) => Validator;

/** A compiled schema, as Ajv makes it. */
export interface Compiled {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

/** In characters of JSON. Of a larger value the first violation is told: half a million of them would hold the host for seconds. */
const maxForAllViolations = 64 * 1024;

/** `first` ends at the first fault, which is all that most values need; `all` finds every one. */
export function validatorOf(first: Compiled, all: () => Compiled): Validator {
  return (value) => {
    if (first(value)) return [];
    if ((JSON.stringify(value) ?? '').length > maxForAllViolations) return summarise(first.errors ?? []);
    const thorough = all();
    thorough(value);
    return summarise(thorough.errors ?? first.errors ?? []);
  };
}

const mostViolations = 50;

/** The faults as a model can act on them: never none. A failed `anyOf` says the same thing again and is left out where its members spoke. */
function summarise(errors: readonly ErrorObject[]): readonly Violation[] {
  const telling = errors.filter((error, index) => !spokenFor(error, errors[index - 1]));
  return telling.slice(0, mostViolations).map(violationOf);
}

/** Whether the fault just before is one of a member. A `oneOf` that several members satisfy has none. */
function spokenFor(error: ErrorObject, before: ErrorObject | undefined): boolean {
  if (before === undefined || !before.instancePath.startsWith(error.instancePath)) return false;
  switch (error.keyword) {
    case 'anyOf':
    case 'oneOf':
      return before.schemaPath.startsWith(`${error.schemaPath}/`);
    case 'if':
      return before.schemaPath.startsWith(error.schemaPath.replace(/if$/, 'then/')) || before.schemaPath.startsWith(error.schemaPath.replace(/if$/, 'else/'));
    default:
      return false;
  }
}

function violationOf(error: ErrorObject): Violation {
  const got = describe(error.data);
  switch (error.keyword) {
    case 'required': {
      const name = String(error.params['missingProperty']);
      return { pointer: error.instancePath + pointerStep(name), expected: `the property ${JSON.stringify(name)}, which is required`, got: 'nothing' };
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(error.params['additionalProperty'] ?? error.params['unevaluatedProperty']);
      const known = Object.keys(isRecord(error.parentSchema?.['properties']) ? error.parentSchema['properties'] : {});
      const near = closestNames(name, known, 1)[0];
      const expected = near === undefined ? `one of the known properties (${known.join(', ')})` : `the property ${JSON.stringify(near)}, probably`;
      return { pointer: error.instancePath + pointerStep(name), expected, got: `the unknown property ${JSON.stringify(name.slice(0, 100))}` };
    }
    case 'type':
      return { pointer: error.instancePath, expected: [error.params['type']].flat().join(' or '), got };
    case 'enum':
      return { pointer: error.instancePath, expected: `one of ${JSON.stringify(error.params['allowedValues'])}`, got };
    case 'const':
      return { pointer: error.instancePath, expected: JSON.stringify(error.params['allowedValue']), got };
    default:
      return { pointer: error.instancePath, expected: (error.message ?? error.keyword).replace(/^must be /, '').replace(/^must /, 'to '), got };
  }
}

function describe(value: unknown): string {
  const type = jsonTypeOf(value);
  return type === 'object' || type === 'array' || type === 'null' ? type : `${type} ${(JSON.stringify(value) ?? type).slice(0, 60).replace(/[\ud800-\udbff]$/, '')}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
