import { isJsonObject, type Json } from '../boundary/json.ts';
import type { Carried } from './model-client.ts';

/** What Gemini wants back with an answer. Empty texts where it gave none. */
export interface GeminiState {
  /** The signature of the text's last part, which begins at that character: it must not be joined with one that has none. */
  readonly text: string;
  readonly textStart: number;
  /** Of each call: its signature, and the id that Gemini gave it. */
  readonly calls: readonly { readonly signature: string; readonly id: string }[];
}

export const noState: GeminiState = { text: '', textStart: 0, calls: [] };

export function carriedState(model: string, state: GeminiState): readonly Carried[] {
  if (state.text === '' && state.calls.every(({ signature, id }) => signature === '' && id === '')) return [];
  return [{ format: formatOf(model), data: { text: state.text, textStart: state.textStart, calls: state.calls.map(({ signature, id }) => ({ signature, id })) } }];
}

/** No state where there is none of this model's. */
export function stateIn(carried: readonly Carried[], model: string): GeminiState {
  const data = carried.find(({ format }) => format === formatOf(model))?.data;
  if (!isJsonObject(data) || typeof data['text'] !== 'string' || typeof data['textStart'] !== 'number' || !Array.isArray(data['calls'])) return noState;
  const list: readonly Json[] = data['calls'];
  const calls = list.map((call) => {
    const { signature, id } = isJsonObject(call) ? call : {};
    return { signature: typeof signature === 'string' ? signature : '', id: typeof id === 'string' ? id : '' };
  });
  return { text: data['text'], textStart: data['textStart'], calls };
}

function formatOf(model: string): string {
  return `gemini:${model}`;
}
