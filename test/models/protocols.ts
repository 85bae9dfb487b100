import type { NetworkProtocol } from '../../extension/model/profile.ts';
import { startAnthropicServer } from '../model-server/anthropic.ts';
import { startGeminiServer } from '../model-server/gemini.ts';
import { startResponsesServer } from '../model-server/responses.ts';
import { startModelServer, type ModelServer, type ModelServerOptions, type Script } from '../model-server/server.ts';

export interface ProtocolUnderTest {
  readonly protocol: NetworkProtocol;
  /** One whose rules are the strictest that the protocol has. */
  readonly model: string;
  start(script: Script, options?: ModelServerOptions): Promise<ModelServer>;
}

/** Every protocol that goes over the network, with a server that behaves as the real one. */
export const protocols: readonly ProtocolUnderTest[] = [
  { protocol: 'openai-chat', model: 'gpt-5', start: startModelServer },
  { protocol: 'openai-responses', model: 'gpt-5', start: startResponsesServer },
  { protocol: 'anthropic', model: 'claude-sonnet-4-5', start: startAnthropicServer },
  { protocol: 'gemini', model: 'gemini-3-flash', start: startGeminiServer },
];
