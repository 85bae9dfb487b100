import { isJsonObject, type Json } from '../boundary/json.ts';
import type { Carried } from './model-client.ts';

/** Thinking as the API gave it, signed or encrypted: it wants it back unchanged. */
export type ThinkingBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

/** One block of an answer. Thinking is kept whole; text and calls stand in the message itself, so only their places are. */
export type LaidBlock =
  | ThinkingBlock
  /** UTF-16 units of the message's text. */
  | { readonly type: 'text'; readonly length: number }
  /** The next call of the message. */
  | { readonly type: 'call' };

/**
 * An answer's thinking, and where it stood: newer models think between their calls too, and refuse a conversation where a block
 * was moved. They also refuse one whose earlier part has changed since, so the digest of all that was sent before is kept with it.
 */
export interface Layout {
  readonly before: string;
  readonly blocks: readonly LaidBlock[];
}

export function carriedOf(model: string, { before, blocks }: Layout): Carried {
  return { format: formatOf(model), data: { before, blocks } };
}

/** What this model's client carried, or null where there is none, or none of its form. */
export function layoutIn(carried: readonly Carried[] | undefined, model: string): Layout | null {
  const data = carried?.find(({ format }) => format === formatOf(model))?.data;
  if (!isJsonObject(data)) return null;
  const { before, blocks } = data;
  if (typeof before !== 'string' || !Array.isArray(blocks)) return null;
  const laid = blocks.map(readBlock);
  return laid.every((block) => block !== null) ? { before, blocks: laid } : null;
}

function formatOf(model: string): string {
  return `anthropic:${model}`;
}

function readBlock(value: Json): LaidBlock | null {
  if (!isJsonObject(value)) return null;
  const { type, thinking, signature, data, length } = value;
  switch (type) {
    case 'thinking': return typeof thinking === 'string' && typeof signature === 'string' ? { type, thinking, signature } : null;
    case 'redacted_thinking': return typeof data === 'string' ? { type, data } : null;
    case 'text': return typeof length === 'number' ? { type, length } : null;
    case 'call': return { type };
    default: return null;
  }
}
