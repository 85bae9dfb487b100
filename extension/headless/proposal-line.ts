import type { IncomingCall } from '../boundary/call.ts';
import { type Json, isJsonObject } from '../boundary/json.ts';
import { JsonFault, parseStrictJson } from '../boundary/strict-json.ts';

/** One element of a step: a call, or why it is none. */
export type LineCall = Omit<IncomingCall, 'call'> | { readonly fault: string };

/**
 * Reads one line: a proposal as models send it (`{ id, type: 'function', function: { name, arguments } }`), the flat form, or an
 * array of them, which is one step. Arguments that are an object go to the boundary as text, as they stand in the line.
 */
export function readProposalLine(line: string): readonly LineCall[] {
  const parsed = parseLine(line);
  if ('fault' in parsed) return [parsed];
  const { value, faulty } = parsed;
  if (!Array.isArray(value)) return [readCall(value, faulty)];
  if (value.length === 0) return [{ fault: 'The line is an empty step.' }];
  const seen = new Set<string>();
  return value.map((item: Json): LineCall => {
    const call = readCall(item, faulty);
    if ('fault' in call) return call;
    const duplicate = seen.has(call.id);
    seen.add(call.id);
    return duplicate ? { ...call, duplicate } : call;
  });
}

/** Where the line is strict JSON but for the arguments of a call: their text from where they begin, for the boundary to refuse. */
interface FaultyArguments {
  readonly value: Json;
  readonly text: string;
}

function parseLine(line: string): { readonly value: Json; readonly faulty: FaultyArguments | null } | { readonly fault: string } {
  try {
    return { value: parseStrictJson(line), faulty: null };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const fault = `The line is not strict JSON: ${error.message} (at character ${error.offset + 1}).`;
    const steps = error.pointer.split('/');
    const depth = steps.indexOf('arguments');
    if (depth < 0 || depth > 3) return { fault };
    return lenient(line, steps.slice(1, depth + 1), error.offset) ?? { fault };
  }
}

function lenient(line: string, pointer: readonly string[], offset: number): { readonly value: Json; readonly faulty: FaultyArguments } | null {
  try {
    const value = JSON.parse(line) as Json;
    let at: unknown = value;
    for (const key of pointer) at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[key] : undefined;
    const begin = line.indexOf('{', line.lastIndexOf('"arguments"', offset));
    return typeof at === 'object' && begin >= 0 ? { value, faulty: { value: at as Json, text: line.slice(begin) } } : null;
  } catch {
    return null;
  }
}

function readCall(value: Json, faulty: FaultyArguments | null): LineCall {
  if (!isJsonObject(value)) return { fault: 'A proposal is an object with id, name and arguments.' };
  const nested = value['function'];
  const body = isJsonObject(nested) ? nested : value;
  const { id } = value;
  const { name, arguments: given } = body;
  if (typeof id !== 'string' || id === '') return { fault: 'A proposal needs an id, which is text.' };
  if (typeof name !== 'string') return { fault: 'A proposal needs the name of a tool, which is text.' };
  if (given === undefined) return { id, name, arguments: '' };
  if (typeof given === 'string') return { id, name, arguments: given };
  return { id, name, arguments: faulty?.value === given ? faulty.text : JSON.stringify(given) };
}
