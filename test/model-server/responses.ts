import { openAIErrorBody, openAIModelList } from './chat-wire.ts';
import { responseEvents } from './responses-events.ts';
import { checkResponsesBody } from './responses-body.ts';
import { refusalBy } from './body-check.ts';
import { startServer, type ModelServer, type ModelServerOptions, type Script, type Wire } from './serving.ts';

/** OpenAI's Responses. */
export const responsesWire: Wire = {
  base: '/v1',
  isAnswerPath: (path) => path === '/responses',
  keyOf: (headers) => headers.authorization?.replace(/^Bearer /, ''),
  wrongKey: { kind: 'error', status: 401, body: { error: { message: 'Incorrect API key provided.', type: 'invalid_request_error', param: null, code: 'invalid_api_key' } } },
  modelList: openAIModelList,
  errorBody: openAIErrorBody,
  refusalOf: ({ body }) => refusalBy(() => checkResponsesBody(body), openAIErrorBody),
  *eventsOf(answer, { body }) {
    for (const event of responseEvents(answer, body as { model: string; include?: readonly string[] })) yield `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  },
  ping: ': ping\n\n',
};

/** A model server on 127.0.0.1 that speaks OpenAI's Responses and does what its script says. */
export function startResponsesServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  return startServer(responsesWire, script, options);
}
