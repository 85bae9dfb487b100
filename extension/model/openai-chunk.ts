import type { TokenUsage } from './model-client.ts';

/** What one data line of the stream says, as far as we use it. Fields that we do not know, reasoning among them, are passed over. */
export interface ChatChunk {
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly CallDelta[];
  readonly finish: string | null;
  readonly usage: TokenUsage | null;
}

export interface CallDelta {
  /** null where the server sends none. */
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** null for a value that is no chunk of this protocol. */
export function readChunk(value: unknown): ChatChunk | null {
  if (!isFields(value)) return null;
  const choices = value['choices'];
  if (choices !== undefined && choices !== null && !Array.isArray(choices)) return null;
  const choice: unknown = choices?.find((candidate: unknown) => isFields(candidate) && (candidate['index'] ?? 0) === 0);
  const usage = readUsage(value['usage']);
  if (!isFields(choice)) return { text: '', refusal: '', calls: [], finish: null, usage };
  const delta = isFields(choice['delta']) ? choice['delta'] : {};
  const calls = Array.isArray(delta['tool_calls']) ? delta['tool_calls'].filter(isFields).map(readCall) : [];
  return { text: textOf(delta['content']), refusal: textOf(delta['refusal']), calls, finish: textOf(choice['finish_reason']) || null, usage };
}

function readCall(call: Fields): CallDelta {
  const body = isFields(call['function']) ? call['function'] : {};
  const args = body['arguments'];
  const index = call['index'];
  return {
    index: typeof index === 'number' ? index : null,
    id: textOf(call['id']),
    name: textOf(body['name']),
    // Some servers send the arguments as an object; here they are text, like everyone's.
    arguments: isFields(args) ? JSON.stringify(args) : textOf(args),
  };
}

function readUsage(usage: unknown): TokenUsage | null {
  if (!isFields(usage)) return null;
  const details = isFields(usage['prompt_tokens_details']) ? usage['prompt_tokens_details'] : {};
  return { input: countOf(usage['prompt_tokens']), cachedInput: countOf(details['cached_tokens']), output: countOf(usage['completion_tokens']) };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  // Content in parts: only those of text are for the reader.
  if (Array.isArray(value)) return value.map((part: unknown) => (isFields(part) && part['type'] === 'text' ? textOf(part['text']) : '')).join('');
  return '';
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
