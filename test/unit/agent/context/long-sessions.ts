import type { AgentParts } from '../../../../extension/agent/parts.ts';
import type { ModelCapabilities, ModelClient } from '../../../../extension/model/model-client.ts';
import type { LogEvent, LogEventOf } from '../../../../extension/session/records.ts';
import { say, type Reply } from '../../../model-server/replies.ts';
import type { ReceivedRequest } from '../../../model-server/server.ts';
import { clientOf } from '../../model/clients.ts';
import { startRig, type Rig } from '../agents.ts';

/** 16,000 tokens at four bytes each, of which 15,000 may be a request. */
export const small: ModelCapabilities = { images: false, parallelCalls: true, thinking: false, contextTokens: 16_000, outputTokens: 1_000 };

/** An agent whose model has a small context; its server says what it likes. */
export async function startSmallRig(script: (request: ReceivedRequest, n: number) => Reply | Promise<Reply>, parts: Partial<AgentParts> = {}, capabilities = small): Promise<Rig> {
  let client: ModelClient | null = null;
  const rig = await startRig(script, { client: () => client, stepLimit: () => 1000, ...parts });
  client = clientOf(rig.server.baseUrl, { capabilities });
  return rig;
}

export function tooLong(): Reply {
  const message = "This model's maximum context length is 8000 tokens. However, your messages resulted in 9000 tokens.";
  return { kind: 'error', status: 400, body: { error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' } } };
}

export function asksForSummary({ raw }: ReceivedRequest): boolean {
  return raw.slice(-3000).includes('Your context is nearly full.');
}

/** Usage as a server reports it that counts four bytes of the body as a token. */
export function counted(reply: ReturnType<typeof say>, { raw }: ReceivedRequest): Reply {
  return { ...reply, usage: { input: Math.ceil(Buffer.byteLength(raw) / 4), output: 10 } };
}

export function logged<T extends LogEvent['type']>(rig: Rig, type: T): readonly LogEventOf<T>[] {
  return rig.log.events.filter((event): event is LogEventOf<T> => event.type === type);
}

export function failures(rig: Rig): readonly string[] {
  return rig.events.flatMap((event) => (event.type === 'failed' ? [`${event.failure.kind}: ${event.failure.message}`] : []));
}
