import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReceiver, type Validator } from '../../../../webview/host/receive.ts';

const onlyFocus: Validator = (data) => {
  const valid = typeof data === 'object' && data !== null && 'type' in data && data.type === 'focus';
  onlyFocus.errors = valid ? null : [{ instancePath: '/type', keyword: 'const' }];
  return valid;
};

test('a message of the host passes', () => {
  const receiver = createReceiver(onlyFocus, () => assert.fail('nothing to warn of'));
  assert.deepEqual(receiver.receive({ type: 'focus' }), { type: 'focus' });
  assert.equal(receiver.dropped(), 0);
});

test('anything else is dropped, counted, and its fault named', () => {
  const warnings: string[] = [];
  const receiver = createReceiver(onlyFocus, (text) => warnings.push(text));
  assert.equal(receiver.receive({ type: 'run' }), null);
  assert.equal(receiver.receive(null), null);
  assert.equal(receiver.dropped(), 2);
  assert.equal(warnings[0], 'Countersign: dropped message 1 from the host: const at "/type"');
});
