import type { ToolSchema } from '../boundary/tool-definition.ts';
import { isFields, type Fields } from './json-fields.ts';
import type { ImageType, ModelCall, ModelCapabilities, ModelRequest } from './model-client.ts';
import { userPartsOf } from './user-parts.ts';
import { wellFormed, wireArguments, wireName } from './wire-text.ts';

/** A request as the editor's own models take it, in plain JSON. What is not named here is never handed over. */
export interface EditorBody {
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: ToolSchema['parameters'] }[];
  readonly messages: readonly EditorMessage[];
}

export type EditorMessage =
  | { readonly role: 'user'; readonly content: readonly (TextPart | ImagePart | ResultPart)[] }
  | { readonly role: 'assistant'; readonly content: readonly (TextPart | CallPart)[] };

interface TextPart {
  readonly type: 'text';
  readonly text: string;
}
interface ImagePart {
  readonly type: 'image';
  readonly mediaType: ImageType;
  readonly base64: string;
}
interface CallPart {
  readonly type: 'call';
  readonly callId: string;
  readonly name: string;
  readonly input: Fields;
}
interface ResultPart {
  readonly type: 'result';
  readonly callId: string;
  readonly text: string;
}

/**
 * There is no system role: the instructions are the first message of the user's, in a message of their own, so that the bytes before
 * the conversation stay the same. The results of a step stand together in one message of the user's.
 */
export function editorBodyOf(request: ModelRequest, capabilities: ModelCapabilities): EditorBody {
  const messages: EditorMessage[] = [];
  let results: ResultPart[] | null = null;
  for (const message of request.messages) {
    if (message.role === 'tool') {
      if (results === null) messages.push({ role: 'user', content: results = [] });
      results.push({ type: 'result', callId: wellFormed(message.callId), text: wellFormed(message.text) });
      continue;
    }
    results = null;
    switch (message.role) {
      case 'system':
        messages.push({ role: 'user', content: [textPart(message.text)] });
        break;
      case 'user':
        messages.push({ role: 'user', content: userPartsOf(message, request, capabilities) });
        break;
      case 'assistant': {
        const content = [...(message.text === '' ? [] : [textPart(message.text)]), ...message.calls.map(callPart)];
        // One without any content is refused by some providers.
        if (content.length > 0) messages.push({ role: 'assistant', content });
        break;
      }
    }
  }
  return { tools: request.tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })), messages };
}

function textPart(text: string): TextPart {
  return { type: 'text', text: wellFormed(text) };
}

function callPart({ id, name, arguments: text }: ModelCall): CallPart {
  const input: unknown = JSON.parse(wireArguments(text));
  return { type: 'call', callId: wellFormed(id), name: wireName(name), input: isFields(input) ? input : { not_an_object: wellFormed(text) } };
}
