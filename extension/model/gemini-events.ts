import { answerLimits, createAnswerAssembly, emptyPiece, type AnswerLimits, type AnswerPiece, type CallDelta } from './answer-assembly.ts';
import type { AnswerReader } from './exchange.ts';
import { carriedState, type GeminiState } from './gemini-carried.ts';
import { countIn, fieldsOf, isFields, listOf, textIn, type Fields } from './json-fields.ts';
import type { TokenUsage } from './model-client.ts';

/** Reads the data lines of one answer. A line or a part that we do not know is passed over. */
export function readGeminiAnswer(model: string, limits: AnswerLimits = answerLimits): AnswerReader {
  const assembly = createAnswerAssembly(limits);
  const calls: GeminiState['calls'][number][] = [];
  let textSignature = '';
  let textStart = 0;
  let textLength = 0;
  let signaturesLength = 0;

  function takePart(part: Fields): Partial<AnswerPiece> {
    const signature = textIn(part['thoughtSignature']);
    signaturesLength += signature.length;
    const call = part['functionCall'];
    if (isFields(call)) {
      const id = textIn(call['id']);
      const index = calls.push({ signature, id }) - 1;
      return { calls: [{ index, id, name: textIn(call['name']), arguments: written(fieldsOf(call['args'])) }] };
    }
    const text = textIn(part['text']);
    if (part['thought'] === true) return { thinking: text };
    if (signature !== '') {
      textSignature = signature;
      textStart = textLength;
    }
    textLength += text.length;
    return { text };
  }

  return {
    take(_name, value) {
      if (!isFields(value)) return { notProtocol: 'a data line is no part of an answer' };
      const candidates = value['candidates'];
      const feedback = value['promptFeedback'];
      if (candidates === undefined && feedback === undefined && value['usageMetadata'] === undefined) {
        return 'choices' in value || foreign.test(textIn(value['type'])) ? { notProtocol: 'the answer is another protocol’s' } : [];
      }
      const candidate = fieldsOf(listOf(candidates).find((one) => (one['index'] ?? 0) === 0));
      const reason = textIn(candidate['finishReason']) || (textIn(fieldsOf(feedback)['blockReason']) === '' ? '' : 'SAFETY');
      const end = endOf(reason);
      if (end !== null && 'unusable' in end) {
        const words = textIn(candidate['finishMessage']);
        return { refused: { detail: `${end.unusable} (${reason})${words === '' ? '' : `: ${words}`}`, code: reason } };
      }
      let [text, thinking] = ['', ''];
      const deltas: CallDelta[] = [];
      for (const part of listOf(fieldsOf(candidate['content'])['parts'])) {
        const piece = takePart(part);
        text += piece.text ?? '';
        thinking += piece.thinking ?? '';
        deltas.push(...piece.calls ?? []);
      }
      if (signaturesLength > limits.text) return { broken: `more than ${limits.text} characters of signatures in one answer` };
      return assembly.take({ ...emptyPiece, text, thinking, calls: deltas, finish: end === null ? null : end.finish, usage: usageOf(value['usageMetadata']) });
    },
    get ended() {
      return assembly.finish !== null;
    },
    finished: () => assembly.finished(carriedState(model, { text: textSignature, textStart, calls })),
  };
}

/** Empty for what is nested so deeply that it can be read and not be written: the boundary refuses the call. */
function written(args: Fields): string {
  try {
    return JSON.stringify(args);
  } catch {
    return '';
  }
}

/** Events of Responses and of Anthropic's Messages. */
const foreign = /^(response\.|message_|content_block_)/;

/** `unusable`: the model went wrong in a way that leaves nothing to go on with; another try mostly helps. */
function endOf(reason: string): { readonly finish: string } | { readonly unusable: string } | null {
  switch (reason) {
    case '':
    case 'FINISH_REASON_UNSPECIFIED': return null;
    case 'STOP': return { finish: 'stop' };
    case 'MAX_TOKENS': return { finish: 'length' };
    case 'MALFORMED_FUNCTION_CALL': return { unusable: 'The model wrote a tool call that Gemini could not read' };
    case 'UNEXPECTED_TOOL_CALL': return { unusable: 'The model called a tool that Gemini did not expect' };
    case 'TOO_MANY_TOOL_CALLS': return { unusable: 'The model called too many tools at once' };
    case 'MALFORMED_RESPONSE': return { unusable: 'The model wrote an answer that Gemini could not read' };
    case 'MISSING_THOUGHT_SIGNATURE': return { unusable: 'Gemini missed the signature of an earlier call' };
    case 'OTHER': return { unusable: 'Gemini ended the answer and did not say why' };
    // SAFETY, RECITATION, LANGUAGE, BLOCKLIST, PROHIBITED_CONTENT, SPII, and what may follow: the provider would not let the answer through.
    default: return { finish: 'content_filter' };
  }
}

/** What was thought is output too. The prompt's count holds what came from the cache. */
function usageOf(usage: unknown): TokenUsage | null {
  if (!isFields(usage)) return null;
  return {
    input: countIn(usage['promptTokenCount']) + countIn(usage['toolUsePromptTokenCount']),
    cachedInput: countIn(usage['cachedContentTokenCount']),
    output: countIn(usage['candidatesTokenCount']) + countIn(usage['thoughtsTokenCount']),
  };
}
