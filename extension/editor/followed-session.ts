import type { CallKey } from '../boundary/call.ts';
import { createRegistry } from '../boundary/registry.ts';
import { createPresenter } from '../chat/presenter.ts';
import { type Change, Transcript } from '../chat/transcript.ts';
import type { ModelRequest } from '../model/model-client.ts';
import { historyOf } from '../session/history.ts';
import { PlanFold, type PlanItem } from '../session/plan.ts';
import { registerBuiltInTools } from '../tools/built-in.ts';
import { compiledAhead } from '../tools/compiled-schemas.ts';
import { createUndoChanges } from '../tools/undo-changes.ts';
import type { LiveSession } from './live-session.ts';
import { pathOfCall } from './path-of-call.ts';
import type { FollowedSession } from './session-store.ts';

/** What a session that another window writes tells of itself. */
export interface FollowParts {
  readonly session: FollowedSession;
  readonly onChanges: (changes: readonly Change[]) => void;
  readonly onPlan: (plan: readonly PlanItem[]) => void;
  readonly onDispose: () => void;
}

/** A session that another window writes, as its log grows. There is no agent here, and nothing that could answer. */
export class FollowedRuntime implements LiveSession {
  readonly transcript: Transcript;
  readonly agent = null;
  readonly context = null;
  readonly #session: FollowedSession;
  readonly #plan = new PlanFold();
  readonly #stop: () => void;

  constructor({ session, onChanges, onPlan, onDispose }: FollowParts) {
    this.#session = session;
    const registry = createRegistry(compiledAhead);
    registerBuiltInTools(registry);
    this.transcript = new Transcript(createPresenter(registry));
    const { changes } = this.transcript;
    // Only so that its calls are drawn as they are where they run.
    registry.register(createUndoChanges({ changesOf: (call) => changes.changesOf(call), object: () => Promise.resolve(null), display: (path) => path }), { for: 'person' });
    for (const event of session.log.events) {
      this.transcript.record(event);
      this.#plan.record(event);
    }
    const stopListening = session.log.onAppend((event) => {
      onChanges(this.transcript.record(event));
      if (this.#plan.record(event)) onPlan(this.plan);
    });
    this.#stop = () => {
      stopListening();
      onDispose();
    };
  }

  get plan(): readonly PlanItem[] {
    return this.#plan.items;
  }

  pathOf(call: CallKey): string | null {
    return pathOfCall(this.#session.log.events, call);
  }

  request(): ModelRequest {
    return { messages: historyOf(this.#session.log.events), tools: [] };
  }

  dispose(): void {
    this.#stop();
  }
}
