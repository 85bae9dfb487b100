import type { ErrorCode, Violation } from './error-codes.ts';
import type { Json } from './json.ts';

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

export interface ResultError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly violations?: readonly Violation[];
  /** For CALLBACK_FAILED: which callback, and whether the tool's body had succeeded before it. */
  readonly callback?: string;
  readonly bodySucceeded?: boolean;
}

/** What became of one call: the narration that the model reads, and the error if there was one. Deep-frozen. */
export interface CallResult {
  readonly isError: boolean;
  readonly content: readonly TextContent[];
  readonly error: ResultError | null;
  /** For the card only; never sent to a model. */
  readonly meta?: Json;
}
