import { messageEventsOf } from './anthropic-events.ts';
import { checkMessagesRequest } from './anthropic-request.ts';
import { refusalBy } from './body-check.ts';
import { startServer, type ModelServer, type ModelServerOptions, type Script, type Wire } from './serving.ts';

/**
 * Anthropic's Messages API. It refuses what the real one refuses, a conversation whose thinking was changed or moved among it; so
 * a client that gets through a script wrote right requests.
 */
export const anthropicWire: Wire = {
  base: '/v1',
  isAnswerPath: (path) => path === '/messages',
  keyOf: (headers) => [headers['x-api-key']].flat()[0],
  wrongKey: { kind: 'error', status: 401, body: errorBody(401, 'invalid x-api-key') },
  modelList: (models) => ({
    data: models.map((id) => ({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' })), has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null,
  }),
  errorBody,
  refusalOf: ({ headers, body }) => refusalBy(() => checkMessagesRequest(headers, body), errorBody),
  eventsOf(answer, { body }) {
    const { model, system, tools, messages } = body as { model: string; system?: unknown; tools?: unknown; messages: readonly unknown[] };
    return messageEventsOf(answer, model, { system, tools, messages });
  },
  ping: 'event: ping\ndata: {"type": "ping"}\n\n',
};

/** A model server on 127.0.0.1 that speaks Anthropic's Messages API and does what its script says. */
export function startAnthropicServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  return startServer(anthropicWire, script, options);
}

function errorBody(status: number, message: string): object {
  return { type: 'error', error: { type: errorTypeOf(status), message }, request_id: 'req_script' };
}

function errorTypeOf(status: number): string {
  switch (status) {
    case 401: return 'authentication_error';
    case 402: return 'billing_error';
    case 403: return 'permission_error';
    case 404: return 'not_found_error';
    case 413: return 'request_too_large';
    case 429: return 'rate_limit_error';
    case 504: return 'timeout_error';
    case 529: return 'overloaded_error';
    default: return status < 500 ? 'invalid_request_error' : 'api_error';
  }
}
