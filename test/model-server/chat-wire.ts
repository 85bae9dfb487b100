import { imageIn, listIn, objectWith, Refused, refusalBy, textIn, toolName } from './body-check.ts';
import { dataLinesOf } from './chunks.ts';
import type { Wire } from './serving.ts';

/** OpenAI's chat completions. */
export const chatWire: Wire = {
  base: '/v1',
  isAnswerPath: (path) => path === '/chat/completions',
  keyOf: (headers) => headers.authorization?.replace(/^Bearer /, ''),
  wrongKey: { kind: 'error', status: 401, body: { error: { message: 'Incorrect API key provided.', type: 'invalid_request_error', param: null, code: 'invalid_api_key' } } },
  modelList: openAIModelList,
  errorBody: openAIErrorBody,
  refusalOf: ({ body }) => refusalBy(() => checkBody(body), openAIErrorBody),
  *eventsOf(answer, { body }) {
    const { model = 'scripted', stream_options: options } = body as { model?: string; stream_options?: { include_usage?: boolean } };
    for (const line of dataLinesOf(answer, { id: 'chatcmpl-script', model, includeUsage: options?.include_usage === true })) yield `data: ${line}\n\n`;
  },
  ping: ': ping\n\n',
};

export function openAIModelList(models: readonly string[]): object {
  return { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 1_760_000_000, owned_by: 'script' })) };
}

export function openAIErrorBody(status: number, message: string): object {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  return { error: { message, type, param: null, code: null } };
}

function checkBody(value: unknown): void {
  const body = objectWith(value, ['model', 'stream', 'messages', 'stream_options?', 'tools?', 'parallel_tool_calls?', 'reasoning_effort?'], 'body');
  textIn(body['model'], 'model');
  if (body['stream'] !== true) throw new Refused('This server only streams.');
  if (body['tools'] === undefined && body['parallel_tool_calls'] !== undefined) throw new Refused("'parallel_tool_calls' is only allowed when 'tools' are specified.");
  if (body['tools'] !== undefined) for (const tool of listIn(body['tools'], 'tools')) toolName(objectWith(objectWith(tool, ['type', 'function'], 'tool')['function'], ['name', 'description', 'parameters'], 'function')['name'], 'name');
  let open = new Set<string>();
  for (const [n, entry] of listIn(body['messages'], 'messages').entries()) {
    const message = objectWith(entry, ['role', 'content?', 'tool_calls?', 'tool_call_id?', 'reasoning_content?', 'reasoning_details?'], `messages[${n}]`);
    if (message['role'] === 'tool') {
      if (!open.delete(textIn(message['tool_call_id'], 'tool_call_id'))) throw new Refused("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.");
      textIn(message['content'], 'content');
      continue;
    }
    if (open.size > 0) throw new Refused(`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`);
    if (message['tool_calls'] !== undefined) open = new Set(listIn(message['tool_calls'], 'tool_calls').map(callId));
    else if (Array.isArray(message['content'])) message['content'].forEach(checkPart);
    else textIn(message['content'], `messages[${n}].content`);
  }
  if (open.size > 0) throw new Refused(`The following tool_call_ids did not have response messages: ${[...open].join(', ')}`);
}

function callId(value: unknown): string {
  const call = objectWith(value, ['id', 'type', 'function'], 'tool_call');
  const { name, arguments: args } = objectWith(call['function'], ['name', 'arguments'], 'function');
  toolName(name, 'name');
  JSON.parse(textIn(args, 'arguments'));
  return textIn(call['id'], 'id');
}

function checkPart(value: unknown): void {
  const part = objectWith(value, ['type', 'text?', 'image_url?'], 'content');
  if (part['type'] === 'text') textIn(part['text'], 'text');
  else imageIn(objectWith(part['image_url'], ['url'], 'image_url')['url'], 'image_url');
}
