import type { CallKey } from './call.ts';
import type { Digest, RealPath } from './effect.ts';

/** What a call made of one file: it was created where its base is absent, and deleted where its result is. */
export interface FileChange {
  readonly path: RealPath;
  readonly base: Digest | 'absent';
  readonly result: Digest | 'absent';
}

export interface CallChanges {
  readonly call: CallKey;
  /** Calls that came later have a higher one. */
  readonly order: number;
  readonly files: readonly FileChange[];
}
