import type { ToolSchema } from '../boundary/tool-definition.ts';
import type { ModelCall, ModelMessage, ModelRequest } from './model-client.ts';

/** The body of a chat completion request. Field by field: what is not named here is never sent. */
export interface ChatBody {
  readonly model: string;
  readonly stream: true;
  readonly stream_options: { readonly include_usage: true };
  readonly tools?: readonly WireTool[];
  /** Last, so that the bytes before a new message stay the same: providers cache by prefix. */
  readonly messages: readonly WireMessage[];
}

interface WireTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: ToolSchema['parameters'] };
}

type WireMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly WireCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export function chatBodyOf(model: string, request: ModelRequest): ChatBody {
  const tools = request.tools.map(wireTool);
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length > 0 ? { tools } : {}),
    messages: request.messages.map(wireMessage),
  };
}

function wireTool({ name, description, parameters }: ToolSchema): WireTool {
  return { type: 'function', function: { name, description, parameters } };
}

function wireMessage(message: ModelMessage): WireMessage {
  switch (message.role) {
    case 'system':
    case 'user': return { role: message.role, content: wellFormed(message.text) };
    case 'tool': return { role: 'tool', tool_call_id: wellFormed(message.callId), content: wellFormed(message.text) };
    case 'assistant':
      if (message.calls.length === 0) return { role: 'assistant', content: wellFormed(message.text) };
      return { role: 'assistant', content: message.text === '' ? null : wellFormed(message.text), tool_calls: message.calls.map(wireCall) };
  }
}

function wireCall(call: ModelCall): WireCall {
  return { id: wellFormed(call.id), type: 'function', function: { name: wellFormed(call.name), arguments: wireArguments(call.arguments) } };
}

/**
 * Many servers parse the arguments of past calls and refuse the whole conversation where one is no JSON, for ever after.
 * So a malformed text is quoted; the result that follows it says what was wrong.
 */
function wireArguments(text: string): string {
  if (text.trim() === '') return '{}';
  try {
    JSON.parse(text);
    return wellFormed(text);
  } catch {
    return JSON.stringify({ not_json: wellFormed(text) });
  }
}

/** A lone surrogate has no UTF-8, and servers refuse its escape. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
