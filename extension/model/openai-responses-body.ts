import type { ToolSchema } from '../boundary/tool-definition.ts';
import type { ChosenModel } from './chosen-model.ts';
import type { ModelCall, ModelMessage, ModelRequest } from './model-client.ts';
import { layoutIn, type OutputItem } from './openai-responses-layout.ts';
import { userPartsOf, type UserPart } from './user-parts.ts';
import { wellFormed, wireArguments, wireName } from './wire-text.ts';

/** The body of a request for a response. Field by field: what is not named here is never sent. */
export interface ResponsesBody {
  readonly model: string;
  readonly stream: true;
  /** Nothing of the conversation is kept at the provider; its reasoning comes to us encrypted, and goes back. */
  readonly store: false;
  readonly include?: readonly ['reasoning.encrypted_content'];
  readonly reasoning?: { readonly effort: string; readonly summary: 'auto' };
  readonly instructions?: string;
  readonly tools?: readonly WireTool[];
  readonly parallel_tool_calls?: false;
  /** Last, so that the bytes before a new message stay the same: providers cache by prefix. */
  readonly input: readonly InputItem[];
}

interface WireTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolSchema['parameters'];
  /** The strict form of OpenAI's refuses optional members; what a call holds is judged by us. */
  readonly strict: false;
}

type InputItem =
  | { readonly type: 'message'; readonly role: 'user' | 'developer'; readonly content: readonly InputPart[] }
  | { readonly type: 'message'; readonly role: 'assistant'; readonly content: string; readonly phase?: string }
  | { readonly type: 'reasoning'; readonly id: string; readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[]; readonly encrypted_content: string }
  | { readonly type: 'function_call'; readonly call_id: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'function_call_output'; readonly call_id: string; readonly output: string };

type InputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'auto' };

export function responsesBodyOf(chosen: ChosenModel, request: ModelRequest): ResponsesBody {
  const { model, thinking, capabilities } = chosen;
  const tools = request.tools.map(wireTool);
  const firstOther = request.messages.findIndex(({ role }) => role !== 'system');
  const instructions = request.messages.slice(0, firstOther < 0 ? undefined : firstOther).map((message) => wellFormed(message.text)).join('\n\n');
  return {
    model,
    stream: true,
    store: false,
    // Models that do not think refuse both.
    ...(capabilities.thinking && thinking !== 'off'
      ? { include: ['reasoning.encrypted_content'] as const, reasoning: { effort: thinking, summary: 'auto' as const } }
      : {}),
    ...(instructions === '' ? {} : { instructions }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 && !capabilities.parallelCalls ? { parallel_tool_calls: false as const } : {}),
    input: firstOther < 0 ? [] : request.messages.slice(firstOther).flatMap((message) => inputOf(message, request, chosen)),
  };
}

function wireTool({ name, description, parameters }: ToolSchema): WireTool {
  return { type: 'function', name, description, parameters, strict: false };
}

function inputOf(message: ModelMessage, request: ModelRequest, { model, capabilities }: ChosenModel): readonly InputItem[] {
  switch (message.role) {
    case 'system': return [{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: wellFormed(message.text) }] }];
    case 'user': return [{ type: 'message', role: 'user', content: userPartsOf(message, request, capabilities).map(inputPart) }];
    case 'tool': return [{ type: 'function_call_output', call_id: wellFormed(message.callId), output: wellFormed(message.text) }];
    case 'assistant': {
      const layout = layoutIn(message.carried ?? [], model, message.text, message.calls.length);
      return layout === null ? plainOutput(message.text, message.calls) : outputOf(layout, message.text, message.calls);
    }
  }
}

function plainOutput(text: string, calls: readonly ModelCall[]): readonly InputItem[] {
  return [...(text === '' ? [] : [{ type: 'message' as const, role: 'assistant' as const, content: wellFormed(text) }]), ...calls.map(callItem)];
}

function outputOf(layout: readonly OutputItem[], text: string, calls: readonly ModelCall[]): readonly InputItem[] {
  const left = [...calls];
  // Reasoning that led to nothing, because the answer was cut, is refused.
  const last = layout.findLastIndex((item) => item.type === 'call' || (item.type === 'message' && item.end > item.start));
  return layout.slice(0, last + 1).flatMap((item): readonly InputItem[] => {
    switch (item.type) {
      case 'reasoning': return [{ type: 'reasoning', id: item.id, summary: item.summary.map((part) => ({ type: 'summary_text', text: part })), encrypted_content: item.encrypted }];
      case 'call': return left.splice(0, 1).map(callItem);
      case 'message': {
        const content = wellFormed(text.slice(item.start, item.end));
        return content === '' ? [] : [{ type: 'message', role: 'assistant', content, ...(item.phase === '' ? {} : { phase: item.phase }) }];
      }
    }
  });
}

function callItem(call: ModelCall): InputItem {
  return { type: 'function_call', call_id: wellFormed(call.id), name: wireName(call.name), arguments: wireArguments(call.arguments) };
}

function inputPart(part: UserPart): InputPart {
  switch (part.type) {
    case 'text': return { type: 'input_text', text: part.text };
    case 'image': return { type: 'input_image', image_url: `data:${part.mediaType};base64,${part.base64}`, detail: 'auto' };
  }
}
