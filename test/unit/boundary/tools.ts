import type { JsonObject } from '../../../extension/boundary/json.ts';
import { createRegistry, type Registry } from '../../../extension/boundary/registry.ts';
import { createSchemaCompiler } from '../../../extension/boundary/schema-compiler.ts';
import type { ToolDefinition } from '../../../extension/boundary/tool-definition.ts';

export const anObject: JsonObject = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false };

/** A tool that talks to the person and does nothing else, with these fields instead of its own. */
export function aTool(fields: Readonly<Record<string, unknown>> = {}): ToolDefinition {
  const definition: ToolDefinition = {
    name: 'say', description: 'Says a thing.', parameters: anObject,
    output: { schema: { type: 'string' }, render: (_args, value) => [{ type: 'text', text: JSON.stringify(value) }] },
    effects: () => ({ effects: [{ kind: 'converse', op: 'plan' }], claims: [], content: new Map() }),
    execute: () => Promise.resolve('said'),
  };
  return { ...definition, ...fields };
}

export function aRegistry(...tools: readonly ToolDefinition[]): Registry {
  const registry = createRegistry(createSchemaCompiler());
  for (const tool of tools) registry.register(tool);
  return registry;
}
