import { sha256 } from '../boundary/digest.ts';
import type { Layout, ThinkingBlock } from './anthropic-carried.ts';
import type { ImageType, ModelCall, ModelCapabilities, ModelMessage, ModelRequest } from './model-client.ts';
import { userPartsOf } from './user-parts.ts';
import { wellFormed, wireName } from './wire-text.ts';

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

interface ImageBlock {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: ImageType; readonly data: string };
}

interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  /** Left out where it is empty: the API refuses an empty block, not a result without one. */
  readonly content?: readonly [TextBlock];
}

export type UserBlock = TextBlock | ImageBlock | ToolResultBlock;
export type AssistantBlock = ThinkingBlock | TextBlock | ToolUseBlock;

type MessageOf<R extends ModelMessage['role']> = Extract<ModelMessage, { role: R }>;

/** The images first: the API's advice. */
export function blocksOfUser(message: MessageOf<'user'>, request: ModelRequest, capabilities: ModelCapabilities): readonly UserBlock[] {
  const blocks = userPartsOf(message, request, capabilities).flatMap((part): readonly UserBlock[] => {
    switch (part.type) {
      case 'text': return textBlocks(part.text);
      case 'image': return [{ type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.base64 } }];
    }
  });
  return [...blocks.filter(({ type }) => type === 'image'), ...blocks.filter(({ type }) => type !== 'image')];
}

export function blockOfResult({ callId, text }: MessageOf<'tool'>): ToolResultBlock {
  const [content] = textBlocks(text);
  return { type: 'tool_result', tool_use_id: wireId(callId), ...(content === undefined ? {} : { content: [content] }) };
}

/**
 * As the answer stood, by its layout; without one, or where text or calls are no longer those of the layout, the text and then
 * the calls. Thinking at the end is left out: the API refuses a message that ends with it.
 */
export function blocksOfAssistant(message: MessageOf<'assistant'>, layout: Layout | null): readonly AssistantBlock[] {
  const blocks = (layout === null ? null : laidOut(message, layout)) ?? [...textBlocks(message.text), ...message.calls.map(blockOfCall)];
  return blocks.slice(0, blocks.findLastIndex((block) => !isThinking(block)) + 1);
}

export function isThinking(block: UserBlock | AssistantBlock): block is ThinkingBlock {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

/** null where the layout is another message's. */
function laidOut({ text, calls }: MessageOf<'assistant'>, layout: Layout): AssistantBlock[] | null {
  const blocks: AssistantBlock[] = [];
  let from = 0;
  let told = 0;
  for (const block of layout.blocks) {
    switch (block.type) {
      case 'thinking':
      case 'redacted_thinking':
        blocks.push(block);
        break;
      case 'text':
        blocks.push(...textBlocks(text.slice(from, from + block.length)));
        from += block.length;
        break;
      case 'call': {
        const call = calls[told++];
        if (call !== undefined) blocks.push(blockOfCall(call));
        break;
      }
    }
  }
  return from === text.length && told === calls.length ? blocks : null;
}

function blockOfCall(call: ModelCall): ToolUseBlock {
  return { type: 'tool_use', id: wireId(call.id), name: wireName(call.name), input: inputOf(call.arguments) };
}

/** Blank text makes no block: the API refuses the whole conversation for it. */
export function textBlocks(text: string): readonly TextBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: wellFormed(text) }];
}

/** The API takes letters, digits, `_` and `-`. Another id is replaced by the same one each time. */
function wireId(id: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(id) ? id : `call_${sha256(id).slice(0, 32)}`;
}

/**
 * The API takes an object and nothing else, for ever after. So a text that is none, or that cannot be sent as one, is quoted;
 * the result that follows it says what was wrong.
 */
function inputOf(text: string): object {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && isSendable(value, 500)) return value;
  } catch {
    // Quoted below.
  }
  return { not_json: wellFormed(text) };
}

/** Not so deep that writing it would overflow the stack, and without a lone surrogate: that has no UTF-8, and its escape is refused. */
function isSendable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.entries(value).every(([key, member]) => key.isWellFormed() && isSendable(member, levels - 1));
}
