import { isJsonObject, type Json } from '../boundary/json.ts';
import type { Carried } from './model-client.ts';

/** What an answer's output was made of, in its order: the model wants it back so. */
export type OutputItem =
  /** Its reasoning, which the provider alone can read. */
  | { readonly type: 'reasoning'; readonly id: string; readonly encrypted: string; readonly summary: readonly string[] }
  /** The characters of the answer's text from `start` up to `end`. `phase` is the provider's word for what they are for; empty where it gave none. */
  | { readonly type: 'message'; readonly phase: string; readonly start: number; readonly end: number }
  | { readonly type: 'call' };

/** Nothing where the order alone says no more than text and calls do. */
export function carriedLayout(model: string, items: readonly OutputItem[]): readonly Carried[] {
  if (!items.some((item) => item.type === 'reasoning' || (item.type === 'message' && item.phase !== ''))) return [];
  return [{ format: formatOf(model), data: items.map((item) => ({ ...item })) }];
}

/** null where there is none of this model's, or where it does not fit: the answer is sent as text and calls then. */
export function layoutIn(carried: readonly Carried[], model: string, text: string, calls: number): readonly OutputItem[] | null {
  const data = carried.find(({ format }) => format === formatOf(model))?.data;
  if (!Array.isArray(data)) return null;
  const items = data.map(readItem);
  if (!items.every((item) => item !== null)) return null;
  const said = items.flatMap((item) => (item.type === 'message' ? [text.slice(item.start, item.end)] : []));
  const fits = items.filter(({ type }) => type === 'call').length === calls && said.join('').length <= text.length && (text === '' || said.join('') !== '');
  return fits ? items : null;
}

function formatOf(model: string): string {
  return `openai-responses:${model}`;
}

function readItem(item: Json): OutputItem | null {
  if (!isJsonObject(item)) return null;
  const { type, id, encrypted, summary, phase, start, end } = item;
  if (type === 'call') return { type };
  if (type === 'message' && typeof phase === 'string' && typeof start === 'number' && typeof end === 'number') return { type, phase, start, end };
  if (type !== 'reasoning' || typeof id !== 'string' || typeof encrypted !== 'string' || !Array.isArray(summary)) return null;
  return { type, id, encrypted, summary: summary.filter((text) => typeof text === 'string') };
}
