import type { ModelFailure } from './model-client.ts';
import { failureOfStatus, type FailureContext } from './provider-failures.ts';
import type { ResponseWatch } from './response-watch.ts';

/** A response that streams, or why there is none. Rejects where no response came. */
export type Opened = { readonly response: Response } | { readonly failure: ModelFailure };

/** Sends a chat request: the headers that it needs and no others, and no redirect followed. */
export async function openChat(body: string, context: FailureContext, watch: ResponseWatch, controller: AbortController): Promise<Opened> {
  const response = await watch.fetch(`${context.url}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(context.key === undefined ? {} : { authorization: `Bearer ${context.key}` }),
    },
    body,
    signal: controller.signal,
    redirect: 'manual',
  }, () => controller.abort());
  if (response.ok) return { response };
  const { detail, code } = readErrorBody(await response.text());
  return { failure: failureOfStatus({ status: response.status, detail, code, header: (name) => response.headers.get(name) }, context) };
}

/** The server's own words and code, from `{ "error": { "message", "code" } }` or what servers send in its place. */
export function readErrorBody(text: string): { readonly detail: string; readonly code: string } {
  try {
    const body: unknown = JSON.parse(text);
    return readErrorObject(typeof body === 'object' && body !== null && 'error' in body ? body.error : body);
  } catch {
    // A page: its words, without its tags.
    return { detail: text.replace(/<(style|script)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' '), code: '' };
  }
}

export function readErrorObject(error: unknown): { readonly detail: string; readonly code: string } {
  if (typeof error === 'string') return { detail: error, code: '' };
  if (typeof error !== 'object' || error === null) return { detail: '', code: '' };
  const detail = 'message' in error ? textOf(error.message) : 'detail' in error ? textOf(error.detail) : '';
  return { detail, code: ('code' in error && textOf(error.code)) || ('type' in error && textOf(error.type)) || '' };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
