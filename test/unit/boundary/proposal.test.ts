import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { IncomingCall } from '../../../extension/boundary/call.ts';
import { CodedError, ToolArgsError } from '../../../extension/boundary/error-codes.ts';
import { maxArgumentsBytes, printableName, receive } from '../../../extension/boundary/proposal.ts';
import { assertDeepFrozen } from './deep-frozen.ts';

const incoming = (text: string, more: Partial<IncomingCall> = {}): IncomingCall => ({ call: 's1.1', id: 'c1', name: 'read_file', arguments: text, ...more });

function refusal(call: IncomingCall): CodedError {
  try {
    receive(call);
  } catch (error) {
    assert.ok(error instanceof CodedError, String(error));
    return error;
  }
  return assert.fail('it was received');
}

suite('receive', () => {
  test('B2 empty arguments mean no arguments; only the white space of JSON counts as empty', () => {
    for (const text of ['', ' ', '\n', '\t\r\n  ']) assert.deepEqual(receive(incoming(text)).arguments, {});
    for (const text of ['\u00a0', '\ufeff', '\u2028', '\v', '\f', '\u3000', '\0']) assert.equal(refusal(incoming(text)).code, 'INVALID_ARGS', JSON.stringify(text));
  });

  test('B2 what is not strict JSON is refused with its place, and says that nothing was repaired or executed', () => {
    const error = refusal(incoming('{"edits":[{"oldText":"a","newText":"b"},{"oldText":"c"'));
    assert.ok(error instanceof ToolArgsError);
    assert.equal(error.code, 'INVALID_ARGS');
    assert.match(error.message, /ends inside an object \(at character 55, in \/edits\/1\)/);
    assert.match(error.message, /Nothing was repaired and nothing was executed/);
    assert.deepEqual(error.violations, [{ pointer: '/edits/1', expected: 'strict JSON', got: 'the text ends inside an object' }]);
    for (const text of ['{', '{"a":1}}', '{"a":1,"a":2}', '{"a":"\\ud800"}', '{"a":-0}', '{"a":9007199254740993}', '{a:1}', 'null null', '```\n{}\n```', '{"a":1} {"b":2}']) assert.equal(refusal(incoming(text)).code, 'INVALID_ARGS', text);
  });

  test('B2 duplicate keys are refused with their place', () => {
    assert.match(refusal(incoming('{"path":"a.txt","path":"/etc/passwd"}')).message, /"path" stands twice \(at character 17\)/);
  });

  test('B3 a proposal is frozen all the way down', () => {
    const proposal = receive(incoming('{"a":[{"b":{"c":[1]}}]}'));
    assertDeepFrozen(proposal);
    assert.deepEqual({ ...proposal }, { call: 's1.1', id: 'c1', name: 'read_file', arguments: { a: [{ b: { c: [1] } }] } });
    assertDeepFrozen(receive(incoming('')));
  });

  test('B8 arguments over the cap are refused with the cap named; at the cap they are taken; bytes count, not characters', () => {
    const text = (bytes: number): string => JSON.stringify({ a: 'x'.repeat(bytes - 8) });
    assert.equal(Buffer.byteLength(text(maxArgumentsBytes)), maxArgumentsBytes);
    receive(incoming(text(maxArgumentsBytes)));
    const error = refusal(incoming(text(maxArgumentsBytes + 1)));
    assert.equal(error.code, 'TOO_LARGE');
    assert.match(error.message, /1048577 bytes; at most 1048576 \(1 MiB\)/);
    assert.equal(refusal(incoming(JSON.stringify({ a: 'é'.repeat(maxArgumentsBytes / 2) }))).code, 'TOO_LARGE');
    assert.equal(refusal(incoming(' '.repeat(maxArgumentsBytes + 1))).code, 'TOO_LARGE');
  });

  test('B10 a proposal that the token limit cut off is refused although what is there is whole', () => {
    const error = refusal(incoming('{"path":"a.txt"}', { cutOff: true }));
    assert.equal(error.code, 'INVALID_ARGS');
    assert.match(error.message, /cut off at the token limit.*not executed/);
    receive(incoming('{"path":"a.txt"}', { cutOff: false }));
  });

  test('B11 the second proposal with one id is refused, and the message does not repeat a long id', () => {
    assert.equal(refusal(incoming('{}', { duplicate: true })).code, 'DUPLICATE_ID');
    assert.ok(refusal(incoming('{}', { duplicate: true, id: 'x'.repeat(100_000) })).message.length < 400);
  });

  test('B7 a name is taken as it is, whatever it is, and shown cut', () => {
    for (const name of ['__proto__', 'constructor', '', 'x'.repeat(1024 * 1024), '\ud800', '\n']) assert.equal(receive(incoming('{}', { name })).name, name);
    assert.equal(printableName('read_file'), 'read_file');
    assert.equal(printableName('x'.repeat(1024 * 1024)).length, 201);
  });
});
