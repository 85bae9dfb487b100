import type { Approver } from '../boundary/ask.ts';
import type { Registry } from '../boundary/registry.ts';
import type { Conversation } from '../boundary/tool-definition.ts';
import type { KeptResults } from '../files/kept-results.ts';
import type { ObjectStore } from '../files/object-store.ts';
import type { Observations } from '../files/observations.ts';
import type { OpenDocuments } from '../files/open-documents.ts';
import type { Roots } from '../files/roots.ts';
import type { Guard } from '../gate/decide.ts';
import type { Policy } from '../gate/policy.ts';
import type { SessionLog } from '../session/records.ts';

/** What the stages work on: the parts of one session's host. */
export interface PipelineHost {
  readonly registry: Registry;
  readonly roots: Roots;
  /** The policy of now; asked for at each decision. */
  readonly policy: () => Policy;
  readonly guards: readonly Guard[];
  readonly approver: Approver;
  readonly conversationOf: (call: string, signal: AbortSignal) => Conversation;
  readonly documents: OpenDocuments;
  readonly observations: Observations;
  /** Keeps what a write replaces, before it lands. */
  readonly objects: ObjectStore;
  /** Keeps narrations that were cut for the model. */
  readonly kept: KeptResults;
  readonly log: SessionLog;
  /** Takes out of a narration what no model may read, such as a key of ours. */
  readonly redact: (text: string) => string;
  /** A fresh random name for a temporary file. */
  readonly random: () => string;
  /** Foresees, decides and asks, and then does nothing. */
  readonly dryRun: boolean;
}
