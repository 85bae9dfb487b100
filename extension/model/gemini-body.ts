import type { ToolSchema } from '../boundary/tool-definition.ts';
import type { ChosenModel } from './chosen-model.ts';
import { stateIn } from './gemini-carried.ts';
import { thinkingConfigOf, wantsSignatures, type ThinkingConfig } from './gemini-models.ts';
import { isFields } from './json-fields.ts';
import type { ImageType, ModelMessage, ModelRequest } from './model-client.ts';
import { userPartsOf, type UserPart } from './user-parts.ts';
import { wellFormed, wireName } from './wire-text.ts';

/** The body of a request to Gemini. Field by field: what is not named here is never sent. */
export interface GeminiBody {
  readonly systemInstruction?: { readonly parts: readonly [{ readonly text: string }] };
  readonly tools?: readonly [{ readonly functionDeclarations: readonly Declaration[] }];
  readonly generationConfig?: { readonly thinkingConfig: ThinkingConfig };
  /** Last, so that the bytes before a new message stay the same: providers cache by prefix. */
  readonly contents: readonly Content[];
}

interface Declaration {
  readonly name: string;
  readonly description: string;
  /** As JSON Schema: the field `parameters` takes a dialect alone that refuses `additionalProperties`, `const`, `$ref` and lists of types. */
  readonly parametersJsonSchema: ToolSchema['parameters'];
}

interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly Part[];
}

type Part =
  | { readonly text: string; readonly thoughtSignature?: string }
  | { readonly inlineData: { readonly mimeType: string; readonly data: string } }
  | { readonly functionCall: { readonly id?: string; readonly name: string; readonly args: object }; readonly thoughtSignature?: string }
  | { readonly functionResponse: { readonly id?: string; readonly name: string; readonly response: { readonly output: string } } };

/** A signature that stands for none, as the provider documents it for calls that another model made. */
const noSignature = 'skip_thought_signature_validator';
const takes: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/webp'];

export function geminiBodyOf(chosen: ChosenModel, request: ModelRequest): GeminiBody {
  const firstOther = request.messages.findIndex(({ role }) => role !== 'system');
  const system = request.messages.slice(0, firstOther < 0 ? undefined : firstOther).map(({ text }) => wellFormed(text)).join('\n\n');
  const declarations = request.tools.map(({ name, description, parameters }): Declaration => ({ name, description, parametersJsonSchema: parameters }));
  const thinkingConfig = thinkingConfigOf(chosen);
  return {
    ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] as const } }),
    ...(declarations.length > 0 ? { tools: [{ functionDeclarations: declarations }] as const } : {}),
    ...(thinkingConfig === null ? {} : { generationConfig: { thinkingConfig } }),
    contents: firstOther < 0 ? [] : contentsOf(request.messages.slice(firstOther), request, chosen),
  };
}

interface Called {
  readonly name: string;
  /** As Gemini gave it; empty where it gave none. */
  readonly id: string;
}

function contentsOf(messages: readonly ModelMessage[], request: ModelRequest, chosen: ChosenModel): readonly Content[] {
  const contents: Content[] = [];
  const called = new Map<string, Called>();
  let responses: Part[] | null = null;
  for (const message of messages) {
    if (message.role === 'tool') {
      // All results of a step stand together: their number must be that of its calls.
      if (responses === null) contents.push({ role: 'user', parts: responses = [] });
      responses.push(responsePart(message.text, called.get(message.callId)));
      continue;
    }
    responses = null;
    if (message.role === 'assistant') {
      const state = stateIn(message.carried ?? [], chosen.model);
      for (const [n, call] of message.calls.entries()) called.set(call.id, { name: call.name, id: state.calls[n]?.id ?? '' });
      const parts = modelParts(message, chosen.model);
      // An answer of nothing has no parts, and Gemini takes no content without one.
      if (parts.length > 0) contents.push({ role: 'model', parts });
    } else {
      const parts: readonly UserPart[] = message.role === 'user'
        ? userPartsOf(message, request, chosen.capabilities, takes) : [{ type: 'text', text: wellFormed(message.text) }];
      contents.push({ role: 'user', parts: parts.map(userPart) });
    }
  }
  return contents;
}

function modelParts({ text, calls, carried = [] }: Extract<ModelMessage, { role: 'assistant' }>, model: string): readonly Part[] {
  const state = stateIn(carried, model);
  const parts: Part[] = [];
  const plain = state.text === '' ? text : text.slice(0, state.textStart);
  if (plain !== '') parts.push({ text: wellFormed(plain) });
  if (state.text !== '') parts.push({ text: wellFormed(text.slice(state.textStart)), thoughtSignature: state.text });
  for (const [n, call] of calls.entries()) {
    const own = state.calls[n];
    // Of several calls the first alone is signed.
    const signature = own?.signature || (n === 0 && wantsSignatures(model) ? noSignature : '');
    parts.push({ functionCall: { ...identified(own?.id ?? ''), name: wireName(call.name), args: argumentsOf(call.arguments) }, ...signed(signature) });
  }
  return parts;
}

function responsePart(text: string, call: Called | undefined): Part {
  return { functionResponse: { ...identified(call?.id ?? ''), name: wireName(call?.name ?? ''), response: { output: wellFormed(text) } } };
}

function userPart(part: UserPart): Part {
  switch (part.type) {
    case 'text': return { text: part.text };
    case 'image': return { inlineData: { mimeType: part.mediaType, data: part.base64 } };
  }
}

/** Gemini takes an object alone; what is none is quoted, and the result that follows it says what was wrong. */
function argumentsOf(text: string): object {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(wellFormed(text));
    // What is nested too deeply can be read and not be written.
    if (isFields(value) && JSON.stringify(value) !== '') return value;
  } catch {
    // Quoted below.
  }
  return { not_json: wellFormed(text) };
}

function signed(signature: string): { readonly thoughtSignature?: string } {
  return signature === '' ? {} : { thoughtSignature: signature };
}

function identified(id: string): { readonly id?: string } {
  return id === '' ? {} : { id };
}
