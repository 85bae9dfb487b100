import type { JsonObject } from '../boundary/json.ts';
import type { TextContent } from '../boundary/result.ts';

/** A closed object schema: what is not listed is refused, and the closest name is said. */
export function objectSchema(properties: Readonly<Record<string, JsonObject>>, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

export const pathSchema = (what: string): JsonObject => ({ type: 'string', minLength: 1, maxLength: 4096, description: what });

export const textSchema: JsonObject = { type: 'string' };
export const countSchema: JsonObject = { type: 'integer', minimum: 0 };

export function textContent(text: string): readonly TextContent[] {
  return [{ type: 'text', text }];
}
