import type { Digest } from '../boundary/effect.ts';
import type { ToolSchema } from '../boundary/tool-definition.ts';
import type { ModelClient } from '../model/model-client.ts';
import type { Sleep } from '../model/retry.ts';
import type { Pipeline } from '../pipeline/step.ts';
import type { QueuedMessage } from '../session/queued-message.ts';
import type { SessionLog } from '../session/records.ts';
import type { AgentEvent } from './events.ts';

export type { QueuedMessage, SendTime, UserInput } from '../session/queued-message.ts';

/** What an agent is made of. */
export interface AgentParts {
  readonly log: SessionLog;
  readonly pipeline: Pipeline;
  /** null where no model is set up. Read anew for each request. */
  readonly client: () => ModelClient | null;
  readonly schemas: () => readonly ToolSchema[];
  readonly systemPrompt: () => string;
  readonly sleep: Sleep;
  /** In [0, 1). */
  readonly random: () => number;
  /** Unique in the session. */
  readonly newId: () => string;
  /** Model requests that one turn may make before it asks to go on; 50 by default. Read anew for each turn. */
  readonly stepLimit?: () => number;
  /** The base64 text of an image by its digest; null where it is gone. */
  readonly image?: (digest: Digest) => Promise<string | null>;
  /** What was sent to an agent before this one and not taken up; it goes out with the next `send` or `retry`. */
  readonly queued?: readonly QueuedMessage[];
  readonly onEvent: (event: AgentEvent) => void;
}
