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
  const { value } = parsed;
  if (!Array.isArray(value)) return [readCall(value)];
  if (value.length === 0) return [{ fault: 'The line is an empty step.' }];
  const seen = new Set<string>();
  return value.map((item: Json): LineCall => {
    const call = readCall(item);
    if ('fault' in call) return call;
    const duplicate = seen.has(call.id);
    seen.add(call.id);
    return duplicate ? { ...call, duplicate } : call;
  });
}

/** So many calls of a line may have arguments that are not strict JSON; with more, the line is refused whole. */
const mostFaulty = 64;

/**
 * The line as strict JSON. Where it is JSON, and strict but for the arguments of calls, those become their own text, for the
 * boundary to refuse call by call; nothing is ever read less strictly than that.
 */
function parseLine(line: string): { readonly value: Json } | { readonly fault: string } {
  let text = line;
  for (let repaired = 0; ; repaired += 1) {
    try {
      return { value: parseStrictJson(text) };
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      const fault = `The line is not strict JSON: ${error.message}${repaired === 0 ? ` (at character ${error.offset + 1})` : ''}.`;
      const level = error.pointer.split('/').indexOf('arguments');
      if (level < 1 || level > 3 || repaired === mostFaulty || (repaired === 0 && !isJson(line))) return { fault };
      const span = spanAt(text, level, error.offset);
      if (span === null) return { fault };
      text = text.slice(0, span.begin) + JSON.stringify(text.slice(span.begin, span.end)) + text.slice(span.end);
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Of the containers that lie `level` deep in JSON text, the one around an offset. */
function spanAt(text: string, level: number, offset: number): { readonly begin: number; readonly end: number } | null {
  const begins: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
        break;
      case '{':
      case '[':
        begins.push(at);
        break;
      case '}':
      case ']': {
        const begin = begins.pop() ?? 0;
        if (begins.length === level && begin <= offset && offset <= at) return { begin, end: at + 1 };
        break;
      }
      default:
        break;
    }
  }
  return null;
}

function readCall(value: Json): LineCall {
  if (!isJsonObject(value)) return { fault: 'A proposal is an object with id, name and arguments.' };
  const nested = value['function'];
  const body = isJsonObject(nested) ? nested : value;
  const { id } = value;
  const { name, arguments: given } = body;
  if (typeof id !== 'string' || id === '') return { fault: 'A proposal needs an id, which is text.' };
  if (typeof name !== 'string') return { fault: 'A proposal needs the name of a tool, which is text.' };
  if (given === undefined) return { id, name, arguments: '' };
  if (typeof given === 'string') return { id, name, arguments: given };
  return { id, name, arguments: JSON.stringify(given) };
}
