import type { JsonObject } from '../boundary/json.ts';
import type { ToolSchema } from '../boundary/tool-definition.ts';
import type { ChosenModel } from './chosen-model.ts';
import type { ModelCall, ModelMessage, ModelRequest } from './model-client.ts';
import { chatStateIn } from './openai-carried.ts';
import { userPartsOf, type UserPart } from './user-parts.ts';
import { wellFormed, wireArguments, wireName } from './wire-text.ts';

/** The body of a chat completion request. Field by field: what is not named here is never sent. */
export interface ChatBody {
  readonly model: string;
  readonly stream: true;
  readonly stream_options: { readonly include_usage: true };
  readonly reasoning_effort?: string;
  readonly tools?: readonly WireTool[];
  readonly parallel_tool_calls?: false;
  /** Last, so that the bytes before a new message stay the same: providers cache by prefix. */
  readonly messages: readonly WireMessage[];
}

interface WireTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: ToolSchema['parameters'] };
}

type WireMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly WirePart[] }
  | {
    readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly WireCall[];
    readonly reasoning_content?: string; readonly reasoning_details?: readonly JsonObject[];
  }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

type WirePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export function chatBodyOf(chosen: ChosenModel, request: ModelRequest): ChatBody {
  const { model, thinking, capabilities } = chosen;
  const tools = request.tools.map(wireTool);
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    // Only where the model is known to think: others refuse the field.
    ...(capabilities.thinking && thinking !== 'off' ? { reasoning_effort: thinking } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    // Several calls are the default, and many servers do not know the field.
    ...(tools.length > 0 && !capabilities.parallelCalls ? { parallel_tool_calls: false } : {}),
    messages: request.messages.map((message) => wireMessage(message, request, chosen)),
  };
}

function wireTool({ name, description, parameters }: ToolSchema): WireTool {
  return { type: 'function', function: { name, description, parameters } };
}

function wireMessage(message: ModelMessage, request: ModelRequest, { model, capabilities }: ChosenModel): WireMessage {
  switch (message.role) {
    case 'system': return { role: 'system', content: wellFormed(message.text) };
    case 'user': {
      const parts = userPartsOf(message, request, capabilities);
      // Text alone is a string: there are servers that take nothing else.
      if (parts.every((part) => part.type === 'text')) return { role: 'user', content: parts.map(({ text }) => text).join('\n\n') };
      return { role: 'user', content: parts.map(wirePart) };
    }
    case 'tool': return { role: 'tool', tool_call_id: wellFormed(message.callId), content: wellFormed(message.text) };
    case 'assistant': {
      const state = chatStateIn(message.carried ?? [], model);
      if (message.calls.length === 0) return { role: 'assistant', content: wellFormed(message.text), ...state };
      return { role: 'assistant', content: message.text === '' ? null : wellFormed(message.text), ...state, tool_calls: message.calls.map(wireCall) };
    }
  }
}

function wirePart(part: UserPart): WirePart {
  switch (part.type) {
    case 'text': return part;
    case 'image': return { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.base64}` } };
  }
}

function wireCall(call: ModelCall): WireCall {
  return { id: wellFormed(call.id), type: 'function', function: { name: wireName(call.name), arguments: wireArguments(call.arguments) } };
}
