import { createAnthropic, type AnthropicOptions } from '../../../extension/model/anthropic.ts';
import type { ModelCapabilities, ModelClient, ModelEvent, ModelMessage } from '../../../extension/model/model-client.ts';
import { finishedIn, realTimer, textOf } from './clients.ts';

export const claude: ModelCapabilities = { images: true, parallelCalls: true, thinking: true, contextTokens: 200_000, outputTokens: 32_000 };

export function anthropicOf(baseUrl: string, options: Partial<AnthropicOptions> = {}): ModelClient {
  return createAnthropic({
    baseUrl, model: 'claude-opus-4-6', label: 'claude · here', thinking: 'off', capabilities: claude, key: () => Promise.resolve('sk-ant-1'), timer: realTimer, now: () => 0, ...options,
  });
}

/** The message that the history would hold of an answer. */
export function assistantOf(events: readonly ModelEvent[]): ModelMessage {
  const { calls, carried } = finishedIn(events);
  return { role: 'assistant', text: textOf(events), calls, ...(carried === undefined ? {} : { carried }) };
}
