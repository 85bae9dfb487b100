import { imageIn, listIn, objectWith, Refused, textIn, toolName } from './body-check.ts';
import { encryptedOf } from './responses-events.ts';

/** Throws `Refused` for what the real server refuses. */
export function checkResponsesBody(value: unknown): void {
  const body = objectWith(value, ['model', 'stream', 'store', 'input', 'include?', 'reasoning?', 'instructions?', 'tools?', 'parallel_tool_calls?'], 'body');
  textIn(body['model'], 'model');
  if (body['stream'] !== true) throw new Refused('This server only streams.');
  if (body['store'] !== false) throw new Refused('This server stores nothing.');
  if (body['tools'] !== undefined) for (const tool of listIn(body['tools'], 'tools')) toolName(objectWith(tool, ['type', 'name', 'description', 'parameters', 'strict'], 'tools')['name'], 'tools.name');
  const called = new Set<string>();
  const answered = new Set<string>();
  const input = listIn(body['input'], 'input');
  for (const [n, item] of input.entries()) checkItem(item, `input[${n}]`, input[n + 1], called, answered);
  for (const id of called) if (!answered.has(id)) throw new Refused(`No tool output found for function call ${id}.`);
}

function checkItem(value: unknown, at: string, next: unknown, called: Set<string>, answered: Set<string>): void {
  const { type } = value as { type?: unknown };
  switch (type) {
    case 'message': {
      const { role, content } = objectWith(value, ['type', 'role', 'content', 'phase?'], at);
      if (role === 'assistant') textIn(content, `${at}.content`);
      else for (const part of listIn(content, `${at}.content`)) checkPart(part, `${at}.content`);
      return;
    }
    case 'function_call': {
      const call = objectWith(value, ['type', 'call_id', 'name', 'arguments'], at);
      toolName(call['name'], `${at}.name`);
      JSON.parse(textIn(call['arguments'], `${at}.arguments`));
      called.add(textIn(call['call_id'], `${at}.call_id`));
      return;
    }
    case 'function_call_output': {
      const output = objectWith(value, ['type', 'call_id', 'output'], at);
      const id = textIn(output['call_id'], `${at}.call_id`);
      if (!called.has(id)) throw new Refused(`No tool call found for function call output with call_id ${id}.`);
      answered.add(id);
      textIn(output['output'], `${at}.output`);
      return;
    }
    case 'reasoning': {
      const item = objectWith(value, ['type', 'id', 'summary', 'encrypted_content'], at);
      const id = textIn(item['id'], `${at}.id`);
      if (item['encrypted_content'] !== encryptedOf(id)) throw new Refused('The encrypted content could not be verified.');
      const after = next as { type?: unknown; role?: unknown } | undefined;
      const isItsOwn = after?.type === 'function_call' || after?.type === 'reasoning' || (after?.type === 'message' && after.role === 'assistant');
      if (!isItsOwn) throw new Refused(`Item '${id}' of type 'reasoning' was provided without its required following item.`);
      return;
    }
    default: throw new Refused(`Invalid value: '${String(type)}'. Supported values are: 'message', 'function_call', 'function_call_output' and 'reasoning'.`);
  }
}

function checkPart(value: unknown, at: string): void {
  const part = objectWith(value, ['type', 'text?', 'image_url?', 'detail?'], at);
  if (part['type'] === 'input_text') textIn(part['text'], at);
  else if (part['type'] === 'input_image') imageIn(part['image_url'], at);
  else throw new Refused(`Invalid value: '${String(part['type'])}' at ${at}.`);
}
