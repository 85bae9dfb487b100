import { createAgent, type Agent } from '../../../extension/agent/loop.ts';
import type { AgentEvent } from '../../../extension/agent/events.ts';
import type { AgentParts, QueuedMessage, SendTime } from '../../../extension/agent/parts.ts';
import type { IncomingCall } from '../../../extension/boundary/call.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { snapshotJson } from '../../../extension/boundary/snapshot.ts';
import type { CallResult } from '../../../extension/boundary/result.ts';
import type { Pipeline, StepContext } from '../../../extension/pipeline/step.ts';
import type { LogEvent, SessionLog } from '../../../extension/session/records.ts';
import type { Reply } from '../../model-server/replies.ts';
import { scriptOf, startModelServer, type ModelServer } from '../../model-server/server.ts';
import { clientOf } from '../model/clients.ts';

/** A log in memory that can be made to fail as a full disk does. */
export class MemoryLog implements SessionLog {
  readonly #events: LogEvent[] = [];
  readonly #listeners = new Set<(event: LogEvent) => void>();
  /** Appends that still work. */
  left = Number.POSITIVE_INFINITY;

  get events(): readonly LogEvent[] {
    return this.#events;
  }
  append(event: LogEvent): ReturnType<SessionLog['append']> {
    if (this.left-- <= 0) throw new CodedError('LOG_UNAVAILABLE', 'no space left on device');
    // As the real one.
    const snapshot = snapshotJson(event);
    if (!snapshot.ok) throw new TypeError(`a record must be lossless JSON: ${snapshot.lossy.fault} at ${snapshot.lossy.pointer}`);
    this.#events.push(structuredClone(event));
    for (const listener of this.#listeners) listener(event);
    return { n: this.#events.length, at: 0, event, prev: '', hash: '' };
  }
  onAppend(listener: (event: LogEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export interface ExecutedStep {
  readonly calls: readonly IncomingCall[];
  readonly origin: StepContext['origin'];
}

/** Executes by recording; refuses what is cut off or a duplicate, as the boundary does. */
export class RecordingPipeline implements Pipeline {
  readonly steps: ExecutedStep[] = [];
  readonly executed: string[] = [];
  readonly #log: SessionLog;
  /** Runs in place of a call's body. */
  body: (call: IncomingCall, signal: AbortSignal) => Promise<string> = (call) => Promise.resolve(`did ${call.arguments}`);

  constructor(log: SessionLog) {
    this.#log = log;
  }

  async runStep(calls: readonly IncomingCall[], context: StepContext): ReturnType<Pipeline['runStep']> {
    this.steps.push({ calls, origin: context.origin });
    const outcomes = [];
    for (const call of calls) {
      const result = await this.#resultOf(call, context);
      const outcome = { call: call.call, id: call.id, name: call.name, verdict: null, effects: [], claims: [], approval: null, result };
      this.#log.append({ type: 'settled', call: call.call, verdict: null, approval: null, result, observed: [] });
      context.onEvent({ type: 'settled', outcome });
      outcomes.push(outcome);
    }
    return outcomes;
  }

  async #resultOf(call: IncomingCall, { signal }: StepContext): Promise<CallResult> {
    if (signal.aborted) return refusal('ABORTED_BEFORE_DISPATCH');
    if (call.cutOff === true) return refusal('INVALID_PROPOSAL');
    if (call.duplicate === true) return refusal('DUPLICATE_ID');
    this.executed.push(call.arguments);
    return { isError: false, content: [{ type: 'text', text: await this.body(call, signal) }], error: null };
  }
}

function refusal(code: 'ABORTED_BEFORE_DISPATCH' | 'INVALID_PROPOSAL' | 'DUPLICATE_ID'): CallResult {
  return { isError: true, content: [{ type: 'text', text: code }], error: { code, message: code } };
}

export interface Rig {
  readonly agent: Agent;
  readonly log: MemoryLog;
  readonly pipeline: RecordingPipeline;
  readonly events: AgentEvent[];
  readonly server: ModelServer;
  /** Milliseconds that were slept. */
  readonly slept: number[];
  send(text: string, when?: SendTime): void;
  /** Log events but for their contents, in short. */
  story(): readonly string[];
  /** The messages of the nth request. */
  messages(n: number): readonly Message[];
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
}

/** An agent with the real client against a real server that plays these replies. */
export async function startRig(replies: readonly Reply[] | Parameters<typeof startModelServer>[0], parts: Partial<AgentParts> = {}): Promise<Rig> {
  const server = await startModelServer(typeof replies === 'function' ? replies : scriptOf(replies));
  const log = new MemoryLog();
  const pipeline = new RecordingPipeline(log);
  const events: AgentEvent[] = [];
  const slept: number[] = [];
  let ids = 0;
  const client = clientOf(server.baseUrl);
  const agent = createAgent({
    log, pipeline, client: () => client, schemas: () => [], systemPrompt: () => 'system', random: () => 0, newId: () => `id${++ids}`,
    sleep: (ms) => { slept.push(ms); return Promise.resolve(); },
    onEvent: (event) => events.push(event),
    ...parts,
  });
  return {
    agent, log, pipeline, events, server, slept,
    send: (text, when = 'next-step') => agent.send({ text, images: [] }, when),
    story: () => log.events.map((event) => {
      switch (event.type) {
        case 'user': return `user ${event.text}`;
        case 'assistant': return `assistant ${event.step} ${event.finish} ${event.text.slice(0, 40)}${event.calls.length > 0 ? ` [${event.calls.map(({ id }) => id).join()}]` : ''}`;
        case 'settled': return `settled ${event.result.error?.code ?? 'well'}`;
        case 'turn-ended': return `ended ${event.end}`;
        default: return event.type;
      }
    }),
    messages: (n) => messagesIn(server.requests[n]?.body),
    async [Symbol.asyncDispose]() {
      agent.stop();
      await agent.settled();
      await server.close();
    },
  };
}

export function waiting(text: string, when: SendTime): QueuedMessage {
  return { id: `waiting-${text}`, text, images: [], when };
}

function messagesIn(body: unknown): readonly Message[] {
  if (typeof body !== 'object' || body === null || !('messages' in body) || !Array.isArray(body.messages)) throw new Error('That request has no messages.');
  return body.messages;
}

/** Waits for what another part does by itself; the test runner's own time limit ends it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}
