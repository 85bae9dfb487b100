import type { AnswerLimits } from './answer-assembly.ts';
import type { ChosenModel } from './chosen-model.ts';
import { streamAnswer, type ServerOptions } from './exchange.ts';
import type { ModelClient, ModelRequest } from './model-client.ts';
import { openAIHeaders } from './openai-headers.ts';
import { loadOpenAIParser } from './openai-parser.ts';
import { responsesBodyOf } from './openai-responses-body.ts';
import { readResponse } from './openai-responses-events.ts';

export interface OpenAIResponsesOptions extends ServerOptions, ChosenModel {
  readonly label: string;
  readonly answerLimits?: AnswerLimits;
}

/**
 * A client of OpenAI's Responses. Nothing is stored there: each request holds the whole conversation, and the model's
 * reasoning goes back encrypted. The arguments of calls come as text, piece by piece, so that what a model wrote is
 * what the boundary reads.
 */
export function createOpenAIResponses(options: OpenAIResponsesOptions): ModelClient {
  const { label, capabilities, model } = options;
  const bodyOf = (request: ModelRequest): string => JSON.stringify(responsesBodyOf(options, request));
  return {
    label,
    capabilities,
    bodyOf,
    stream: (request, signal) => streamAnswer({
      ...options,
      path: '/responses',
      headers: openAIHeaders,
      body: () => bodyOf(request),
      reader: readResponse(model, options.answerLimits),
      parser: loadOpenAIParser,
      words: { server: 'a server of OpenAI’s Responses', version: '/v1' },
    }, signal),
  };
}
