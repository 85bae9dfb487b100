/** JSON Schemas (2020-12) of every message, compiled ahead for both ends. */
const record = (properties: Readonly<Record<string, object>>): object =>
  ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false });

const nonce = { type: 'string', maxLength: 200 } as const;

export const paramsSchemas = {
  initialize: record({ protocolVersion: { type: 'integer' } }),
  ping: record({ nonce }),
} as const;

export const resultSchemas = {
  initialize: record({ protocolVersion: { type: 'integer' }, pid: { type: 'integer', minimum: 1 } }),
  ping: record({ nonce }),
} as const;
