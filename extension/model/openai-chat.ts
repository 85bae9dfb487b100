import { answerLimits, createAnswerAssembly, type AnswerLimits } from './answer-assembly.ts';
import type { ChosenModel } from './chosen-model.ts';
import { streamAnswer, type AnswerReader, type ServerOptions } from './exchange.ts';
import type { ModelClient, ModelRequest } from './model-client.ts';
import { chatBodyOf } from './openai-body.ts';
import { carriedChat, withDetail, type ChatState } from './openai-carried.ts';
import { readChunk } from './openai-chunk.ts';
import { openAIHeaders } from './openai-headers.ts';
import { loadOpenAIParser } from './openai-parser.ts';

export interface OpenAIChatOptions extends ServerOptions, ChosenModel {
  readonly label: string;
  readonly answerLimits?: AnswerLimits;
}

/** A client of any server that speaks OpenAI's chat completions. */
export function createOpenAIChat(options: OpenAIChatOptions): ModelClient {
  const { label, capabilities } = options;
  const bodyOf = (request: ModelRequest): string => JSON.stringify(chatBodyOf(options, request));
  return {
    label,
    capabilities,
    bodyOf,
    stream: (request, signal) => streamAnswer({
      ...options,
      path: '/chat/completions',
      headers: openAIHeaders,
      body: () => bodyOf(request),
      reader: readChatAnswer(options.model, options.answerLimits),
      parser: loadOpenAIParser,
      words: { server: 'a chat completions server', version: '/v1' },
      doneEnds: true,
    }, signal),
  };
}

const maxDetails = 1000;

/** Reads the data lines of one answer. */
export function readChatAnswer(model: string, limits: AnswerLimits = answerLimits): AnswerReader {
  const assembly = createAnswerAssembly(limits);
  let state: ChatState = { reasoning_content: null, reasoning_details: [] };
  let carriedLength = 0;
  return {
    take(_name, value) {
      const chunk = readChunk(value);
      if (chunk === null) return { notProtocol: 'a data line is no chunk of an answer' };
      if (chunk.finish === 'error') return { refused: { detail: '', code: '' } };
      if (chunk.reasoningContent !== null) state = { ...state, reasoning_content: (state.reasoning_content ?? '') + chunk.reasoningContent };
      for (const detail of chunk.reasoningDetails) {
        carriedLength += JSON.stringify(Object.values(detail).filter((member) => typeof member === 'string')).length;
        state = { ...state, reasoning_details: withDetail(state.reasoning_details, detail) };
        if (state.reasoning_details.length > maxDetails) return { broken: `more than ${maxDetails} pieces of reasoning in one answer` };
      }
      if (carriedLength > limits.text) return { broken: `more than ${limits.text} characters of reasoning in one answer` };
      return assembly.take(chunk);
    },
    get ended() {
      return assembly.finish !== null;
    },
    finished: () => assembly.finished(carriedChat(model, state)),
  };
}
