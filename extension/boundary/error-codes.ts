/** Every way a call can fail. Codes are added, never renamed: models, logs and people's scripts read them. */
export const errorCodes = [
  'INVALID_PROPOSAL', 'TOO_LARGE', 'DUPLICATE_ID', 'UNKNOWN_TOOL', 'INVALID_ARGS', 'INVALID_EFFECTS',
  'DENIED_BY_POLICY', 'DENIED_BY_PERSON', 'ASK_UNAVAILABLE', 'ASK_DISMISSED',
  'ABORTED_BEFORE_DISPATCH', 'ABORTED', 'TOOL_TIMEOUT', 'TOOL_FAILED', 'INVALID_TOOL_OUTPUT', 'CALLBACK_FAILED',
  'STALE_PERMIT', 'FS_NOT_OBSERVED', 'FS_STALE', 'FS_NOT_FOUND', 'FS_NOT_TEXT', 'FS_ENCODING', 'FS_REFUSED', 'FS_DIRTY',
  'EDIT_NOT_FOUND', 'EDIT_AMBIGUOUS', 'EDIT_INVALID', 'PATCH_INVALID',
  'SANDBOX_UNAVAILABLE', 'HOST_LOST', 'TOOL_NOT_STARTED', 'TOOL_OUTCOME_UNKNOWN', 'LOG_UNAVAILABLE',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One fault in a call's arguments or output, by JSON pointer. */
export interface Violation {
  readonly pointer: string;
  readonly expected: string;
  readonly got: string;
}

export interface CodedErrorDetails {
  readonly cause?: unknown;
  readonly violations?: readonly Violation[];
  /** What may be said where the message would quote a file that nobody has allowed to be read. */
  readonly quiet?: string;
}

/** An expected failure with a code and a message that says what to do next. */
export class CodedError extends Error {
  override readonly name: string = 'CodedError';
  readonly code: ErrorCode;
  readonly violations: readonly Violation[] | undefined;
  readonly quiet: string | undefined;

  constructor(code: ErrorCode, message: string, details: CodedErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.violations = details.violations;
    this.quiet = details.quiet;
  }
}

/** Arguments that do not satisfy a tool's `parameters`. */
export class ToolArgsError extends CodedError {
  override readonly name = 'ToolArgsError';
  constructor(message: string, violations: readonly Violation[] = [], cause?: unknown) {
    super('INVALID_ARGS', message, { violations, cause });
  }
}

/** A value that does not satisfy a tool's `output.schema`, or is not lossless JSON. */
export class ToolOutputError extends CodedError {
  override readonly name = 'ToolOutputError';
  constructor(message: string, violations: readonly Violation[] = [], cause?: unknown) {
    super('INVALID_TOOL_OUTPUT', message, { violations, cause });
  }
}
