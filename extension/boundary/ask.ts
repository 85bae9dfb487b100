import type { CallKey } from './call.ts';
import type { Digest, Effect } from './effect.ts';
import type { Approval, Verdict } from './verdict.ts';

/** The lines of one file's change, as a person reads it. */
export interface FileDiff {
  readonly path: string;
  readonly display: string;
  readonly change: 'create' | 'edit' | 'delete';
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly FileDiffLine[];
  /** True where `lines` is a cut of the diff. */
  readonly truncated: boolean;
  /** What the eye cannot see: line ends, byte order mark, final newline. */
  readonly notes: readonly string[];
}

export interface FileDiffLine {
  readonly kind: 'context' | 'added' | 'removed' | 'gap';
  readonly oldLine: number;
  readonly newLine: number;
  readonly text: string;
}

/** What a call would do, as a person is asked for it; plain data, logged with the ask, so that a replayed card equals the live one. */
export interface AskContent {
  readonly effects: readonly Effect[];
  readonly claims: readonly Effect[];
  readonly diffs: readonly FileDiff[];
  /** Things to notice: protected, outside the workspace, hard links. */
  readonly warnings: readonly string[];
}

/** What is put before a person. */
export interface Ask {
  readonly call: CallKey;
  readonly digest: Digest;
  readonly verdict: Verdict;
  readonly content: AskContent;
  /** Base and result bytes of each write, for the diff in the editor. */
  readonly files: readonly AskFile[];
}

export interface AskFile {
  readonly path: string;
  readonly display: string;
  readonly base: Uint8Array | null;
  /** null where the file would be deleted. */
  readonly result: Uint8Array | null;
}

export interface Answer {
  readonly approval: Approval;
  readonly reason: string;
}

/** Whoever answers an ask. Resolves always; `cancelled` when the signal fires. */
export interface Approver {
  ask(ask: Ask, signal: AbortSignal): Promise<Answer>;
}
