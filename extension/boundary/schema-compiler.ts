import { Ajv2020 } from 'ajv/dist/2020.js';
import { type SchemaCompiler, validatorOf } from './violations.ts';

/** How a tool's schema is read, here and ahead of time. */
export const toolSchemaOptions = {
  strict: true, strictRequired: false, verbose: true, coerceTypes: false, useDefaults: false, logger: false,
  // What every object inherits is no property of it; and no schema may be referred to, or stand in the way, from another tool's.
  ownProperties: true, addUsedSchema: false,
} as const;

/** Compiles schemas when they come. It loads Ajv, and the first schema costs a fifth of a second: those of the extension's own tools are compiled ahead. */
export function createSchemaCompiler(): SchemaCompiler {
  const ajv = new Ajv2020(toolSchemaOptions);
  const thorough = new Ajv2020({ ...toolSchemaOptions, allErrors: true });
  return (schema) => {
    if (thorough.validateSchema(schema) !== true) {
      throw new Error((thorough.errors ?? []).map((error) => `${error.instancePath === '' ? '/' : error.instancePath} ${error.message ?? error.keyword}`).join('; '));
    }
    const validate = ajv.compile(schema);
    // An asynchronous validator answers with a promise, which is never `false`.
    if ('$async' in validate) throw new Error('/ $async is not supported');
    return validatorOf(validate, () => thorough.compile(schema));
  };
}
