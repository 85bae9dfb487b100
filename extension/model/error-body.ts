import { isFields } from './json-fields.ts';

/** What a server says of its refusal, as far as it says it. */
export interface ServerError {
  /** The server's own words; empty where it had none. */
  readonly detail: string;
  /** Its name for the error; empty where it had none. */
  readonly code: string;
  /** An HTTP status that stands in the error object itself. */
  readonly status?: number;
  /** How long it asks to wait, where that stands in the error object itself. */
  readonly waitMs?: number;
}

/** The server's own words and code, from `{ "error": { "message", "code" } }` or what servers send in its place. */
export function readErrorBody(text: string): ServerError {
  try {
    const parsed: unknown = JSON.parse(text);
    const body: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
    return readErrorObject(isFields(body) && 'error' in body ? body['error'] : body);
  } catch {
    // A page: its words, without its tags. Neither pattern goes on past where it could begin again: a page of `<` alone would take minutes.
    return { detail: text.replace(/<(style|script)(?:(?!<\1)[\s\S])*?<\/\1>/gi, ' ').replace(/<[^<>]*>/g, ' '), code: '' };
  }
}

/** The error object in one data line of a stream, or null where the line is none. */
export function readErrorLine(name: string, value: unknown): ServerError | null {
  if (isFields(value) && Boolean(value['error'])) return readErrorObject(value['error']);
  return name === 'error' ? readErrorObject(value) : null;
}

export function readErrorObject(error: unknown): ServerError {
  if (typeof error === 'string') return { detail: error, code: '' };
  if (!isFields(error)) return { detail: '', code: '' };
  const detail = textOf(error['message']) || textOf(error['detail']);
  const names = [error['code'], error['type'], error['status']];
  const status = names.map(Number).find((number) => Number.isInteger(number) && number >= 400 && number <= 599);
  // Some servers repeat the status as the code, and name the error under `type` or `status`.
  const code = names.find((name): name is string => typeof name === 'string' && name !== '' && Number.isNaN(Number(name))) ?? '';
  const waitMs = waitIn(error['details']);
  return { detail, code, ...(status === undefined ? {} : { status }), ...(waitMs === undefined ? {} : { waitMs }) };
}

/** Google's `RetryInfo`: `{ "retryDelay": "34s" }` among the details. */
function waitIn(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const entry of details) {
    const seconds = isFields(entry) ? /^(\d+(?:\.\d+)?)s$/.exec(textOf(entry['retryDelay']))?.[1] : undefined;
    if (seconds !== undefined) return Math.round(Number(seconds) * 1000);
  }
  return undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
