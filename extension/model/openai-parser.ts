import type { EventParser } from './exchange.ts';
import { loadOnce } from './load-once.ts';

const sdk = loadOnce(() => import('./openai-sdk.ts'));

/** The SDK's decoder of server-sent events, for OpenAI's protocols and Gemini's. `[DONE]` ends the stream, whatever follows. */
export async function loadOpenAIParser(): Promise<EventParser> {
  const { readEvents } = await sdk();
  return {
    async *read(response, controller) {
      for await (const { event, data } of readEvents(response, controller)) {
        if (data === '[DONE]') return;
        // An event of its name alone keeps the connection open.
        if (data === '') continue;
        const value: unknown = JSON.parse(data);
        yield { name: event ?? '', value };
      }
    },
  };
}
