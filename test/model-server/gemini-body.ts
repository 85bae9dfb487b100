import { imageIn, listIn, objectWith, Refused, textIn, toolName } from './body-check.ts';

type Part = Readonly<Record<string, unknown>>;

/** Throws `Refused` for what the real server refuses. */
export function checkGeminiBody(value: unknown, model: string): void {
  const body = objectWith(value, ['contents', 'systemInstruction?', 'tools?', 'generationConfig?'], 'body');
  if (body['tools'] !== undefined) for (const tool of listIn(body['tools'], 'tools')) checkDeclarations(tool);
  if (body['systemInstruction'] !== undefined) textIn(objectWith(listIn(objectWith(body['systemInstruction'], ['parts'], 'systemInstruction')['parts'], 'parts')[0], ['text'], 'parts')['text'], 'text');
  const contents = listIn(body['contents'], 'contents').map((entry, n) => {
    const { role, parts } = objectWith(entry, ['role', 'parts'], `contents[${n}]`);
    if (role !== 'user' && role !== 'model') throw new Refused('Please use a valid role: user, model.');
    return { role, parts: listIn(parts, `contents[${n}].parts`).map((part) => checkPart(part, `contents[${n}].parts`)) };
  });
  if (contents.at(-1)?.role !== 'user') throw new Refused('Please ensure that single turn requests end with a user role.');
  // Only from the last message of the person's on.
  const turn = contents.findLastIndex(({ role, parts }) => role === 'user' && !parts.some((part) => 'functionResponse' in part));
  for (const [n, { role, parts }] of contents.entries()) {
    const calls = parts.filter((part) => 'functionCall' in part);
    const before = contents[n - 1]?.parts.filter((part) => 'functionCall' in part) ?? [];
    const responses = parts.filter((part) => 'functionResponse' in part);
    if (responses.length !== before.length) throw new Refused('Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.');
    responses.forEach((response, k) => checkPair(before[k], response));
    if (role === 'model' && calls.length > 0 && n === 0) throw new Refused('Please ensure that function call turn comes immediately after a user turn or after a function response turn.');
    if (calls[0] !== undefined && n > turn && /gemini-3/.test(model)) {
      const signature = calls[0]['thoughtSignature'];
      if (signature === undefined) throw new Refused('Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.');
      if (signature !== 'skip_thought_signature_validator' && !textIn(signature, 'thoughtSignature').startsWith('c2lnbmVk')) throw new Refused('Thought signature is not valid.');
    }
  }
}

function checkDeclarations(tool: unknown): void {
  for (const entry of listIn(objectWith(tool, ['functionDeclarations'], 'tools')['functionDeclarations'], 'functionDeclarations')) {
    const { name } = objectWith(entry, ['name', 'description', 'parametersJsonSchema'], 'functionDeclarations');
    if (/^[\d-]/.test(toolName(name, 'name'))) throw new Refused('Invalid function name. Must start with a letter or an underscore.');
  }
}

function checkPart(value: unknown, at: string): Part {
  const part = objectWith(value, ['text?', 'inlineData?', 'functionCall?', 'functionResponse?', 'thoughtSignature?'], at);
  const kinds = Object.keys(part).filter((key) => key !== 'thoughtSignature');
  if (kinds.length !== 1) throw new Refused(`Invalid value at '${at}': oneof field 'data' must be set once.`);
  if ('text' in part && textIn(part['text'], at) === '' && !('thoughtSignature' in part)) throw new Refused('Unable to submit request because it must have a text parameter.');
  if ('inlineData' in part) {
    const { mimeType, data } = objectWith(part['inlineData'], ['mimeType', 'data'], at);
    if (mimeType === 'image/gif') throw new Refused('Unsupported MIME type: image/gif');
    imageIn(data, at);
  }
  if ('functionCall' in part) {
    const { name, args } = objectWith(part['functionCall'], ['id?', 'name', 'args'], at);
    toolName(name, at);
    if (typeof args !== 'object' || args === null || Array.isArray(args)) throw new Refused(`Invalid value at '${at}.args'.`);
  }
  if ('functionResponse' in part) textIn(objectWith(objectWith(part['functionResponse'], ['id?', 'name', 'response'], at)['response'], ['output'], at)['output'], at);
  return part;
}

function checkPair(call: Part | undefined, response: Part): void {
  const { id, name } = (call?.['functionCall'] ?? {}) as { id?: string; name?: string };
  const back = response['functionResponse'] as { id?: string; name?: string };
  if (id !== back.id || name !== back.name) throw new Refused(`Function response ${String(back.id)} ${String(back.name)} answers no function call.`);
}
