import { isJsonObject, type Json, type JsonObject } from '../boundary/json.ts';
import type { Fields } from './json-fields.ts';
import type { Carried } from './model-client.ts';

/**
 * What some servers of chat completions want back with an answer, under the name under which they gave it: DeepSeek and
 * others `reasoning_content` (they refuse a conversation without it), OpenRouter `reasoning_details` (signatures are in it).
 * A server that gave neither is sent neither.
 */
export interface ChatState {
  /** null where it was not given. */
  readonly reasoning_content: string | null;
  readonly reasoning_details: readonly JsonObject[];
}

export function carriedChat(model: string, state: ChatState): readonly Carried[] {
  if (state.reasoning_content === null && state.reasoning_details.length === 0) return [];
  return [{ format: formatOf(model), data: { ...state } }];
}

/** The members for the assistant's message; none where there is no state of this model's. */
export function chatStateIn(carried: readonly Carried[], model: string): { readonly reasoning_content?: string; readonly reasoning_details?: readonly JsonObject[] } {
  const data = carried.find(({ format }) => format === formatOf(model))?.data;
  if (!isJsonObject(data)) return {};
  const content = data['reasoning_content'];
  const list: Json | undefined = data['reasoning_details'];
  const details = Array.isArray(list) ? list.filter(isJsonObject) : [];
  return { ...(typeof content === 'string' ? { reasoning_content: content.toWellFormed() } : {}), ...(details.length > 0 ? { reasoning_details: details } : {}) };
}

/** Puts details together that came in pieces: those of one kind and number, one after the other, are one. */
export function withDetail(details: readonly JsonObject[], piece: Fields): readonly JsonObject[] {
  const flat = Object.fromEntries(Object.entries(piece).filter((entry): entry is [string, string | number | boolean | null] => entry[1] === null || ['string', 'number', 'boolean'].includes(typeof entry[1])));
  const last = details.at(-1);
  if (last === undefined || last['type'] !== flat['type'] || last['index'] !== flat['index'] || flat['index'] === undefined) return [...details, flat];
  const joined: Record<string, Json> = { ...last };
  for (const [name, value] of Object.entries(flat)) {
    const before = joined[name];
    if (grows.has(name) && typeof before === 'string' && typeof value === 'string') joined[name] = before + value;
    else if (value !== null || before === undefined) joined[name] = value;
  }
  return [...details.slice(0, -1), joined];
}

const grows = new Set(['text', 'summary', 'data']);

function formatOf(model: string): string {
  return `openai-chat:${model}`;
}
