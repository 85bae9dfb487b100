import { answerLimits, type AnswerLimits } from './answer-assembly.ts';
import { carriedOf } from './anthropic-carried.ts';
import { createAnswerContent } from './anthropic-content.ts';
import { readStreamEvent, type StreamEvent, type UsageFields } from './anthropic-events.ts';
import type { AnswerReader, Taken } from './exchange.ts';
import type { FinishReason, TokenUsage } from './model-client.ts';

export interface AnswerOptions {
  readonly model: string;
  /** The digest of what was sent before this answer; asked for when it has finished. */
  readonly before: () => string;
  readonly limits?: AnswerLimits;
}

/**
 * Puts one answer together from its events. Events that come in another order than the protocol's make it no answer; blocks and
 * events that we do not know are passed over.
 */
export function readMessagesAnswer({ model, before, limits = answerLimits }: AnswerOptions): AnswerReader {
  const content = createAnswerContent(limits);
  let started = false;
  let stop: string | null = null;
  let stopped = false;
  let usage: UsageFields = { input: null, cacheRead: null, cacheCreation: null, output: null };

  function takeEvent(event: StreamEvent): Taken {
    if (event.type === 'other') return [];
    if (event.type === 'message-start') {
      if (started) return { notProtocol: 'the message begins twice' };
      started = true;
      usage = event.usage;
      return [];
    }
    if (!started) return { notProtocol: 'the message has no beginning' };
    if (stopped || (stop !== null && event.type.startsWith('block-'))) return { notProtocol: 'the message goes on after its end' };
    switch (event.type) {
      case 'block-start': return content.start(event.index, event.block);
      case 'block-delta': return content.add(event.index, event.delta);
      case 'block-stop': return content.end(event.index);
      case 'message-delta':
        usage = later(usage, event.usage);
        if (event.stop === null) return [];
        stop = event.stop;
        return end();
      case 'message-stop':
        stopped = true;
        return end();
    }
  }

  /** An open block may be a call whose arguments are not whole. */
  function end(): Taken {
    return content.anyOpen ? { notProtocol: 'the message ends in the middle of a block' } : [];
  }

  return {
    take(_name, value) {
      const event = readStreamEvent(value);
      return event === null ? { notProtocol: 'a data line is no event of a message' } : takeEvent(event);
    },
    get ended() {
      return stopped || stop !== null;
    },
    finished() {
      const calls = content.calls();
      const blocks = content.laid();
      const thought = blocks.some(({ type }) => type === 'thinking' || type === 'redacted_thinking');
      return {
        type: 'finished', reason: reasonOf(stop, calls.length), calls, usage: tokensOf(usage),
        ...(thought ? { carried: [carriedOf(model, { before: before(), blocks })] } : {}),
      };
    },
  };
}

/**
 * That there are calls counts for more than what the reason says of them. `pause_turn` stands where a tool of the server's own
 * takes long; we offer none, so it is the end of an answer like any other.
 */
function reasonOf(stop: string | null, calls: number): FinishReason {
  switch (stop) {
    case 'max_tokens':
    case 'model_context_window_exceeded': return 'length';
    case 'refusal': return 'refusal';
    default: return calls > 0 ? 'tool-calls' : 'stop';
  }
}

function later(earlier: UsageFields, now: UsageFields): UsageFields {
  return {
    input: now.input ?? earlier.input,
    cacheRead: now.cacheRead ?? earlier.cacheRead,
    cacheCreation: now.cacheCreation ?? earlier.cacheCreation,
    output: now.output ?? earlier.output,
  };
}

/** `input` of the API's is what came from no cache and went into none. */
function tokensOf({ input, cacheRead, cacheCreation, output }: UsageFields): TokenUsage | null {
  if (input === null && output === null) return null;
  return { input: (input ?? 0) + (cacheRead ?? 0) + (cacheCreation ?? 0), cachedInput: cacheRead ?? 0, output: output ?? 0 };
}
