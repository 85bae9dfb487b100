import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedAgain, undoProposal } from '../../../extension/agent/proposals.ts';
import type { LogEvent } from '../../../extension/session/records.ts';

let names = 0;
const newId = (): string => `n${++names}`;
const proposal = { call: 'x', id: 'wire', name: 'undo_changes', arguments: '{"calls":["c1"]}' };

test('an undo is a proposal of its own that names the calls in their order', () => {
  const made = undoProposal(['c1', 'c2'], [], newId);
  assert.deepEqual([made?.logged.name, made?.logged.arguments], ['undo_changes', '{"calls":["c1","c2"]}']);
  assert.deepEqual([made?.incoming.call, made?.incoming.arguments], [made?.logged.call, made?.logged.arguments]);
});

test('what a model proposed under the name of the undo is not asked for again in the name of the person; an undo of theirs is', () => {
  const proposed: LogEvent = { type: 'assistant', turn: 't', step: 1, text: '', finish: 'tool-calls', calls: [proposal] };
  assert.equal(askedAgain('x', [proposed], newId), undefined);
  assert.equal(askedAgain('x', [{ type: 'person-call', proposal, of: null }], newId)?.logged.arguments, proposal.arguments);
});
