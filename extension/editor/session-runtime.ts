import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AgentEvent, ContextUse } from '../agent/events.ts';
import { type Agent, createAgent } from '../agent/loop.ts';
import { systemPromptOf } from '../agent/system-prompt.ts';
import type { Approver } from '../boundary/ask.ts';
import type { CallKey } from '../boundary/call.ts';
import { createRegistry } from '../boundary/registry.ts';
import { createPresenter } from '../chat/presenter.ts';
import { type Change, Transcript } from '../chat/transcript.ts';
import { FileKeptResults } from '../files/kept-results.ts';
import type { ObjectStore } from '../files/object-store.ts';
import { Observations } from '../files/observations.ts';
import type { Roots } from '../files/roots.ts';
import type { Policy } from '../gate/policy.ts';
import type { ModelClient, ModelRequest } from '../model/model-client.ts';
import { createPipeline } from '../pipeline/pipeline.ts';
import { loggedNarration } from '../session/narration.ts';
import { noteObserved } from '../session/observed.ts';
import { PlanFold, type PlanItem } from '../session/plan.ts';
import type { SessionLog } from '../session/records.ts';
import { registerBuiltInTools } from '../tools/built-in.ts';
import { compiledAhead } from '../tools/compiled-schemas.ts';
import { createUndoChanges } from '../tools/undo-changes.ts';
import { dirtyDocuments } from './dirty-documents.ts';
import type { LiveSession } from './live-session.ts';
import { pathOfCall } from './path-of-call.ts';
import type { QuestionDesk } from './question-desk.ts';
import type { OpenedSession, WritingSession } from './session-store.ts';

export interface RuntimeParts {
  readonly session: WritingSession;
  /** Outside every workspace folder. */
  readonly folder: string;
  readonly objects: ObjectStore;
  readonly roots: Roots;
  readonly policy: () => Policy;
  readonly client: () => ModelClient | null;
  readonly stepLimit: () => number;
  readonly approver: Approver;
  readonly questions: QuestionDesk;
  readonly redact: (text: string) => string;
  readonly queued: OpenedSession['queued'];
  readonly onChanges: (changes: readonly Change[]) => void;
  readonly onPlan: (plan: readonly PlanItem[]) => void;
  readonly onEvent: (event: AgentEvent) => void;
}

/** A session that this window writes: its agent, and what the chat shows of it. */
export class SessionRuntime implements LiveSession {
  readonly agent: Agent;
  readonly transcript: Transcript;
  readonly #log: SessionLog;
  readonly #plan = new PlanFold();
  readonly #stopListening: () => void;

  constructor(parts: RuntimeParts) {
    const { id, log } = parts.session;
    this.#log = log;
    const registry = createRegistry(compiledAhead);
    registerBuiltInTools(registry);
    this.transcript = new Transcript(createPresenter(registry));
    const { changes } = this.transcript;
    registry.register(createUndoChanges({
      changesOf: (call) => changes.changesOf(call), object: (digest) => parts.objects.get(digest), display: (path) => parts.roots.display(path),
    }), { for: 'person' });
    const systemPrompt = systemPromptOf(parts.roots.list.map(({ name }) => name));
    const observations = new Observations();
    for (const event of log.events) {
      this.transcript.record(event);
      this.#plan.record(event);
    }
    noteObserved(log.events, observations);
    this.transcript.live({ type: 'queue', queued: parts.queued });
    this.#stopListening = log.onAppend((event) => {
      parts.onChanges(this.transcript.record(event));
      if (this.#plan.record(event)) parts.onPlan(this.plan);
    });
    const pipeline = createPipeline({
      registry, roots: parts.roots, policy: parts.policy, guards: [], approver: parts.approver, documents: dirtyDocuments, observations, log,
      objects: parts.objects, kept: new FileKeptResults(join(parts.folder, 'results', id), (call) => loggedNarration(log.events, call)),
      conversationOf: (call, signal) => ({ ask: (text, options) => parts.questions.ask(call, { text, options }, signal) }),
      redact: parts.redact, random: () => randomBytes(8).toString('hex'), dryRun: false,
    });
    this.agent = createAgent({
      log, pipeline, client: parts.client, schemas: () => registry.schemas(), systemPrompt: () => systemPrompt,
      image: async (digest) => {
        const bytes = await parts.objects.get(digest);
        return bytes === null ? null : Buffer.from(bytes).toString('base64');
      },
      sleep: sleepUntilAborted, random: Math.random, newId: randomUUID, queued: parts.queued, stepLimit: parts.stepLimit,
      onEvent: (event) => {
        parts.onChanges(this.transcript.live(event));
        parts.onEvent(event);
      },
    });
  }

  get plan(): readonly PlanItem[] {
    return this.#plan.items;
  }

  get context(): ContextUse | null {
    return this.agent.context.use();
  }

  pathOf(call: CallKey): string | null {
    return pathOfCall(this.#log.events, call);
  }

  request(): ModelRequest {
    return this.agent.context.request();
  }

  dispose(): void {
    this.#stopListening();
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
