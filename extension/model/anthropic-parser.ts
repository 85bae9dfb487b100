import type { EventParser } from './exchange.ts';
import { loadOnce } from './load-once.ts';

const sdk = loadOnce(() => import('./anthropic-sdk.ts'));

export async function loadAnthropicParser(): Promise<EventParser> {
  const { Stream } = await sdk();
  return {
    async *read(response, controller) {
      try {
        // Its events as they are: its other mode drops those without a name, and prints what it cannot parse.
        for await (const { event, data } of Stream.rawEvents(response, controller)) {
          if (data === '') continue;
          const value: unknown = JSON.parse(data);
          yield { name: event ?? '', value };
        }
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      }
    },
  };
}
