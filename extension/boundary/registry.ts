import type { Origin } from './call.ts';
import { closestNames } from './closest.ts';
import { CodedError } from './error-codes.ts';
import { type Json, type JsonObject, isJsonObject, jsonTypeOf } from './json.ts';
import { printableName } from './proposal.ts';
import { schemaOf } from './schema-of.ts';
import { snapshotJson } from './snapshot.ts';
import type { ToolDefinition, ToolSchema } from './tool-definition.ts';
import type { SchemaCompiler, Validator } from './violations.ts';

/** A definition as it was when it was registered: read once, frozen, its schemas compiled. */
export interface RegisteredTool {
  readonly definition: ToolDefinition<Json>;
  readonly validateArguments: Validator;
  readonly validateOutput: Validator;
  readonly audience: Audience;
}

/**
 * Whose calls a tool takes: the model's, and the person's where they ask for one again; or the person's alone. One of the person's is
 * planned on what stands there now, not on what the model has read; whether it may run is decided like any other call.
 */
export type Audience = 'model' | 'person';

export interface Registry {
  /** Throws where the definition is not whole, listing every fault. Returns what removes exactly this tool. */
  register<Args, Value extends Json>(definition: ToolDefinition<Args, Value>, options?: { readonly for: Audience }): () => void;
  /** Throws UNKNOWN_TOOL with the closest names. For the model's calls, which is what is assumed, there are no tools of the person's. */
  resolve(name: string, origin?: Origin): RegisteredTool;
  /** The model's tools, in the order of registration; equal tool sets give equal bytes. */
  schemas(): readonly ToolSchema[];
}

const namePattern = /^[A-Za-z0-9_-]{1,64}$/;
const maxParametersDepth = 64;
/** A timer that is set for longer fires at once. */
const longestTimeout = 2 ** 31 - 1;

export function createRegistry(compile: SchemaCompiler): Registry {
  const tools = new Map<string, RegisteredTool>();
  const forModel = (): readonly RegisteredTool[] => [...tools.values()].filter(({ audience }) => audience === 'model');
  return {
    register(definition, options) {
      const tool = Object.freeze({ ...registered(definition, compile, tools), audience: options?.for ?? 'model' });
      tools.set(tool.definition.name, tool);
      return () => {
        if (tools.get(tool.definition.name) === tool) tools.delete(tool.definition.name);
      };
    },
    resolve(name, origin = 'model') {
      const tool = tools.get(name);
      if (tool !== undefined && (tool.audience === 'model' || origin === 'person')) return tool;
      const names = forModel().map(({ definition }) => definition.name);
      const near = closestNames(name, names);
      const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ` The tools are: ${names.join(', ')}.`;
      throw new CodedError('UNKNOWN_TOOL', `There is no tool ${JSON.stringify(printableName(name))}.${hint}`);
    },
    schemas: () => forModel().map((tool) => schemaOf(tool.definition)),
  };
}

function registered<Args, Value extends Json>(given: ToolDefinition<Args, Value>, compile: SchemaCompiler, taken: ReadonlyMap<string, unknown>): Omit<RegisteredTool, 'audience'> {
  // Each field is read once, here: a getter cannot answer otherwise later.
  const { name, description, parameters, deferLoading, output, effects, execute, projectContent, finalizeContent, timeoutMs, isConcurrencySafe, presentCall, presentResult } = given;
  const faults: string[] = [];
  if (typeof name !== 'string' || !namePattern.test(name)) faults.push(`its name must match ${namePattern.source}`);
  else if (taken.has(name)) faults.push('its name is taken');
  if (typeof description !== 'string') faults.push('description must be text');
  for (const [field, value] of Object.entries({ effects, execute })) if (typeof value !== 'function') faults.push(`${field} must be a function`);
  for (const [field, value] of Object.entries({ projectContent, finalizeContent, isConcurrencySafe, presentCall, presentResult })) {
    if (value !== undefined && typeof value !== 'function') faults.push(`${field} must be a function where it is given`);
  }
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= longestTimeout)) faults.push(`timeoutMs must be a whole number from 1 to ${longestTimeout}`);
  const plainParameters = lossless('parameters', parameters, faults);
  if (typeof output !== 'object' || output === null) faults.push('output is required');
  const { schema, render, presentationMeta } = output ?? {};
  if (typeof output === 'object' && output !== null && typeof render !== 'function') faults.push('output.render must be a function');
  if (presentationMeta !== undefined && typeof presentationMeta !== 'function') faults.push('output.presentationMeta must be a function where it is given');
  const plainOutput = output ? lossless('output.schema', schema, faults) : null;
  const validateArguments = compiled('parameters', plainParameters, compile, faults);
  const validateOutput = compiled('output.schema', plainOutput, compile, faults);
  if (faults.length > 0 || plainParameters === null || plainOutput === null || validateArguments === null || validateOutput === null) {
    throw new TypeError(`The tool ${JSON.stringify(printableName(typeof name === 'string' ? name : jsonTypeOf(name)))} cannot be registered: ${faults.join('; ')}.`);
  }
  const definition = {
    name, description, parameters: plainParameters, output: Object.freeze({ schema: plainOutput, render, ...(presentationMeta && { presentationMeta }) }), effects, execute,
    ...(deferLoading === true && { deferLoading }), ...(projectContent && { projectContent }), ...(finalizeContent && { finalizeContent }), ...(timeoutMs !== undefined && { timeoutMs }),
    ...(isConcurrencySafe && { isConcurrencySafe }), ...(presentCall && { presentCall }), ...(presentResult && { presentResult }),
  };
  // Erases Args and Value: from here on arguments are JSON that the validator has passed, which is what Args describes.
  return { definition: Object.freeze(definition) as unknown as ToolDefinition<Json>, validateArguments, validateOutput };
}

function lossless(field: string, value: unknown, faults: string[]): JsonObject | null {
  const snapshot = snapshotJson(value);
  if (!snapshot.ok) {
    faults.push(`${field} is not lossless JSON: ${snapshot.lossy.fault} at ${JSON.stringify(snapshot.lossy.pointer)}`);
    return null;
  }
  if (!isJsonObject(snapshot.value)) {
    faults.push(`${field} must be a JSON Schema object`);
    return null;
  }
  if (deeperThan(snapshot.value, maxParametersDepth)) {
    faults.push(`${field} is nested deeper than ${maxParametersDepth} levels`);
    return null;
  }
  return snapshot.value;
}

function compiled(field: string, schema: JsonObject | null, compile: SchemaCompiler, faults: string[]): Validator | null {
  if (schema === null) return null;
  try {
    return compile(schema);
  } catch (error) {
    faults.push(`${field} does not compile: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

function deeperThan(root: Json, limit: number): boolean {
  const stack: [Json, number][] = [[root, 1]];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [value, depth] = top;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > limit) return true;
    for (const child of Object.values<Json>(value)) stack.push([child, depth + 1]);
  }
  return false;
}
