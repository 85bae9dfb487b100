import { createHash, type Hash } from 'node:crypto';
import type { ToolSchema } from '../boundary/tool-definition.ts';
import {
  blockOfResult, blocksOfAssistant, blocksOfUser, isThinking, textBlocks, type AssistantBlock, type TextBlock, type UserBlock,
} from './anthropic-blocks.ts';
import { layoutIn } from './anthropic-carried.ts';
import { thinkingFieldsOf, type ThinkingFields } from './anthropic-thinking.ts';
import type { ModelCapabilities, ModelRequest } from './model-client.ts';
import type { ThinkingEffort } from './profile.ts';

/** The body of a request to the Messages API. Field by field: what is not named here is never sent. */
export interface MessagesBody extends ThinkingFields {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream: true;
  readonly tool_choice?: { readonly type: 'auto'; readonly disable_parallel_tool_use: true };
  readonly system?: readonly Cached<TextBlock>[];
  readonly tools?: readonly Cached<WireTool>[];
  /** Last, so that the bytes before a new message stay the same: the API caches by prefix. */
  readonly messages: readonly CachedMessage[];
}

interface WireTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: ToolSchema['parameters'];
}

type WireMessage =
  | { readonly role: 'user'; readonly content: readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] };

/** With the mark after which the API keeps what it has read, for the next request. Four may be set. */
type Cached<T> = T & { readonly cache_control?: { readonly type: 'ephemeral' } };
type CachedMessage = { readonly role: WireMessage['role']; readonly content: readonly Cached<UserBlock | AssistantBlock>[] };

export interface BodyOptions {
  readonly model: string;
  readonly capabilities: ModelCapabilities;
  readonly thinking: ThinkingEffort;
}

/** A body, and the digest of all in it that stands before the answer: thinking is given back only while that is still the same. */
export interface BuiltBody {
  readonly body: MessagesBody;
  readonly before: string;
}

/**
 * Never throws. Two of a conversation's requests differ in what was appended and in the cache marks alone: these stand on the
 * last two messages of the user's side, so that a request finds what the one before it stored.
 */
export function messagesBodyOf(options: BodyOptions, request: ModelRequest): BuiltBody {
  const { model, capabilities } = options;
  const system = request.messages.flatMap((message) => (message.role === 'system' ? textBlocks(message.text) : []));
  const tools = request.tools.map(wireTool);
  const hash = createHash('sha256').update(JSON.stringify([system, tools]));
  const messages = wireMessages(options, request, hash);
  const fields = capabilities.thinking ? thinkingFieldsOf(model, options.thinking, capabilities.outputTokens) : {};
  const { thinking, output_config } = canThink(fields, messages) ? fields : {};
  const body: MessagesBody = {
    model,
    max_tokens: capabilities.outputTokens,
    stream: true,
    ...(thinking === undefined ? {} : { thinking }),
    ...(output_config === undefined ? {} : { output_config }),
    ...(capabilities.parallelCalls || tools.length === 0 ? {} : { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
    ...(system.length > 0 ? { system: withMark(system) } : {}),
    // The API reads the tools before the system text, so the mark there covers them.
    ...(tools.length > 0 ? { tools: system.length > 0 ? tools : withMark(tools) } : {}),
    messages: withMarks(messages),
  };
  return { body, before: digestOf(hash) };
}

function wireTool({ name, description, parameters }: ToolSchema): WireTool {
  return { name, description, input_schema: parameters };
}

/**
 * Roles take turns, and all results of a step stand first in the message right after it: what follows one another on one side
 * becomes one message. `hash` takes up each message once it is whole.
 */
function wireMessages({ model, capabilities }: BodyOptions, request: ModelRequest, hash: Hash): readonly WireMessage[] {
  const messages: WireMessage[] = [];
  let results: UserBlock[] = [];
  let said: UserBlock[] = [];
  let answered: AssistantBlock[] = [];

  const add = (message: WireMessage): void => {
    if (message.content.length === 0) return;
    messages.push(message);
    hash.update(`\n${JSON.stringify(message)}`);
  };
  const endUser = (): void => {
    add({ role: 'user', content: [...results, ...said] });
    results = [];
    said = [];
  };
  const endAssistant = (): void => {
    add({ role: 'assistant', content: answered });
    answered = [];
  };

  for (const message of request.messages) {
    switch (message.role) {
      case 'system': break;
      case 'user': {
        const blocks = blocksOfUser(message, request, capabilities);
        if (blocks.length > 0) endAssistant();
        said.push(...blocks);
        break;
      }
      case 'tool':
        endAssistant();
        results.push(blockOfResult(message));
        break;
      case 'assistant': {
        if (blocksOfAssistant(message, null).length === 0) break;
        endUser();
        const layout = layoutIn(message.carried, model);
        const isValid = layout !== null && answered.length === 0 && layout.before === digestOf(hash);
        answered.push(...blocksOfAssistant(message, isValid ? layout : null));
        break;
      }
    }
  }
  endAssistant();
  endUser();
  return messages;
}

/**
 * With a fixed budget, a turn that is under way must have begun with thinking. One that did not (another model began it, or its
 * thinking is no longer valid) goes on without. The models that decide themselves do not mind.
 */
function canThink({ thinking }: ThinkingFields, messages: readonly WireMessage[]): boolean {
  if (thinking?.type !== 'enabled') return true;
  const began = messages.findLastIndex(({ role, content }) => role === 'user' && content.every(({ type }) => type !== 'tool_result'));
  const first = messages[began + 1]?.content[0];
  return first === undefined || isThinking(first);
}

function withMarks(messages: readonly WireMessage[]): readonly CachedMessage[] {
  const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2);
  return messages.map(({ role, content }, index) => ({ role, content: users.includes(index) ? withMark<UserBlock | AssistantBlock>(content) : content }));
}

function withMark<T extends object>(blocks: readonly T[]): readonly Cached<T>[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block));
}

function digestOf(hash: Hash): string {
  return hash.copy().digest('hex');
}
