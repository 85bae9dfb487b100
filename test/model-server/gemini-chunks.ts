import type { Answer } from './replies.ts';

/** What stands for a signature: base64 that begins with `signed`. */
export function signatureOf(what: string): string {
  return Buffer.from(`signed ${what}`).toString('base64');
}

/** The data lines of one answer, in the order and shape in which the real server sends them. Calls come whole, with an id where the script gives one. */
export function* geminiChunks(answer: Answer, model: string): Generator<object> {
  const { input, output, cachedInput } = answer.usage ?? { input: 100, output: 20 };
  const usageMetadata = answer.usage === null ? undefined : {
    promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output,
    ...(cachedInput === undefined ? {} : { cachedContentTokenCount: cachedInput }), promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
  };
  const chunk = (parts: readonly object[], finishReason?: string): object => ({
    candidates: [{ content: { parts, role: 'model' }, ...(finishReason === undefined ? {} : { finishReason }), index: 0 }],
    usageMetadata, modelVersion: model, responseId: 'script',
  });
  if (answer.reasoning !== undefined) yield chunk([{ text: answer.reasoning, thought: true }]);
  for (const text of typeof answer.text === 'string' ? [answer.text] : answer.text ?? []) yield chunk([{ text }]);
  for (const [n, call] of (answer.calls ?? []).entries()) {
    const args = objectOf(call.arguments);
    if (args === null) return yield { ...chunk([], 'MALFORMED_FUNCTION_CALL') };
    const functionCall = { ...(call.id === undefined || call.id === null ? {} : { id: call.id }), name: call.name, args };
    yield chunk([{ functionCall, ...(n === 0 ? { thoughtSignature: signatureOf(call.name) } : {}) }]);
  }
  const last = answer.calls === undefined ? [{ text: '', thoughtSignature: signatureOf('text') }] : [];
  if (answer.finish !== null) yield chunk(last, reasonOf(answer.finish));
}

/** null for what is no object: the real server cannot send it. */
function objectOf(args: string | object): object | null {
  if (typeof args === 'object') return args;
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function reasonOf(finish: string | undefined): string {
  switch (finish) {
    case 'length': return 'MAX_TOKENS';
    case 'content_filter': return 'SAFETY';
    default: return 'STOP';
  }
}
