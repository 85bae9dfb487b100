import type { AnswerPiece, CallDelta } from './answer-assembly.ts';
import { countIn, fieldsOf, isFields, listOf, textIn, type Fields } from './json-fields.ts';
import type { TokenUsage } from './model-client.ts';

export interface ChatChunk extends AnswerPiece {
  /** null where the server says nothing under that name. */
  readonly reasoningContent: string | null;
  readonly reasoningDetails: readonly Fields[];
}

/** What one data line of the stream says, as far as we use it; null for a value that is no chunk of this protocol. Fields that we do not know are passed over. */
export function readChunk(value: unknown): ChatChunk | null {
  if (!isFields(value)) return null;
  const choices = value['choices'];
  if (choices !== undefined && choices !== null && !Array.isArray(choices)) return null;
  const choice = fieldsOf(listOf(choices).find((candidate) => (candidate['index'] ?? 0) === 0));
  const delta = fieldsOf(choice['delta']);
  return {
    text: contentOf(delta['content']),
    // DeepSeek, vLLM and llama.cpp say `reasoning_content`, OpenRouter, Ollama and LM Studio `reasoning`; some say both.
    thinking: textIn(delta['reasoning_content']) || textIn(delta['reasoning']),
    refusal: contentOf(delta['refusal']),
    calls: listOf(delta['tool_calls']).map(readCall),
    finish: textIn(choice['finish_reason']) || null,
    usage: readUsage(value['usage']),
    reasoningContent: typeof delta['reasoning_content'] === 'string' ? delta['reasoning_content'] : null,
    reasoningDetails: listOf(delta['reasoning_details']),
  };
}

function readCall(call: Fields): CallDelta {
  const body = fieldsOf(call['function']);
  const args = body['arguments'];
  const index = call['index'];
  return {
    index: typeof index === 'number' ? index : null,
    id: textIn(call['id']),
    name: textIn(body['name']),
    // Some servers send the arguments as an object; here they are text, like everyone's.
    arguments: isFields(args) ? JSON.stringify(args) : textIn(args),
  };
}

function readUsage(usage: unknown): TokenUsage | null {
  if (!isFields(usage)) return null;
  // DeepSeek and Moonshot have names of their own.
  const cached = [fieldsOf(usage['prompt_tokens_details'])['cached_tokens'], usage['prompt_cache_hit_tokens'], usage['cached_tokens']];
  return { input: countIn(usage['prompt_tokens']), cachedInput: countIn(cached.find((count) => typeof count === 'number')), output: countIn(usage['completion_tokens']) };
}

function contentOf(value: unknown): string {
  // Content in parts: only those of text are for the reader.
  if (Array.isArray(value)) return listOf(value).map((part) => (part['type'] === 'text' ? textIn(part['text']) : '')).join('');
  return textIn(value);
}
