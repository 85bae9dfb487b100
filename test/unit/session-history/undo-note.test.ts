import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallResult } from '../../../extension/boundary/result.ts';
import { historyOf } from '../../../extension/session/history.ts';
import type { LogEvent } from '../../../extension/session/records.ts';

const asked: LogEvent = { type: 'person-call', proposal: { call: 'u', id: 'undo', name: 'undo_changes', arguments: '{"calls":["c1"]}' }, of: null };

function told(text: string, result: Pick<CallResult, 'isError' | 'error'>): string {
  const settled: LogEvent = { type: 'settled', call: 'u', verdict: null, approval: null, result: { ...result, content: [{ type: 'text', text }] }, observed: [] };
  return historyOf([asked, settled]).map((message) => (message.role === 'user' ? message.text : message.role)).join();
}

test('an undo is told to the model as words of the person, with the files and without keys of calls', () => {
  assert.equal(told('Undone: a.txt (deleted).', { isError: false, error: null }), '[I undid changes of yours; read these files again before you change them]\nUndone: a.txt (deleted).');
});

test('an undo that failed is told as one', () => {
  assert.equal(told('FS_STALE: Nothing was undone.', { isError: true, error: { code: 'FS_STALE', message: '' } }), '[I tried to undo changes of yours]\nIt failed:\nFS_STALE: Nothing was undone.');
});
