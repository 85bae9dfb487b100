import type { CallKey } from '../boundary/call.ts';
import { CodedError, ToolOutputError } from '../boundary/error-codes.ts';
import type { Json } from '../boundary/json.ts';
import type { RegisteredTool } from '../boundary/registry.ts';
import type { CallResult, ResultError, TextContent } from '../boundary/result.ts';
import { deepFreeze, snapshotJson } from '../boundary/snapshot.ts';
import type { KeptResults } from '../files/kept-results.ts';
import { cutNarration } from './cut-narration.ts';
import { errorResult, messageOf } from './error-result.ts';

/** What a content callback or a renderer did wrong, and whether the tool's body had succeeded before it. */
class CallbackError extends CodedError {
  readonly callback: string;
  constructor(callback: string, what: string, cause?: unknown) {
    super('CALLBACK_FAILED', `The tool's ${callback} ${what}.`, { cause });
    this.callback = callback;
  }
}

/** The canonical value becomes a narration: schema, render, projectContent. The value itself goes nowhere. */
export function narrate(tool: RegisteredTool, args: Json, given: unknown): CallResult {
  const snapshot = snapshotJson(given);
  if (!snapshot.ok) throw new ToolOutputError(`The tool ran, but its value is not lossless JSON: ${snapshot.lossy.fault} at ${JSON.stringify(snapshot.lossy.pointer)}.`);
  const violations = tool.validateOutput(snapshot.value);
  if (violations.length > 0) throw new ToolOutputError('The tool ran, but its value does not satisfy its output schema.', violations);
  const { output, projectContent } = tool.definition;
  const rendered = contentOf('render', () => output.render(args, snapshot.value));
  const content = projectContent === undefined ? rendered : contentOf('projectContent', () => projectContent(rendered));
  if (output.presentationMeta === undefined) return { isError: false, content, error: null };
  const { presentationMeta } = output;
  return { isError: false, content, error: null, meta: plain('presentationMeta', () => presentationMeta(args, snapshot.value)) };
}

/** What finishing a result needs besides: whose it is, and where a narration is kept that is too long. */
export interface Finishing {
  readonly call: CallKey;
  readonly kept: KeptResults;
  readonly redact: (text: string) => string;
  readonly bodySucceeded: boolean;
}

/** Redaction and the cap, then `finalizeContent`, then the freeze: last for every outcome that has a definition. */
export function finalise(tool: RegisteredTool | null, result: CallResult, { call, kept, redact, bodySucceeded }: Finishing): CallResult {
  const capped = cutNarration(result.content.map(({ type, text }) => ({ type, text: redact(text).toWellFormed() })), call, kept);
  const error = result.error === null ? null : redacted(result.error, redact);
  const finalizeContent = tool?.definition.finalizeContent;
  if (finalizeContent === undefined) return deepFreeze({ ...result, error, content: capped });
  try {
    return deepFreeze({ ...result, error, content: contentOf('finalizeContent', () => finalizeContent(capped)) });
  } catch (thrown) {
    return deepFreeze(callbackFailure(thrown, bodySucceeded));
  }
}

function redacted(error: ResultError, redact: (text: string) => string): ResultError {
  const message = redact(error.message);
  if (error.violations === undefined) return { ...error, message };
  return { ...error, message, violations: error.violations.map(({ pointer, expected, got }) => ({ pointer: redact(pointer), expected: redact(expected), got: redact(got) })) };
}

/** An error result of whatever normalising threw; that the body had succeeded is not lost. */
export function callbackFailure(thrown: unknown, bodySucceeded: boolean): CallResult {
  const result = errorResult(thrown);
  if (!(thrown instanceof CallbackError) || result.error === null) return result;
  return { ...result, error: { ...result.error, callback: thrown.callback, bodySucceeded } };
}

function contentOf(callback: string, call: () => unknown): readonly TextContent[] {
  const content = plain(callback, call);
  if (!Array.isArray(content) || !content.every(isText)) throw new CallbackError(callback, 'returned what is not content');
  return content;
}

function plain(callback: string, call: () => unknown): Json {
  let value: unknown;
  try {
    value = call();
  } catch (cause) {
    throw new CallbackError(callback, `failed: ${messageOf(cause)}`, cause);
  }
  if (value instanceof Promise) {
    value.catch(() => undefined);
    throw new CallbackError(callback, 'returned a Promise; it must be synchronous');
  }
  const snapshot = snapshotJson(value);
  if (!snapshot.ok) throw new CallbackError(callback, `returned what is not lossless JSON: ${snapshot.lossy.fault}`);
  return snapshot.value;
}

function isText(item: unknown): item is TextContent {
  return typeof item === 'object' && item !== null && 'type' in item && item.type === 'text' && 'text' in item && typeof item.text === 'string';
}
