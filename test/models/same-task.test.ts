import assert from 'node:assert/strict';
import { test } from 'node:test';
import { protocols } from './protocols.ts';
import { runTask, type TaskOutcome } from './task.ts';

let first: TaskOutcome | null = null;

for (const under of protocols) {
  test(`${under.protocol}: the same task gives the same calls, results and files`, async (t) => {
    const outcome = await runTask(t, under);
    first ??= outcome;
    assert.deepEqual(outcome, first);
  });
}

test('and these are what the task is', () => {
  assert.ok(first !== null);
  assert.equal(first.ended, 'answered');
  assert.deepEqual(first.answers.map(({ finish, calls }) => [finish, ...calls.map(({ name }) => name)]), [
    ['tool-calls', 'read_file', 'read_file'], ['tool-calls', 'search_text'], ['tool-calls', 'edit_file'], ['tool-calls', 'edit_file'], ['tool-calls', 'write_file'], ['stop'],
  ]);
  assert.deepEqual(first.results.map(({ code }) => code), [null, null, null, 'INVALID_ARGS', null, 'DENIED_BY_PERSON']);
  assert.deepEqual(first.answers[0], { ...first.answers[0], text: 'I look at both – grün 🌍.', thinking: 'Where is VAT?' });
  assert.equal(first.files['ws/src/price.ts'], 'export const VAT = 0.2;\nexport const gross = (net: number): number => net * (1 + VAT);\n');
  assert.ok(!('ws/src/new.ts' in first.files));
});
