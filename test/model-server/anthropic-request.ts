import type { IncomingHttpHeaders } from 'node:http';
import { signatureOf } from './anthropic-events.ts';
import { imageIn, Refused } from './body-check.ts';

type Fields = Readonly<Record<string, unknown>>;

const topFields = ['model', 'max_tokens', 'stream', 'system', 'messages', 'tools', 'tool_choice', 'thinking', 'output_config'];
const markable = ['cache_control'];
const blockFields: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', ...markable],
  image: ['type', 'source', ...markable],
  tool_use: ['type', 'id', 'name', 'input', ...markable],
  tool_result: ['type', 'tool_use_id', 'content', ...markable],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
};

/** Throws what the real server refuses a request for, in its words. */
export function checkMessagesRequest(headers: IncomingHttpHeaders, body: unknown): void {
  need(headers['anthropic-version'] === '2023-06-01', 'anthropic-version: header is required');
  need(headers['content-type'] === 'application/json', 'content-type: must be application/json');
  checkBody(body);
}

function need(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Refused(message);
}

function checkBody(body: unknown): void {
  need(isFields(body), 'the body is no JSON object');
  only(body, topFields, '');
  need(typeof body['model'] === 'string' && body['model'] !== '', 'model: Field required');
  const maxTokens = body['max_tokens'];
  need(typeof maxTokens === 'number' && Number.isInteger(maxTokens) && maxTokens > 0, 'max_tokens: Field required');
  need(body['stream'] === true, 'stream: this server only streams');
  const { system, tools, messages, thinking } = body;
  if (system !== undefined) for (const [i, block] of listOf(system, 'system').entries()) checkBlock(block, ['text'], `system.${i}`);
  if (tools !== undefined) for (const [i, tool] of listOf(tools, 'tools').entries()) checkTool(tool, `tools.${i}`);
  if (thinking !== undefined) checkThinking(thinking, maxTokens);
  const list = listOf(messages, 'messages');
  need(list.length > 0, 'messages: at least one message is required');
  let calls: readonly string[] = [];
  for (const [i, message] of list.entries()) calls = checkMessage(message, i, calls, list, body);
  need(calls.length === 0, `messages.${list.length - 1}: the conversation must end with a user message`);
  const last = list.at(-1);
  need(isFields(last) && last['role'] === 'user', 'This model does not support assistant message prefill. The conversation must end with a user message.');
  const marks = JSON.stringify(body).match(/"cache_control":/g)?.length ?? 0;
  need(marks <= 4, `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  if (isFields(thinking) && thinking['type'] === 'enabled') checkTurn(list);
}

/** The ids of the calls in it, which the next message has to answer. */
function checkMessage(message: unknown, i: number, open: readonly string[], all: readonly unknown[], body: Fields): readonly string[] {
  const at = `messages.${i}`;
  need(isFields(message), `${at}: not an object`);
  only(message, ['role', 'content'], at);
  const { role } = message;
  need(role === (i % 2 === 0 ? 'user' : 'assistant'), `${at}: roles must alternate between "user" and "assistant"`);
  const blocks = listOf(message['content'], `${at}.content`);
  need(blocks.length > 0, `${at}: all messages must have non-empty content`);
  const kinds = role === 'user' ? ['text', 'image', 'tool_result'] : ['text', 'thinking', 'redacted_thinking', 'tool_use'];
  const read = blocks.map((block, j) => checkBlock(block, kinds, `${at}.content.${j}`));
  const results = read.filter(({ type }) => type === 'tool_result').map((block) => String(block['tool_use_id']));
  for (const id of results) need(open.includes(id), `${at}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`);
  const missing = open.filter((id) => !results.includes(id));
  need(missing.length === 0, `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`);
  need(new Set(results).size === results.length, `${at}: each tool_use must have a single result`);
  need(read.slice(0, results.length).every(({ type }) => type === 'tool_result'), `${at}: \`tool_result\` blocks must come first`);
  if (role === 'user') return [];
  const last = read.at(-1)?.['type'];
  need(last !== 'thinking' && last !== 'redacted_thinking', `${at}: The final block in an assistant message cannot be \`thinking\`.`);
  for (const [j, block] of read.entries()) {
    const { type, thinking, signature } = block;
    if (type !== 'thinking') continue;
    const expected = signatureOf(String(thinking), j, { system: body['system'], tools: body['tools'], messages: all.slice(0, i) });
    need(signature === expected, `${at}.content.${j}: Invalid \`signature\` in \`thinking\` block`);
  }
  const ids = read.filter(({ type }) => type === 'tool_use').map((block) => String(block['id']));
  need(new Set(ids).size === ids.length, `${at}: \`tool_use\` ids must be unique`);
  return ids;
}

function checkBlock(block: unknown, kinds: readonly string[], at: string): Fields {
  need(isFields(block) && typeof block['type'] === 'string', `${at}.type: Field required`);
  const type = block['type'];
  need(kinds.includes(type), `${at}: \`${type}\` blocks are not allowed here`);
  only(block, blockFields[type] ?? [], at);
  switch (type) {
    case 'text':
      need(typeof block['text'] === 'string' && block['text'].trim() !== '', `${at}: text content blocks must contain non-whitespace text`);
      break;
    case 'image': {
      const { source } = block;
      need(isFields(source) && source['type'] === 'base64', `${at}.source: invalid`);
      imageIn(source['data'], `${at}.source.data`);
      need(['image/png', 'image/jpeg', 'image/gif', 'image/webp'].includes(String(source['media_type'])), `${at}.source.media_type: invalid`);
      break;
    }
    case 'tool_use':
      checkId(block['id'], `${at}.id`);
      need(typeof block['name'] === 'string' && /^[a-zA-Z0-9_-]{1,128}$/.test(block['name']), `${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
      need(isFields(block['input']), `${at}.input: Input should be a valid dictionary`);
      break;
    case 'tool_result':
      checkId(block['tool_use_id'], `${at}.tool_use_id`);
      if (block['content'] !== undefined) for (const [i, part] of listOf(block['content'], `${at}.content`).entries()) checkBlock(part, ['text', 'image'], `${at}.content.${i}`);
      break;
    case 'thinking':
      need(typeof block['thinking'] === 'string' && typeof block['signature'] === 'string', `${at}.signature: Field required`);
      break;
  }
  return block;
}

function checkId(id: unknown, at: string): void {
  need(typeof id === 'string' && /^[a-zA-Z0-9_-]+$/.test(id), `${at}: String should match pattern '^[a-zA-Z0-9_-]+$'`);
}

function checkTool(tool: unknown, at: string): void {
  need(isFields(tool), `${at}: not an object`);
  only(tool, ['name', 'description', 'input_schema', ...markable], at);
  need(typeof tool['name'] === 'string' && /^[a-zA-Z0-9_-]{1,128}$/.test(tool['name']), `${at}.name: invalid`);
  need(isFields(tool['input_schema']) && tool['input_schema']['type'] === 'object', `${at}.input_schema.type: Field required`);
}

function checkThinking(thinking: unknown, maxTokens: number): void {
  need(isFields(thinking), 'thinking: not an object');
  switch (thinking['type']) {
    case 'adaptive':
      only(thinking, ['type', 'display'], 'thinking');
      break;
    case 'enabled': {
      only(thinking, ['type', 'budget_tokens'], 'thinking');
      const budget = thinking['budget_tokens'];
      need(typeof budget === 'number' && budget >= 1024, 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
      need(budget < maxTokens, '`max_tokens` must be greater than `thinking.budget_tokens`');
      break;
    }
    case 'disabled':
    case 'between_tools':
      only(thinking, ['type'], 'thinking');
      break;
    default: need(false, 'thinking.type: invalid');
  }
}

/** With a fixed budget, the turn under way must have begun with thinking. */
function checkTurn(messages: readonly unknown[]): void {
  const began = messages.findLastIndex((message) => isFields(message) && message['role'] === 'user' && !JSON.stringify(message['content']).includes('"type":"tool_result"'));
  const first = messages[began + 1];
  if (!isFields(first) || !Array.isArray(first['content'])) return;
  const [block]: readonly unknown[] = first['content'];
  const type = isFields(block) ? block['type'] : undefined;
  need(type === 'thinking' || type === 'redacted_thinking', `messages.${began + 1}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`);
}

function only(fields: Fields, names: readonly string[], at: string): void {
  for (const name of Object.keys(fields)) need(names.includes(name), `${at === '' ? '' : `${at}.`}${name}: Extra inputs are not permitted`);
}

function listOf(value: unknown, at: string): readonly unknown[] {
  need(Array.isArray(value), `${at}: Input should be a valid array`);
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
