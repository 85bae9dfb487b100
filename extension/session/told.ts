import type { CallKey } from '../boundary/call.ts';
import type { ModelMessage } from '../model/model-client.ts';

/** A message of the model's history, and what it comes from. */
export interface Told {
  readonly message: ModelMessage;
  readonly part: 'user' | 'assistant' | 'results' | 'summary';
  /** The index in the log of the event that it tells; of a result, of the step that its call belongs to. */
  readonly event: number;
  /** Where it tells what became of a call, and so can be folded. */
  readonly outcome: ToldOutcome | null;
}

export interface ToldOutcome {
  readonly call: CallKey;
  readonly tool: string;
  readonly folded: boolean;
  /** As it stands, or would, when folded. */
  readonly foldedLength: number;
}
