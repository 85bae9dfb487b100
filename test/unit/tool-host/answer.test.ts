import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tool-host/answer.ts';

function check(body: string | Uint8Array, expected: object | null): void {
  assert.deepEqual(answer(typeof body === 'string' ? Buffer.from(body) : body, 42), expected === null ? null : { jsonrpc: '2.0', ...expected });
}
const request = (method: unknown, params: unknown, id: unknown = 1): string => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const error = (id: number | string | null, code: number, message: string): object => ({ id, error: { code, message } });

test('initialize says the version that it speaks and which process it is', () => {
  check(request('initialize', { protocolVersion: 1 }), { id: 1, result: { protocolVersion: 1, pid: 42 } });
});

test('ping gives its nonce back', () => {
  check(request('ping', { nonce: 'é\u2028' }, 'a'), { id: 'a', result: { nonce: 'é\u2028' } });
});

test('a method that does not exist is said to be unknown', () => {
  for (const method of ['run', 'shutdown', 'toString', '__proto__', '']) check(request(method, {}), error(1, -32601, 'The tool host has no such method.'));
});

test('parameters that do not satisfy their schema are refused, with the place of the fault', () => {
  check(request('ping', { nonce: 5 }), error(1, -32602, 'The parameters are invalid at "/nonce": type.'));
  check(request('ping', { nonce: 'x'.repeat(201) }), error(1, -32602, 'The parameters are invalid at "/nonce": maxLength.'));
  check(request('ping', { nonce: 'n', more: 1 }), error(1, -32602, 'The parameters are invalid at "": additionalProperties.'));
  check(request('ping', undefined), error(1, -32602, 'The parameters are invalid at "": type.'));
  check(request('ping', ['n']), error(1, -32602, 'The parameters are invalid at "": type.'));
  check(request('initialize', {}), error(1, -32602, 'The parameters are invalid at "": required.'));
  check(request('initialize', { protocolVersion: 1.5 }), error(1, -32602, 'The parameters are invalid at "/protocolVersion": type.'));
});

test('what is not JSON in UTF-8 is a parse error', () => {
  const parseError = error(null, -32700, 'The message is not JSON in UTF-8.');
  check('', parseError);
  check('{"jsonrpc":', parseError);
  check(Uint8Array.of(0x22, 0xff, 0x22), parseError);
  check(Buffer.from('\uFEFF{}'), parseError);
});

test('what is no JSON-RPC 2.0 request is refused', () => {
  const invalid = error(null, -32600, 'The message is not a JSON-RPC 2.0 request.');
  for (const body of ['null', '1', '"ping"', '[]', '{}', '{"id":1,"method":"ping"}', '{"jsonrpc":"1.0","id":1,"method":"ping"}', '{"jsonrpc":"2.0","id":1,"method":5}']) {
    check(body, invalid);
  }
  check(`[${request('ping', { nonce: 'n' })}]`, invalid);
  for (const id of ['null', 'true', '{}', '[1]']) {
    check(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`, error(null, -32600, 'The id is neither a number nor a string.'));
  }
});

test('a notification is never answered, known method or not', () => {
  check('{"jsonrpc":"2.0","method":"ping","params":{"nonce":"n"}}', null);
  check('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}', null);
});
