import { refusalBy } from './body-check.ts';
import { checkGeminiBody } from './gemini-body.ts';
import { geminiChunks } from './gemini-chunks.ts';
import { startServer, type ModelServer, type ModelServerOptions, type Script, type Wire } from './serving.ts';

const statuses: Readonly<Record<number, string>> = { 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED', 500: 'INTERNAL', 503: 'UNAVAILABLE' };

function errorBody(status: number, message: string): object {
  return { error: { code: status, message, status: statuses[status] ?? 'UNKNOWN' } };
}

/** Gemini's own API. */
export const geminiWire: Wire = {
  base: '/v1beta',
  isAnswerPath: (path) => /^\/models\/[^/:?]+:streamGenerateContent\?alt=sse$/.test(path),
  keyOf: (headers) => [headers['x-goog-api-key']].flat()[0],
  wrongKey: { kind: 'error', status: 400, body: errorBody(400, 'API key not valid. Please pass a valid API key.') },
  modelList: (models) => ({ models: models.map((id) => ({ name: `models/${id}`, displayName: id, supportedGenerationMethods: ['generateContent', 'countTokens'] })) }),
  errorBody,
  refusalOf: ({ body, path }) => refusalBy(() => checkGeminiBody(body, modelIn(path)), errorBody),
  *eventsOf(answer, { path }) {
    for (const chunk of geminiChunks(answer, modelIn(path))) yield `data: ${JSON.stringify(chunk)}\r\n\r\n`;
  },
  ping: ': ping\r\n\r\n',
};

function modelIn(path: string): string {
  return decodeURIComponent(/\/models\/([^:]+):/.exec(path)?.[1] ?? '');
}

/** A model server on 127.0.0.1 that speaks Gemini's API and does what its script says. */
export function startGeminiServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  return startServer(geminiWire, script, options);
}
