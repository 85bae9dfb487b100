import type { ModelCapabilities, ModelClient, ModelEvent, ModelRequest } from '../../../extension/model/model-client.ts';
import { createOpenAIChat, type OpenAIChatOptions } from '../../../extension/model/openai-chat.ts';
import type { Timer } from '../../../extension/model/response-watch.ts';

export const realTimer: Timer = (ms, fire) => {
  const handle = setTimeout(fire, ms);
  return () => clearTimeout(handle);
};

export const capabilities: ModelCapabilities = { images: true, parallelCalls: true, thinking: false, contextTokens: 128_000, outputTokens: 8_000 };

export function clientOf(baseUrl: string, options: Partial<OpenAIChatOptions> = {}): ModelClient {
  return createOpenAIChat({
    baseUrl, model: 'scripted', label: 'scripted · here', thinking: 'off', capabilities, key: () => Promise.resolve(undefined), timer: realTimer, now: () => 0, ...options,
  });
}

export const hello: ModelRequest = { messages: [{ role: 'user', text: 'hello' }], tools: [] };

export async function eventsOf(client: ModelClient, request: ModelRequest = hello, signal = new AbortController().signal): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of client.stream(request, signal)) events.push(event);
  return events;
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
}

export function finishedIn(events: readonly ModelEvent[]): Extract<ModelEvent, { type: 'finished' }> {
  const last = events.at(-1);
  if (last?.type !== 'finished') throw new Error(`The stream ended with ${JSON.stringify(last)}.`);
  return last;
}

export function failureIn(events: readonly ModelEvent[]): Extract<ModelEvent, { type: 'failed' }>['failure'] {
  const last = events.at(-1);
  if (last?.type !== 'failed') throw new Error(`The stream ended with ${JSON.stringify(last)}.`);
  return last.failure;
}
