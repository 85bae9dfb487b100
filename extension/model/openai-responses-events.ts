import { answerLimits, createAnswerAssembly, emptyPiece, type AnswerLimits, type AnswerPiece } from './answer-assembly.ts';
import { readErrorObject } from './error-body.ts';
import type { AnswerReader, Taken } from './exchange.ts';
import { countIn, fieldsOf, isFields, listOf, textIn, type Fields } from './json-fields.ts';
import type { TokenUsage } from './model-client.ts';
import { carriedLayout, type OutputItem } from './openai-responses-layout.ts';

const maxItems = 1000;

/** Reads the events of one response. Those that we do not know are passed over. */
export function readResponse(model: string, limits: AnswerLimits = answerLimits): AnswerReader {
  const assembly = createAnswerAssembly(limits);
  const items = new Map<number, OutputItem>();
  /** Calls whose arguments came in pieces. */
  const withArguments = new Set<number>();
  let textLength = 0;
  let encryptedLength = 0;
  let anyThinking = false;

  function take(piece: Partial<AnswerPiece>): Taken {
    textLength += (piece.text ?? '').length + (piece.refusal ?? '').length;
    return assembly.take({ ...emptyPiece, ...piece });
  }

  function takeText(event: Fields, kind: 'text' | 'refusal'): Taken {
    const index = countIn(event['output_index']);
    const known = items.get(index);
    const message = known?.type === 'message' ? known : null;
    const delta = textIn(event['delta']);
    // Several messages in one answer are paragraphs of it.
    const start = message !== null && message.end > message.start ? message.start : textLength + (textLength > 0 ? 2 : 0);
    const isNew = message === null || message.end === message.start;
    const text = isNew && textLength > 0 && delta !== '' ? `\n\n${delta}` : delta;
    const taken = take({ [kind]: text });
    items.set(index, { type: 'message', phase: message?.phase ?? '', start, end: delta === '' ? start : textLength });
    return taken;
  }

  function takeItem(event: Fields, isDone: boolean): Taken {
    const index = countIn(event['output_index']);
    const item = fieldsOf(event['item']);
    switch (item['type']) {
      case 'message': {
        const known = items.get(index);
        const phase = textIn(item['phase']);
        items.set(index, known?.type === 'message' ? { ...known, phase: phase || known.phase } : { type: 'message', phase, start: textLength, end: textLength });
        return [];
      }
      case 'function_call': {
        items.set(index, { type: 'call' });
        const args = isDone ? textIn(item['arguments']) : '';
        return takeCall(index, textIn(item['call_id']) || textIn(item['id']), textIn(item['name']), args);
      }
      case 'reasoning': {
        const encrypted = textIn(item['encrypted_content']);
        if (!isDone || encrypted === '') return [];
        encryptedLength += encrypted.length;
        if (encryptedLength > limits.text) return { broken: `more than ${limits.text} characters of encrypted reasoning in one answer` };
        items.set(index, { type: 'reasoning', id: textIn(item['id']), encrypted, summary: listOf(item['summary']).map((part) => textIn(part['text'])) });
        return [];
      }
      default: return [];
    }
  }

  /** Whole arguments count where none came in pieces. */
  function takeCall(index: number, id: string, name: string, whole: string): Taken {
    const args = withArguments.has(index) ? '' : whole;
    if (args !== '') withArguments.add(index);
    return take({ calls: [{ index, id, name, arguments: args }] });
  }

  function takeDelta(event: Fields): Taken {
    const index = countIn(event['output_index']);
    const delta = textIn(event['delta']);
    if (delta !== '') withArguments.add(index);
    return take({ calls: [{ index, id: '', name: '', arguments: delta }] });
  }

  function takeThinking(event: Fields): Taken {
    const thinking = textIn(event['delta']);
    if (thinking !== '') anyThinking = true;
    return take({ thinking });
  }

  return {
    take(name, value) {
      if (!isFields(value)) return { notProtocol: 'a data line is no event of a response' };
      if (items.size > maxItems) return { broken: `more than ${maxItems} items in one answer` };
      const response = fieldsOf(value['response']);
      switch (textIn(value['type']) || name) {
        case 'response.output_text.delta': return takeText(value, 'text');
        case 'response.refusal.delta': return takeText(value, 'refusal');
        case 'response.reasoning_summary_part.added': return anyThinking ? take({ thinking: '\n\n' }) : [];
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta': return takeThinking(value);
        case 'response.output_item.added': return takeItem(value, false);
        case 'response.output_item.done': return takeItem(value, true);
        case 'response.function_call_arguments.delta': return takeDelta(value);
        case 'response.function_call_arguments.done': return takeCall(countIn(value['output_index']), '', '', textIn(value['arguments']));
        case 'response.completed': return take({ finish: 'stop', usage: usageOf(response) });
        case 'response.incomplete': return take({ finish: reasonOf(response), usage: usageOf(response) });
        case 'response.failed': return { refused: readErrorObject(response['error']) };
        case 'error': return { refused: readErrorObject(value) };
        case '': return { notProtocol: 'a data line is no event of a response' };
        default: return [];
      }
    },
    get ended() {
      return assembly.finish !== null;
    },
    finished: () => assembly.finished(carriedLayout(model, [...items].sort(([a], [b]) => a - b).map(([, item]) => item))),
  };
}

function reasonOf(response: Fields): string {
  const reason = textIn(fieldsOf(response['incomplete_details'])['reason']);
  return reason === 'content_filter' ? reason : 'length';
}

function usageOf(response: Fields): TokenUsage | null {
  const usage = response['usage'];
  if (!isFields(usage)) return null;
  return { input: countIn(usage['input_tokens']), cachedInput: countIn(fieldsOf(usage['input_tokens_details'])['cached_tokens']), output: countIn(usage['output_tokens']) };
}
