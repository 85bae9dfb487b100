import { fieldsOf, isFields, textIn, type Fields } from './json-fields.ts';

/** One event of the stream, as far as we use it. */
export type StreamEvent =
  | { readonly type: 'message-start'; readonly usage: UsageFields }
  | { readonly type: 'block-start'; readonly index: number; readonly block: StartedBlock }
  | { readonly type: 'block-delta'; readonly index: number; readonly delta: BlockDelta }
  | { readonly type: 'block-stop'; readonly index: number }
  | { readonly type: 'message-delta'; readonly stop: string | null; readonly usage: UsageFields }
  | { readonly type: 'message-stop' }
  /** A ping, or an event that we do not know: the API adds to them. */
  | { readonly type: 'other' };

export type StartedBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  /** `input` is empty here; servers exist that send it whole. */
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'other' };

export type BlockDelta =
  | { readonly type: 'text' | 'thinking' | 'signature' | 'arguments'; readonly text: string }
  | { readonly type: 'other' };

/** What an event says of the tokens; later ones say it anew, of the whole answer. null where it says nothing. */
export interface UsageFields {
  readonly input: number | null;
  readonly cacheRead: number | null;
  readonly cacheCreation: number | null;
  readonly output: number | null;
}

/** null for a value that is no event of this protocol. */
export function readStreamEvent(value: unknown): StreamEvent | null {
  if (!isFields(value) || typeof value['type'] !== 'string') return null;
  const { index } = value;
  switch (value['type']) {
    case 'message_start':
      return { type: 'message-start', usage: readUsage(fieldsOf(value['message'])['usage']) };
    case 'content_block_start':
      return isIndex(index) && isFields(value['content_block']) ? { type: 'block-start', index, block: readBlock(value['content_block']) } : null;
    case 'content_block_delta':
      return isIndex(index) && isFields(value['delta']) ? { type: 'block-delta', index, delta: readDelta(value['delta']) } : null;
    case 'content_block_stop':
      return isIndex(index) ? { type: 'block-stop', index } : null;
    case 'message_delta': {
      const stop = fieldsOf(value['delta'])['stop_reason'];
      return { type: 'message-delta', stop: typeof stop === 'string' ? stop : null, usage: readUsage(value['usage']) };
    }
    case 'message_stop': return { type: 'message-stop' };
    default: return { type: 'other' };
  }
}

function readBlock(block: Fields): StartedBlock {
  switch (block['type']) {
    case 'text': return { type: 'text', text: textIn(block['text']) };
    case 'thinking': return { type: 'thinking', thinking: textIn(block['thinking']), signature: textIn(block['signature']) };
    case 'redacted_thinking': return { type: 'redacted_thinking', data: textIn(block['data']) };
    case 'tool_use': return { type: 'tool_use', id: textIn(block['id']), name: textIn(block['name']), input: fieldsOf(block['input']) };
    default: return { type: 'other' };
  }
}

function readDelta(delta: Fields): BlockDelta {
  switch (delta['type']) {
    case 'text_delta': return { type: 'text', text: textIn(delta['text']) };
    case 'thinking_delta': return { type: 'thinking', text: textIn(delta['thinking']) };
    case 'signature_delta': return { type: 'signature', text: textIn(delta['signature']) };
    case 'input_json_delta': return { type: 'arguments', text: textIn(delta['partial_json']) };
    default: return { type: 'other' };
  }
}

function readUsage(value: unknown): UsageFields {
  const usage = fieldsOf(value);
  return {
    input: countOf(usage['input_tokens']),
    cacheRead: countOf(usage['cache_read_input_tokens']),
    cacheCreation: countOf(usage['cache_creation_input_tokens']),
    output: countOf(usage['output_tokens']),
  };
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
