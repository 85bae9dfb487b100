import type { Answer, ScriptedCall } from './replies.ts';

interface ChunkFrame {
  readonly id: string;
  readonly model: string;
  readonly includeUsage: boolean;
}

/** The data lines of one answer, in the order and shape in which the real server sends them. */
export function* dataLinesOf(answer: Answer, frame: ChunkFrame): Generator<string> {
  const base = { id: frame.id, object: 'chat.completion.chunk', created: 1_760_000_000, model: frame.model, system_fingerprint: 'fp_script' };
  // With usage asked for, every chunk but the last carries a null one.
  const usage = frame.includeUsage ? { usage: null } : {};
  const chunk = (delta: object, finish: string | null = null): string =>
    JSON.stringify({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...usage });

  yield chunk({ role: 'assistant', content: '', refusal: null });
  if (answer.reasoning !== undefined) yield chunk({ reasoning_content: answer.reasoning });
  for (const text of typeof answer.text === 'string' ? [answer.text] : answer.text ?? []) yield chunk({ content: text });
  const calls = answer.calls ?? [];
  for (const [position, call] of calls.entries()) {
    for (const delta of callDeltas(call, position)) yield chunk({ tool_calls: [delta] });
  }
  const finish = answer.finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : answer.finish;
  if (finish !== null) yield chunk({}, finish);
  if (frame.includeUsage && answer.usage !== null) {
    const { input, output, cachedInput = 0 } = answer.usage ?? { input: 100, output: 20 };
    yield JSON.stringify({
      ...base, choices: [],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, prompt_tokens_details: { cached_tokens: cachedInput } },
    });
  }
  if (answer.done !== false) yield '[DONE]';
}

function* callDeltas(call: ScriptedCall, position: number): Generator<object> {
  const index = call.index === null ? {} : { index: call.index ?? position };
  const id = call.id === null ? {} : { id: call.id ?? `call_${position + 1}` };
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  const fragments = call.fragments ?? 3;
  if (fragments === 0) {
    yield { ...index, ...id, type: 'function', function: { name: call.name, arguments: text } };
    return;
  }
  yield { ...index, ...id, type: 'function', function: { name: call.name, arguments: '' } };
  const cut = (n: number): number => Math.round((n * text.length) / fragments);
  for (let n = 0; n < fragments; n++) yield { ...index, function: { arguments: text.slice(cut(n), cut(n + 1)) } };
}
