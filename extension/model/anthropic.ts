import type { AnswerLimits } from './answer-assembly.ts';
import { readMessagesAnswer } from './anthropic-answer.ts';
import { messagesBodyOf, type BodyOptions, type BuiltBody } from './anthropic-body.ts';
import { loadAnthropicParser } from './anthropic-parser.ts';
import { streamAnswer, type ServerOptions } from './exchange.ts';
import type { ModelClient } from './model-client.ts';

export interface AnthropicOptions extends ServerOptions, BodyOptions {
  readonly label: string;
  readonly answerLimits?: AnswerLimits;
}

/**
 * A client of Anthropic's Messages API. The API sends a call's arguments as fragments of text, and says when an answer was cut
 * off by its limit: so the boundary sees duplicate keys, lost digits and cut-off calls as they came. (A server that imitates
 * the API may send them whole, as an object: then they are written anew, and what JSON.parse lost of them is not seen.)
 */
export function createAnthropic(options: AnthropicOptions): ModelClient {
  const { label, model, capabilities } = options;
  return {
    label,
    capabilities,
    bodyOf: (request) => JSON.stringify(messagesBodyOf(options, request).body),
    stream(request, signal) {
      const built = once(() => messagesBodyOf(options, request));
      return streamAnswer({
        ...options,
        path: '/messages',
        headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) }),
        body: () => JSON.stringify(built().body),
        reader: readMessagesAnswer({ model, before: () => built().before, ...(options.answerLimits === undefined ? {} : { limits: options.answerLimits }) }),
        parser: loadAnthropicParser,
        words: { server: "a server of Anthropic's Messages API", version: '/v1' },
      }, signal);
    },
  };
}

function once(make: () => BuiltBody): () => BuiltBody {
  let made: BuiltBody | undefined;
  return () => (made ??= make());
}
