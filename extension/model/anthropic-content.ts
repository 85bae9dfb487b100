import type { AnswerLimits } from './answer-assembly.ts';
import type { LaidBlock } from './anthropic-carried.ts';
import type { BlockDelta, StartedBlock } from './anthropic-events.ts';
import type { Taken } from './exchange.ts';
import type { ModelCall } from './model-client.ts';

/** Blocks of one answer, of any kind. */
const mostBlocks = 4096;

interface OpenText {
  readonly type: 'text';
  length: number;
}

interface OpenThinking {
  readonly type: 'thinking';
  readonly thinking: string[];
  readonly signature: string[];
}

interface OpenCall {
  readonly type: 'call';
  readonly position: number;
  readonly id: string;
  readonly name: string;
  /** Whole, from a server that sends it so. */
  readonly input: object;
  readonly pieces: string[];
  length: number;
}

interface Block {
  readonly content: OpenText | OpenThinking | OpenCall | { readonly type: 'redacted_thinking'; readonly data: string } | { readonly type: 'other' };
  open: boolean;
}

/** The blocks of one answer, as they grow. Each step gives the events of it, or says what is wrong with it. */
export interface AnswerContent {
  start(index: number, block: StartedBlock): Taken;
  add(index: number, delta: BlockDelta): Taken;
  end(index: number): Taken;
  readonly anyOpen: boolean;
  calls(): readonly ModelCall[];
  /** Where each block stood, and the thinking itself. */
  laid(): readonly LaidBlock[];
}

export function createAnswerContent(limits: AnswerLimits): AnswerContent {
  const blocks = new Map<number, Block>();
  const calls: OpenCall[] = [];
  let textLength = 0;
  let thinkingLength = 0;
  let argumentsLength = 0;

  function takeText(block: OpenText, text: string): Taken {
    block.length += text.length;
    textLength += text.length;
    if (textLength > limits.text) return { broken: `more than ${limits.text} characters of text in one answer` };
    return text === '' ? [] : [{ type: 'text', text }];
  }

  /** All that is given back with the next request counts, shown or not. */
  function countThinking(text: string): { readonly broken: string } | null {
    thinkingLength += text.length;
    return thinkingLength > limits.text ? { broken: `more than ${limits.text} characters of thinking in one answer` } : null;
  }

  function takeThinking(block: OpenThinking, text: string): Taken {
    block.thinking.push(text);
    return countThinking(text) ?? (text === '' ? [] : [{ type: 'thinking', text }]);
  }

  function takeArguments(call: OpenCall, text: string): Taken {
    const kept = text.slice(0, Math.max(0, limits.callArguments - call.length));
    if (kept === '') return [];
    call.pieces.push(kept);
    call.length += kept.length;
    argumentsLength += kept.length;
    if (argumentsLength > limits.allArguments) return { broken: `tool calls with more than ${limits.allArguments} characters of arguments in one answer` };
    return [{ type: 'call-arguments', index: call.position, text: kept }];
  }

  function start(index: number, block: StartedBlock): Taken {
    if (blocks.has(index)) return { notProtocol: `block ${index} begins twice` };
    if (blocks.size >= mostBlocks) return { broken: `more than ${mostBlocks} blocks in one answer` };
    const keep = (content: Block['content']): void => void blocks.set(index, { content, open: true });
    switch (block.type) {
      case 'text': {
        const content: OpenText = { type: 'text', length: 0 };
        keep(content);
        return takeText(content, block.text);
      }
      case 'thinking': {
        const content: OpenThinking = { type: 'thinking', thinking: [], signature: [block.signature] };
        keep(content);
        return countThinking(block.signature) ?? takeThinking(content, block.thinking);
      }
      case 'redacted_thinking':
        keep(block);
        return countThinking(block.data) ?? [];
      case 'tool_use': {
        if (calls.length >= limits.calls) return { broken: `more than ${limits.calls} tool calls in one answer` };
        const position = calls.length;
        const call: OpenCall = { type: 'call', position, id: block.id || `call_${position + 1}`, name: block.name, input: block.input, pieces: [], length: 0 };
        calls.push(call);
        keep(call);
        return [{ type: 'call-started', index: position, id: call.id, name: call.name }];
      }
      case 'other':
        keep(block);
        return [];
    }
  }

  function add(index: number, delta: BlockDelta): Taken {
    const block = blocks.get(index);
    if (block === undefined || !block.open) return { notProtocol: `something is added to block ${index}, which is not open` };
    const { content } = block;
    if (delta.type === 'other' || content.type === 'other') return [];
    if (delta.type === 'text' && content.type === 'text') return takeText(content, delta.text);
    if (delta.type === 'thinking' && content.type === 'thinking') return takeThinking(content, delta.text);
    if (delta.type === 'arguments' && content.type === 'call') return takeArguments(content, delta.text);
    if (delta.type === 'signature' && content.type === 'thinking') {
      content.signature.push(delta.text);
      return countThinking(delta.text) ?? [];
    }
    return { notProtocol: `${delta.type} is added to block ${index}, which is of another kind` };
  }

  function end(index: number): Taken {
    const block = blocks.get(index);
    if (block === undefined || !block.open) return { notProtocol: `block ${index} ends, and is not open` };
    block.open = false;
    const { content } = block;
    if (content.type !== 'call' || content.length > 0 || Object.keys(content.input).length === 0) return [];
    try {
      return takeArguments(content, JSON.stringify(content.input));
    } catch {
      return { notProtocol: `the input of block ${index} is nested too deep` };
    }
  }

  return {
    start,
    add,
    end,
    get anyOpen() {
      return [...blocks.values()].some(({ open }) => open);
    },
    calls: () => calls.map(({ id, name, pieces }) => ({ id, name, arguments: pieces.join('') })),
    laid: () => [...blocks.values()].flatMap(({ content }) => laidBlock(content)),
  };
}

function laidBlock(content: Block['content']): readonly LaidBlock[] {
  switch (content.type) {
    case 'text': return [{ type: 'text', length: content.length }];
    case 'thinking': return [{ type: 'thinking', thinking: content.thinking.join(''), signature: content.signature.join('') }];
    case 'redacted_thinking': return [{ type: 'redacted_thinking', data: content.data }];
    case 'call': return [{ type: 'call' }];
    case 'other': return [];
  }
}
