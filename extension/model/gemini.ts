import type { AnswerLimits } from './answer-assembly.ts';
import type { ChosenModel } from './chosen-model.ts';
import { streamAnswer, type ServerOptions } from './exchange.ts';
import { geminiBodyOf } from './gemini-body.ts';
import { readGeminiAnswer } from './gemini-events.ts';
import type { ModelClient, ModelRequest } from './model-client.ts';
import { loadOpenAIParser } from './openai-parser.ts';

export interface GeminiOptions extends ServerOptions, ChosenModel {
  readonly label: string;
  readonly answerLimits?: AnswerLimits;
}

/**
 * A client of Gemini's own API (`https://generativelanguage.googleapis.com/v1beta`).
 *
 * Gemini gives the arguments of a call as an object, not as the text that its model wrote; they are serialised here. So
 * what the boundary promises of strict JSON cannot be shown with it: a name that stood twice, digits that a number lost
 * and a text that broke off are gone before we see anything. A call that Gemini itself could not read ends the answer
 * (`MALFORMED_FUNCTION_CALL`) as a failure that is tried again. Calls without an id get one of ours.
 */
export function createGemini(options: GeminiOptions): ModelClient {
  const { label, capabilities, model } = options;
  const bodyOf = (request: ModelRequest): string => JSON.stringify(geminiBodyOf(options, request));
  return {
    label,
    capabilities,
    bodyOf,
    stream: (request, signal) => streamAnswer({
      ...options,
      path: `/models/${encodeURIComponent(model.trim().replace(/^models\//, ''))}:streamGenerateContent?alt=sse`,
      headers: (key) => (key === undefined ? {} : { 'x-goog-api-key': key }),
      body: () => bodyOf(request),
      reader: readGeminiAnswer(model, options.answerLimits),
      parser: loadOpenAIParser,
      words: { server: 'Gemini', version: '/v1beta' },
    }, signal),
  };
}
