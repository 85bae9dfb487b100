import { CodedError, type ErrorCode, type Violation } from '../boundary/error-codes.ts';
import type { CallResult, ResultError } from '../boundary/result.ts';

/** A failure as a result that the model reads and can correct. Anything at all may have been thrown. */
export function errorResult(thrown: unknown, fallback: ErrorCode = 'TOOL_FAILED'): CallResult {
  const error = resultError(thrown, fallback);
  return { isError: true, content: [{ type: 'text', text: `${error.code}: ${error.message}` }], error };
}

function resultError(thrown: unknown, fallback: ErrorCode): ResultError {
  if (thrown instanceof CodedError) {
    const violations = (thrown.violations ?? []).map(wellFormed);
    const message = [thrown.message.toWellFormed(), ...violations.map(inWords)].join('\n');
    return violations.length === 0 ? { code: thrown.code, message } : { code: thrown.code, message, violations };
  }
  return { code: fallback, message: messageOf(thrown) };
}

const silent = 'It failed without saying why.';

/** A usable message of whatever was thrown: a string, nothing, an object whose getters throw. Well-formed, so that it can be logged. */
export function messageOf(thrown: unknown): string {
  try {
    return (spokenBy(thrown) || silent).toWellFormed();
  } catch {
    return silent;
  }
}

function spokenBy(thrown: unknown): string {
  switch (typeof thrown) {
    case 'string':
      return thrown;
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'symbol':
      return `It failed: ${String(thrown)}`;
    case 'object':
      return thrown === null ? '' : spokenByObject(thrown);
    default:
      return '';
  }
}

function spokenByObject(thrown: object): string {
  const message = textOf(thrown, 'message');
  if (message === '') return thrown instanceof Error || JSON.stringify(thrown) === '{}' ? '' : `It failed: ${JSON.stringify(thrown).slice(0, 1000)}`;
  // Another's code is not one of ours, yet it may be what a reader knows the failure by.
  const code = thrown instanceof CodedError ? '' : textOf(thrown, 'code');
  return code === '' || message.includes(code) ? message : `${textOf(thrown, 'name') || 'Error'} (${code}): ${message}`;
}

function textOf(thrown: object, field: string): string {
  const value: unknown = Reflect.get(thrown, field);
  return typeof value === 'string' ? value : '';
}

function wellFormed({ pointer, expected, got }: Violation): Violation {
  return { pointer: pointer.toWellFormed(), expected: expected.toWellFormed(), got: got.toWellFormed() };
}

/** What was thrown as an error: also where it was none, or an object that cannot even be asked what it is. */
export function tamed(thrown: unknown): Error {
  try {
    return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
  } catch {
    return new Error(silent);
  }
}

function inWords({ pointer, expected, got }: Violation): string {
  return `- ${pointer === '' ? '(the arguments)' : pointer}: expected ${expected}; got ${got}`;
}
