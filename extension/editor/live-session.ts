import type { Agent } from '../agent/loop.ts';
import type { ContextUse } from '../agent/events.ts';
import type { CallKey } from '../boundary/call.ts';
import type { Transcript } from '../chat/transcript.ts';
import type { ModelRequest } from '../model/model-client.ts';
import type { PlanItem } from '../session/plan.ts';

/** The session that the chat shows: one that this window writes, or one that another window does. */
export interface LiveSession {
  readonly transcript: Transcript;
  readonly plan: readonly PlanItem[];
  /** null where no model is set up, or none of ours is asked. */
  readonly context: ContextUse | null;
  /** null where another window writes it. */
  readonly agent: Agent | null;
  /** The file that a call changed or would change, if it is one. */
  pathOf(call: CallKey): string | null;
  /** What the next request would hold. */
  request(): ModelRequest;
  /** Shows nothing more; for a session that goes on elsewhere, or not at all. */
  dispose(): void;
}
