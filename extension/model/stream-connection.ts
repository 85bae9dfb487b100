import { readErrorBody } from './error-body.ts';
import type { ModelFailure } from './model-client.ts';
import { failureOfStatus, type FailureContext } from './provider-failures.ts';
import type { ResponseWatch } from './response-watch.ts';

/** A response that streams, or why there is none. Rejects where no response came. */
export type Opened = { readonly response: Response } | { readonly failure: ModelFailure };

export interface StreamRequest {
  readonly url: string;
  /** Beside those that every request has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request: the headers that it needs and no others, and no redirect followed. */
export async function openStream(request: StreamRequest, context: FailureContext, watch: ResponseWatch, controller: AbortController): Promise<Opened> {
  const response = await watch.fetch(request.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...request.headers },
    body: request.body,
    signal: controller.signal,
    redirect: 'manual',
  }, () => controller.abort());
  if (response.ok) return { response };
  const said = readErrorBody(await response.text());
  return { failure: failureOfStatus({ ...said, status: response.status, header: (name) => response.headers.get(name) }, context) };
}
