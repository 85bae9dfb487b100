import { createHash } from 'node:crypto';
import type { Answer, ScriptedCall } from './replies.ts';

/** What of a request a thinking block is bound to. */
export interface Bound {
  readonly system: unknown;
  readonly tools: unknown;
  /** Those before the answer. */
  readonly messages: readonly unknown[];
}

/**
 * Signs thinking as the API does: a block is valid only as it was, where it was, and while nothing before it has changed.
 * Cache marks may.
 */
export function signatureOf(thinking: string, position: number, { system, tools, messages }: Bound): string {
  const text = JSON.stringify([thinking, position, system, tools, messages], (key, value: unknown) => (key === 'cache_control' ? undefined : value));
  return createHash('sha256').update(text).digest('base64');
}

/** An event as it stands on the wire. */
export function eventText(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/**
 * The events of one answer, in the order and shape in which the real server sends them: one string for each chunk of the script,
 * which may hold several events. As with the other protocols, the first begins the answer, and each piece of text is one.
 */
export function* messageEventsOf(answer: Answer, model: string, bound: Bound): Generator<string> {
  const { input, output, cachedInput = 0 } = answer.usage ?? { input: 100, output: 20 };
  const usage = { input_tokens: input - cachedInput, cache_creation_input_tokens: 0, cache_read_input_tokens: cachedInput };
  const message = { id: 'msg_script', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, ...(answer.usage === null ? {} : { usage: { ...usage, output_tokens: 1 } }) };
  yield eventText('message_start', { message }) + eventText('ping');

  let index = 0;
  /** The end of the block before goes out with what comes next. */
  let pending = '';
  const start = (block: object): string => pending + eventText('content_block_start', { index, content_block: block });
  const delta = (fields: object): string => eventText('content_block_delta', { index, delta: fields });
  const stop = (): void => {
    pending = eventText('content_block_stop', { index });
    index++;
  };

  if (answer.reasoning !== undefined) {
    yield start({ type: 'thinking', thinking: '', signature: '' }) + delta({ type: 'thinking_delta', thinking: answer.reasoning });
    yield delta({ type: 'signature_delta', signature: signatureOf(answer.reasoning, index, bound) });
    stop();
  }
  const texts = typeof answer.text === 'string' ? [answer.text] : answer.text ?? [];
  for (const [n, text] of texts.entries()) yield (n === 0 ? start({ type: 'text', text: '' }) : '') + delta({ type: 'text_delta', text });
  if (texts.length > 0) stop();
  const calls = answer.calls ?? [];
  for (const [position, call] of calls.entries()) {
    yield start({ type: 'tool_use', ...(call.id === null ? {} : { id: call.id ?? `call_${position + 1}` }), name: call.name, input: {} });
    for (const text of fragmentsOf(call)) yield delta({ type: 'input_json_delta', partial_json: text });
    stop();
  }
  const reason = answer.finish === undefined ? (calls.length > 0 ? 'tool_use' : 'end_turn') : wordOf(answer.finish);
  yield pending + eventText('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, ...(answer.usage === null ? {} : { usage: { ...usage, output_tokens: output } }) });
  if (answer.done !== false) yield eventText('message_stop');
}

function fragmentsOf(call: ScriptedCall): readonly string[] {
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  const fragments = Math.max(1, call.fragments ?? 3);
  const cut = (n: number): number => Math.round((n * text.length) / fragments);
  // The real server begins with an empty one.
  return ['', ...Array.from({ length: fragments }, (_, n) => text.slice(cut(n), cut(n + 1)))];
}

/** A script says it in the words of chat completions. */
function wordOf(finish: string | null): string | null {
  switch (finish) {
    case 'stop': return 'end_turn';
    case 'tool_calls': return 'tool_use';
    case 'length': return 'max_tokens';
    case 'content_filter': return 'refusal';
    default: return finish;
  }
}
