import type { JsonObject } from './json.ts';
import type { ToolSchema } from './tool-definition.ts';

/** What `schemaOf` reads. Every definition has these; it reads nothing else. */
export interface ModelFacing {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly deferLoading?: unknown;
}

/**
 * What a model may see of a tool: the four model-facing fields, named one by one. The others are not filtered out, they are
 * never read. `parameters` must be a snapshot (registration makes one); the projection is a detached copy of it.
 */
export function schemaOf(definition: ModelFacing): ToolSchema {
  const { name, description, parameters, deferLoading } = definition;
  const copy = structuredCloneOfJson(parameters);
  return deferLoading === true ? { name, description, parameters: copy, deferLoading } : { name, description, parameters: copy };
}

/** Detached, whatever the depth: `structuredClone` and `JSON.stringify` would overflow the stack on 10,000 levels. */
function structuredCloneOfJson(root: JsonObject): JsonObject {
  const result: Record<string, unknown> = {};
  const stack: [object, Record<string, unknown> | unknown[]][] = [[root, result]];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [source, copy] = pair;
    for (const [key, value] of Object.entries<unknown>({ ...source })) {
      const nested: Record<string, unknown> | unknown[] | null = typeof value !== 'object' || value === null ? null : Array.isArray(value) ? [] : {};
      Object.defineProperty(copy, key, { value: nested ?? value, enumerable: true, configurable: true, writable: true });
      if (typeof value === 'object' && value !== null && nested !== null) stack.push([value, nested]);
    }
  }
  return result as JsonObject;
}
