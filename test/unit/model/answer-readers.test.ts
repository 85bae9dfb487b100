import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessagesAnswer } from '../../../extension/model/anthropic-answer.ts';
import type { AnswerReader } from '../../../extension/model/exchange.ts';
import { readGeminiAnswer } from '../../../extension/model/gemini-events.ts';
import { readChatAnswer } from '../../../extension/model/openai-chat.ts';
import { readResponse } from '../../../extension/model/openai-responses-events.ts';

const readers: Readonly<Record<string, () => AnswerReader>> = {
  'openai-chat': () => readChatAnswer('m'),
  'openai-responses': () => readResponse('m'),
  anthropic: () => readMessagesAnswer({ model: 'm', before: () => '' }),
  gemini: () => readGeminiAnswer('m'),
};

/** The words of all four protocols; each is a key here and a value there. */
const words = [
  'type', 'choices', 'delta', 'content', 'tool_calls', 'function', 'name', 'arguments', 'index', 'id', 'finish_reason', 'usage', 'error', 'message', 'code',
  'response', 'item', 'output_index', 'call_id', 'encrypted_content', 'summary', 'phase', 'response.output_item.added', 'response.output_item.done', 'response.output_text.delta',
  'response.function_call_arguments.delta', 'response.completed', 'response.failed', 'function_call', 'reasoning', 'candidates', 'parts', 'text', 'thought', 'thoughtSignature', 'functionCall',
  'args', 'finishReason', 'STOP', 'promptFeedback', 'usageMetadata', 'message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop',
  'content_block', 'tool_use', 'thinking', 'input_json_delta', 'partial_json', 'stop_reason', '__proto__', 'constructor',
  'reasoning_content', 'reasoning_details',
];

/** The same numbers at each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomValue(next: (below: number) => number, depth: number): unknown {
  const word = (): string => words[next(words.length)] ?? '';
  switch (next(depth > 5 ? 5 : 8)) {
    case 0: return word();
    case 1: return next(3) - 1;
    case 2: return [null, true, false][next(3)];
    case 3: return '';
    case 4: return next(2) === 0 ? 1e308 : '\ud83d';
    case 5: return Array.from({ length: next(4) }, () => randomValue(next, depth + 1));
    default: return JSON.parse(`{${Array.from({ length: next(6) }, () => `${JSON.stringify(word())}:${JSON.stringify(randomValue(next, depth + 1) ?? null)}`).join()}}`);
  }
}

for (const [name, make] of Object.entries(readers)) {
  test(`${name}: no data line makes the reader throw, and what it gives is an answer all the same`, () => {
    const next = numbers(7);
    for (let round = 0; round < 3000; round++) {
      const reader = make();
      for (let line = 0; line < 6; line++) {
        const value = randomValue(next, 0);
        const taken = reader.take(words[next(words.length)] ?? '', value);
        assert.ok(Array.isArray(taken) || ['broken', 'refused', 'notProtocol'].includes(Object.keys(taken)[0] ?? ''), JSON.stringify(value));
      }
      const { type, calls, carried = [] } = reader.finished();
      assert.equal(type, 'finished');
      for (const call of calls) assert.deepEqual(Object.values(call).map((member) => typeof member), ['string', 'string', 'string']);
      assert.deepEqual(JSON.parse(JSON.stringify(carried)), carried);
    }
  });
}

test('B10 openai-chat: a call whose answer the server gave up is cut off, and a later reason does not make it whole', () => {
  for (const reasons of [['length', 'stop'], ['length', 'tool_calls'], ['insufficient_system_resource'], ['abort']]) {
    const reader = readChatAnswer('m');
    reader.take('', { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'list_directory', arguments: '' } }] } }] });
    for (const finish_reason of reasons) reader.take('', { choices: [{ index: 0, delta: {}, finish_reason }] });
    assert.equal(reader.finished().reason, 'length', reasons.join());
  }
});
