import { CodedError, type ErrorCode } from '../boundary/error-codes.ts';
import type { CallResult, ResultError } from '../boundary/result.ts';

/** A failure as a result that the model reads and can correct. Anything at all may have been thrown. */
export function errorResult(thrown: unknown, fallback: ErrorCode = 'TOOL_FAILED'): CallResult {
  const error = resultError(thrown, fallback);
  return { isError: true, content: [{ type: 'text', text: narrate(error) }], error };
}

function resultError(thrown: unknown, fallback: ErrorCode): ResultError {
  if (thrown instanceof CodedError) {
    const violations = thrown.violations !== undefined && thrown.violations.length > 0 ? { violations: thrown.violations } : {};
    return { code: thrown.code, message: thrown.message, ...violations };
  }
  return { code: fallback, message: messageOf(thrown) };
}

/** A usable message of whatever was thrown: a string, nothing, an object whose getters throw. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error && thrown.message !== '') return thrown.message;
    if (typeof thrown === 'string' && thrown !== '') return thrown;
    if (thrown === null || thrown === undefined) return 'It failed without saying why.';
    if (typeof thrown === 'object' && 'message' in thrown && typeof thrown.message === 'string') return thrown.message;
    const text = JSON.stringify(thrown);
    return text === undefined || text === '{}' ? 'It failed without saying why.' : `It failed: ${text.slice(0, 1000)}`;
  } catch {
    return 'It failed without saying why.';
  }
}

function narrate(error: ResultError): string {
  const violations = (error.violations ?? []).map(({ pointer, expected, got }) => `- ${pointer === '' ? '(the arguments)' : pointer}: expected ${expected}; got ${got}`);
  return [`${error.code}: ${error.message}`, ...violations].join('\n');
}
