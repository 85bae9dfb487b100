import type { ToolSchema } from '../../boundary/tool-definition.ts';
import type { ModelMessage } from '../../model/model-client.ts';
import type { Told } from '../../session/told.ts';
import type { ContextPart } from '../events.ts';

/** Tokens by what they are spent on. */
export type Weights = Readonly<Record<ContextPart, number>>;

/** What a request holds besides the history. */
export interface Instructions {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  /** Whether images are sent along. */
  readonly images: boolean;
}

/** As providers' tokenisers have it on the average, in source code and prose; what a provider reports corrects it. */
const bytesPerToken = 4;
/** What surrounds a message or a call on the wire. */
const bytesAround = 24;
const tokensPerImage = 1600;

/** What a request would weigh, not corrected by anything that a provider said. */
export function weigh(told: readonly Told[], { system, tools, images }: Instructions): Weights {
  const parts = { instructions: tokensIn(byteLength(system) + byteLength(JSON.stringify(tools))), user: 0, assistant: 0, results: 0, images: 0, summary: 0 };
  for (const { part, message } of told) {
    parts[part] += tokensIn(bytesOf(message));
    if (images && message.role === 'user') parts.images += tokensPerImage * (message.images?.length ?? 0);
  }
  return parts;
}

export function totalOf(weights: Weights): number {
  return Object.values(weights).reduce((sum, tokens) => sum + tokens, 0);
}

export function tokensIn(bytes: number): number {
  return bytes / bytesPerToken;
}

/** Messages do not change once they were told, and most stand in hundreds of requests. */
const known = new WeakMap<ModelMessage, number>();

export function bytesOf(message: ModelMessage): number {
  const bytes = known.get(message) ?? bytesAround + contentBytes(message);
  known.set(message, bytes);
  return bytes;
}

function contentBytes(message: ModelMessage): number {
  switch (message.role) {
    case 'system':
    case 'user':
    case 'tool':
      return byteLength(message.text);
    case 'assistant': {
      const calls = message.calls.reduce((sum, { id, name, arguments: text }) => sum + bytesAround + byteLength(id) + byteLength(name) + byteLength(text), 0);
      const carried = message.carried === undefined ? 0 : byteLength(JSON.stringify(message.carried));
      return byteLength(message.text) + calls + carried;
    }
  }
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
