import { randomBytes, randomUUID } from 'node:crypto';
import type { AgentEvent } from '../agent/events.ts';
import { type Agent, createAgent } from '../agent/loop.ts';
import { systemPromptOf } from '../agent/system-prompt.ts';
import type { Approver } from '../boundary/ask.ts';
import type { CallKey } from '../boundary/call.ts';
import { createRegistry, type Registry } from '../boundary/registry.ts';
import { createSchemaCompiler } from '../boundary/schema-compiler.ts';
import { createPresenter } from '../chat/presenter.ts';
import { type Change, Transcript } from '../chat/transcript.ts';
import { Observations } from '../files/observations.ts';
import type { Roots } from '../files/roots.ts';
import type { Policy } from '../gate/policy.ts';
import type { ModelClient, ModelRequest } from '../model/model-client.ts';
import { createPipeline } from '../pipeline/pipeline.ts';
import { historyOf } from '../session/history.ts';
import type { SessionLog } from '../session/records.ts';
import { registerBuiltInTools } from '../tools/built-in.ts';
import { dirtyDocuments } from './dirty-documents.ts';
import type { QuestionDesk } from './question-desk.ts';

export interface RuntimeParts {
  readonly log: SessionLog;
  readonly roots: Roots;
  readonly policy: () => Policy;
  readonly client: () => ModelClient | null;
  readonly approver: Approver;
  readonly questions: QuestionDesk;
  readonly redact: (text: string) => string;
  /** What the person has sent and no turn has taken up yet. */
  readonly queued: readonly string[];
  readonly onChanges: (changes: readonly Change[]) => void;
  readonly onEvent: (event: AgentEvent) => void;
}

/** One session at work: its agent, and what the chat shows of it. */
export class SessionRuntime {
  readonly agent: Agent;
  readonly transcript: Transcript;
  readonly #parts: RuntimeParts;
  readonly #registry: Registry;
  readonly #systemPrompt: string;
  readonly #stopListening: () => void;

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
    this.#registry = createRegistry(createSchemaCompiler());
    registerBuiltInTools(this.#registry);
    this.#systemPrompt = systemPromptOf(parts.roots.list.map(({ name }) => name));
    this.transcript = new Transcript(createPresenter(this.#registry));
    const observations = new Observations();
    for (const event of parts.log.events) {
      this.transcript.record(event);
      if (event.type === 'settled') for (const { path, digest } of event.observed) observations.note(path, digest);
    }
    this.transcript.live({ type: 'queue', queued: parts.queued });
    this.#stopListening = parts.log.onAppend((event) => parts.onChanges(this.transcript.record(event)));
    const pipeline = createPipeline({
      registry: this.#registry, roots: parts.roots, policy: parts.policy, guards: [], approver: parts.approver, documents: dirtyDocuments, observations, log: parts.log,
      conversationOf: (call, signal) => ({ ask: (text, options) => parts.questions.ask(call, { text, options }, signal) }),
      redact: parts.redact, random: () => randomBytes(8).toString('hex'), dryRun: false,
    });
    this.agent = createAgent({
      log: parts.log, pipeline, client: parts.client, schemas: () => this.#registry.schemas(), systemPrompt: () => this.#systemPrompt,
      sleep: sleepUntilAborted, random: Math.random, newId: randomUUID, queued: parts.queued,
      onEvent: (event) => {
        parts.onChanges(this.transcript.live(event));
        parts.onEvent(event);
      },
    });
  }

  /** The file that a call changed or would change, if it is one. */
  pathOf(call: CallKey): string | null {
    for (const event of this.#parts.log.events.toReversed()) {
      if (event.type !== 'started' && event.type !== 'asked') continue;
      if (event.call !== call) continue;
      const effects = event.type === 'started' ? event.effects : event.content.effects;
      return effects.flatMap((effect) => ('path' in effect ? [effect.path] : []))[0] ?? null;
    }
    return null;
  }

  /** Shows nothing more; for a session that goes on elsewhere, or not at all. */
  dispose(): void {
    this.#stopListening();
  }

  /** What the next request would hold. */
  request(): ModelRequest {
    return { messages: [{ role: 'system', text: this.#systemPrompt }, ...historyOf(this.#parts.log.events)], tools: this.#registry.schemas() };
  }
}

function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
