import type { Answer, ScriptedCall } from './replies.ts';

interface Asked {
  readonly model: string;
  readonly include?: readonly string[];
}

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, unknown>>;

/** What stands for the reasoning that only the provider can read. */
export function encryptedOf(id: string): string {
  return Buffer.from(`thoughts of ${id}`).toString('base64');
}

/** The events of one response, in the order and shape in which the real server sends them. */
export function* responseEvents(answer: Answer, asked: Asked): Generator<Event> {
  let sequence = 0;
  const event = (type: string, members: object): Event => ({ type, sequence_number: sequence++, ...members });
  const response = { id: 'resp_script', object: 'response', created_at: 1_760_000_000, status: 'in_progress', model: asked.model, error: null, incomplete_details: null, output: [], usage: null };
  yield event('response.created', { response });
  yield event('response.in_progress', { response });
  const output: Item[] = [];
  if (answer.reasoning !== undefined) yield* reasoning(answer.reasoning, asked.include?.includes('reasoning.encrypted_content') === true, output, event);
  const texts = typeof answer.text === 'string' ? [answer.text] : answer.text ?? [];
  if (texts.length > 0) yield* message(texts, output, event);
  for (const [position, call] of (answer.calls ?? []).entries()) yield* functionCall(call, position, output, event);
  if (answer.finish === null) return;
  const { input, output: written, cachedInput = 0 } = answer.usage ?? { input: 100, output: 20 };
  const usage = answer.usage === null ? null : { input_tokens: input, input_tokens_details: { cached_tokens: cachedInput }, output_tokens: written, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: input + written };
  if (answer.finish === 'length' || answer.finish === 'content_filter') {
    const reason = answer.finish === 'length' ? 'max_output_tokens' : 'content_filter';
    yield event('response.incomplete', { response: { ...response, status: 'incomplete', incomplete_details: { reason }, output, usage } });
  } else {
    yield event('response.completed', { response: { ...response, status: 'completed', output, usage } });
  }
}

type Make = (type: string, members: object) => Event;

function* reasoning(text: string, encrypted: boolean, output: Item[], event: Make): Generator<Event> {
  const at = { output_index: output.length, item_id: `rs_${output.length}` };
  const item = { id: at.item_id, type: 'reasoning', summary: [] };
  yield event('response.output_item.added', { output_index: at.output_index, item });
  yield event('response.reasoning_summary_part.added', { ...at, summary_index: 0, part: { type: 'summary_text', text: '' } });
  yield event('response.reasoning_summary_text.delta', { ...at, summary_index: 0, delta: text });
  yield event('response.reasoning_summary_text.done', { ...at, summary_index: 0, text });
  const done = { ...item, summary: [{ type: 'summary_text', text }], ...(encrypted ? { encrypted_content: encryptedOf(at.item_id) } : {}) };
  output.push(done);
  yield event('response.output_item.done', { output_index: at.output_index, item: done });
}

function* message(texts: readonly string[], output: Item[], event: Make): Generator<Event> {
  const at = { output_index: output.length, item_id: `msg_${output.length}` };
  const item = { id: at.item_id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  yield event('response.output_item.added', { output_index: at.output_index, item });
  yield event('response.content_part.added', { ...at, content_index: 0, part: { type: 'output_text', text: '', annotations: [] } });
  for (const delta of texts) yield event('response.output_text.delta', { ...at, content_index: 0, delta, logprobs: [] });
  const text = texts.join('');
  yield event('response.output_text.done', { ...at, content_index: 0, text, logprobs: [] });
  const done = { ...item, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] };
  output.push(done);
  yield event('response.output_item.done', { output_index: at.output_index, item: done });
}

function* functionCall(call: ScriptedCall, position: number, output: Item[], event: Make): Generator<Event> {
  const at = { output_index: output.length, item_id: `fc_${output.length}` };
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  const item = { id: at.item_id, type: 'function_call', status: 'in_progress', call_id: call.id ?? `call_${position + 1}`, name: call.name, arguments: '' };
  yield event('response.output_item.added', { output_index: at.output_index, item });
  const fragments = call.fragments ?? 3;
  const cut = (n: number): number => Math.round((n * text.length) / fragments);
  for (let n = 0; n < fragments; n++) yield event('response.function_call_arguments.delta', { ...at, delta: text.slice(cut(n), cut(n + 1)) });
  yield event('response.function_call_arguments.done', { ...at, arguments: text });
  const done = { ...item, status: 'completed', arguments: text };
  output.push(done);
  yield event('response.output_item.done', { output_index: at.output_index, item: done });
}
