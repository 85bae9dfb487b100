import { createAnthropic } from './anthropic.ts';
import { loadAnthropicParser } from './anthropic-parser.ts';
import type { EventParser } from './exchange.ts';
import { createGemini } from './gemini.ts';
import type { ModelCapabilities, ModelClient } from './model-client.ts';
import { createOpenAIChat } from './openai-chat.ts';
import { loadOpenAIParser } from './openai-parser.ts';
import { createOpenAIResponses } from './openai-responses.ts';
import type { NetworkProfile } from './profile.ts';
import type { Timer, WatchLimits } from './response-watch.ts';

export interface ClientPorts {
  /** undefined where the server needs none. */
  readonly key: () => Promise<string | undefined>;
  readonly timer: Timer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly capabilities: ModelCapabilities;
  /** As shown to the person: `gpt-5 · api.openai.com`. */
  readonly label: string;
  readonly watchLimits?: WatchLimits;
}

/** The client of a model that is reached over the network. */
export function createModelClient(profile: NetworkProfile, ports: ClientPorts): ModelClient {
  const { baseUrl, model, thinking } = profile;
  const options = { ...ports, baseUrl, model, thinking };
  switch (profile.protocol) {
    case 'openai-chat': return createOpenAIChat(options);
    case 'openai-responses': return createOpenAIResponses(options);
    case 'anthropic': return createAnthropic(options);
    case 'gemini': return createGemini(options);
  }
}

/** Loads what the first request needs, ahead of it: Node loads its HTTP client with the first fetch, and this one goes nowhere. */
export async function warmModel({ protocol }: Pick<NetworkProfile, 'protocol'>): Promise<void> {
  await Promise.all([parserOf(protocol), fetch('data:,')]);
}

function parserOf(protocol: NetworkProfile['protocol']): Promise<EventParser> {
  switch (protocol) {
    case 'openai-chat':
    case 'openai-responses':
    case 'gemini': return loadOpenAIParser();
    case 'anthropic': return loadAnthropicParser();
  }
}
