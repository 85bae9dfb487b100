import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Arrival, createHostReader } from '../../../extension/sandbox/host-reader.ts';

type Bytes = string | Uint8Array;

const bytesOf = (part: Bytes): Uint8Array => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part);
const concat = (...parts: readonly Bytes[]): Uint8Array => Buffer.concat(parts.map(bytesOf));
const framed = (body: Bytes): Uint8Array => concat(`Content-Length: ${bytesOf(body).length}\r\n\r\n`, body);
const json = (message: unknown): Uint8Array => framed(JSON.stringify(message));

/** Feeds a reader that waits for `initialize` under id 0 and `ping` under ids 1 and 2, then ends the stream. */
function arrivals(bytes: Uint8Array, chunkSize: number): readonly Arrival[] {
  const reader = createHostReader();
  reader.expect(0, 'initialize');
  reader.expect(1, 'ping');
  reader.expect(2, 'ping');
  const all: Arrival[] = [];
  for (let at = 0; at < bytes.length; at += chunkSize) all.push(...reader.push(bytes.subarray(at, at + chunkSize)));
  return [...all, ...reader.end(), ...reader.push(initialized), ...reader.end()];
}

const initialized = json({ jsonrpc: '2.0', id: 0, result: { protocolVersion: 1, pid: 7 } });
const pong = (id: number): Uint8Array => json({ jsonrpc: '2.0', id, result: { nonce: 'n' } });

const response = (id: number, answer: object): Arrival => ({ kind: 'response', message: { jsonrpc: '2.0', id, result: answer } });
const faulty = (reason: string): Arrival => ({ kind: 'fault', reason });

/** Whatever the chunks, the same arrivals. */
function check(bytes: Bytes, ...expected: readonly Arrival[]): void {
  for (const chunkSize of [1, 7, 1 << 20]) assert.deepEqual(arrivals(bytesOf(bytes), chunkSize), expected);
}

const answered = [response(0, { protocolVersion: 1, pid: 7 }), response(1, { nonce: 'n' }), response(2, { nonce: 'n' })];

test('answers to waiting requests pass, in any order', () => {
  check(concat(initialized, pong(1), pong(2)), ...answered);
  check(concat(pong(2), initialized, pong(1)), response(2, { nonce: 'n' }), response(0, { protocolVersion: 1, pid: 7 }), response(1, { nonce: 'n' }));
});

test('an error is an answer too', () => {
  const error = { code: -32602, message: 'The parameters are invalid.' };
  check(concat(initialized, pong(1), json({ jsonrpc: '2.0', id: 2, error })), ...answered.slice(0, 2), {
    kind: 'response', message: { jsonrpc: '2.0', id: 2, error },
  });
});

test('header names are compared without case, and blanks around the length are no matter', () => {
  const body = '{"jsonrpc":"2.0","id":1,"result":{"nonce":"é"}}';
  check(
    concat(initialized, `CONTENT-length:${Buffer.byteLength(body)} \r\n\r\n`, body, pong(2)),
    response(0, { protocolVersion: 1, pid: 7 }), response(1, { nonce: 'é' }), response(2, { nonce: 'n' }),
  );
});

const mayOnlyAnswer = (name: string): string => `The tool host sent "${name}", but it may only answer.`;
const notRpc = 'The tool host sent a message that is not JSON-RPC 2.0.';
const notJson = 'The tool host sent a message that is not JSON.';
const notUtf8 = 'The tool host sent a message that is not UTF-8.';
const notWaiting = 'The tool host answered a request that is not waiting for an answer.';
const noise = 'The tool host sent something that is not a message header.';
const badLength = 'The tool host sent a Content-Length that is not a positive decimal number.';
const tooLong = 'The tool host announced a message of more than 8388608 bytes.';
const tooMuchHeader = 'The tool host sent a header of more than 1024 bytes.';
const badResult = (method: string): string => `The tool host answered "${method}" with a result of the wrong shape.`;
const badError = 'The tool host answered "ping" with a malformed error.';
const cutShort = 'The tool host ended in the middle of a message.';
const unanswered = 'The tool host ended before it had answered.';

const hostile: Readonly<Record<string, readonly [Bytes, string]>> = {
  // Requests and notifications that a language client would obey.
  ...Object.fromEntries(
    [
      'workspace/applyEdit', 'window/showDocument', 'client/registerCapability', 'client/unregisterCapability', 'workspace/configuration',
      'workspace/workspaceFolders', 'window/showMessageRequest', 'window/workDoneProgress/create', 'ping', 'initialize', '',
    ].map((method) => [`the request ${method}`, [json({ jsonrpc: '2.0', id: 1, method, params: {} }), mayOnlyAnswer(method)]]),
  ),
  ...Object.fromEntries(
    [
      'window/logMessage', 'window/showMessage', 'telemetry/event', '$/progress', '$/logTrace', '$/cancelRequest', '$/setTrace',
      'textDocument/publishDiagnostics', 'exit',
    ].map((method) => [`the notification ${method}`, [json({ jsonrpc: '2.0', method, params: {} }), mayOnlyAnswer(method)]]),
  ),
  'a request under a waiting id that also has a result': [
    json({ jsonrpc: '2.0', id: 1, method: 'workspace/applyEdit', result: { nonce: 'n' } }), mayOnlyAnswer('workspace/applyEdit'),
  ],
  'a method name that would forge lines or hide': [
    json({ jsonrpc: '2.0', method: 'a"\n\u202Eb' + 'x'.repeat(100) }), mayOnlyAnswer(`a'??b${'x'.repeat(55)}…`),
  ],
  'a method that is no string': [json({ jsonrpc: '2.0', id: 1, method: 5 }), notRpc],
  'a method beside an answer': [json({ jsonrpc: '2.0', id: 1, method: null, result: { nonce: 'n' } }), notRpc],

  // Answers that nobody waits for.
  'an unknown id': [pong(9), notWaiting],
  'a negative id': [pong(-1), notWaiting],
  'an id as text': [json({ jsonrpc: '2.0', id: '1', result: { nonce: 'n' } }), notWaiting],
  'the id null': [json({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'parse error' } }), notWaiting],
  'an id in a list': [json({ jsonrpc: '2.0', id: [1], result: { nonce: 'n' } }), notWaiting],
  'no id': [json({ jsonrpc: '2.0', result: { nonce: 'n' } }), notWaiting],
  'the name of a prototype member as id': [json({ jsonrpc: '2.0', id: 'constructor', result: {} }), notWaiting],

  // Answers of the wrong shape.
  'a result of another method': [json({ jsonrpc: '2.0', id: 1, result: { protocolVersion: 1, pid: 7 } }), badResult('ping')],
  'a result with more than its schema has': [json({ jsonrpc: '2.0', id: 1, result: { nonce: 'n', more: 1 } }), badResult('ping')],
  'a result with a hidden prototype': [framed('{"jsonrpc":"2.0","id":1,"result":{"nonce":"n","__proto__":{"a":1}}}'), badResult('ping')],
  'a result that lacks a member': [json({ jsonrpc: '2.0', id: 0, result: { protocolVersion: 1 } }), badResult('initialize')],
  'a result of another type': [json({ jsonrpc: '2.0', id: 1, result: { nonce: 5 } }), badResult('ping')],
  'the result null': [json({ jsonrpc: '2.0', id: 1, result: null }), badResult('ping')],
  'a result beyond its cap': [json({ jsonrpc: '2.0', id: 1, result: { nonce: 'n'.repeat(201) } }), badResult('ping')],
  'an error that is text': [json({ jsonrpc: '2.0', id: 1, error: 'no' }), badError],
  'an error without a code': [json({ jsonrpc: '2.0', id: 1, error: { message: 'no' } }), badError],
  'an error with a broken code': [json({ jsonrpc: '2.0', id: 1, error: { code: 1.5, message: 'no' } }), badError],
  'an error with data': [json({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no', data: {} } }), badError],
  'an error with a long message': [json({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x'.repeat(4097) } }), badError],
  'the error null': [json({ jsonrpc: '2.0', id: 1, error: null }), badError],

  // No JSON-RPC 2.0.
  'a batch': [json([{ jsonrpc: '2.0', id: 1, result: { nonce: 'n' } }]), 'The tool host sent a batch of messages, which its protocol does not have.'],
  'an empty batch': [json([]), 'The tool host sent a batch of messages, which its protocol does not have.'],
  'text': [json('{"jsonrpc":"2.0","id":1,"result":{"nonce":"n"}}'), notRpc],
  'null': [json(null), notRpc],
  'a number': [json(1), notRpc],
  'no version': [json({ id: 1, result: { nonce: 'n' } }), notRpc],
  'version 1.0': [json({ jsonrpc: '1.0', id: 1, result: { nonce: 'n' } }), notRpc],
  'version 2 as a number': [json({ jsonrpc: 2, id: 1, result: { nonce: 'n' } }), notRpc],
  'both result and error': [json({ jsonrpc: '2.0', id: 1, result: { nonce: 'n' }, error: { code: 1, message: 'no' } }), notRpc],
  'neither result nor error': [json({ jsonrpc: '2.0', id: 1 }), notRpc],
  'a further member': [json({ jsonrpc: '2.0', id: 1, result: { nonce: 'n' }, params: {} }), notRpc],
  'a member named __proto__': [framed('{"jsonrpc":"2.0","id":1,"result":{"nonce":"n"},"__proto__":{"method":"x"}}'), notRpc],
  'members that only a prototype has': [framed('{"__proto__":{"jsonrpc":"2.0","id":1,"result":{"nonce":"n"}}}'), notRpc],

  // No JSON, no UTF-8.
  'a body that is not JSON': [framed('hello'), notJson],
  'a body of blanks': [framed('    '), notJson],
  'two values in one body': [framed('{}{}'), notJson],
  'a trailing comma': [framed('{"jsonrpc":"2.0",}'), notJson],
  'a length that cuts the body': [concat('Content-Length: 5\r\n\r\n', '{"jsonrpc":"2.0"}'), notJson],
  'a byte order mark': [framed(concat(Uint8Array.of(0xef, 0xbb, 0xbf), '{}')), notJson],
  'UTF-16': [framed(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"nonce":"n"}}', 'utf16le')), notJson],
  'a byte that is no UTF-8': [framed(concat('{"jsonrpc":"2.0","id":1,"result":{"nonce":"', Uint8Array.of(0xff), '"}}')), notUtf8],
  'a cut UTF-8 sequence': [framed(concat('{"nonce":"', Uint8Array.of(0xe2, 0x82))), notUtf8],
  'an overlong UTF-8 sequence': [framed(concat('{"nonce":"', Uint8Array.of(0xc0, 0xaf), '"}')), notUtf8],
  'a surrogate in UTF-8': [framed(concat('{"nonce":"', Uint8Array.of(0xed, 0xa0, 0x80), '"}')), notUtf8],
  'brackets without end': [framed('['.repeat(100_000)), notJson],
  'brackets as deep as they fit': [framed(`{"jsonrpc":"2.0","id":1,"result":${'['.repeat(50_000)}${']'.repeat(50_000)}}`), badResult('ping')],

  // Headers.
  'a line of a program that prints': ['Debugger attached.\n', noise],
  'a line with its carriage return': ['Hello there\r\n', noise],
  'binary noise': [Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0), noise],
  'lines that end in a line feed alone': ['Content-Length: 2\n\n{}', noise],
  'a carriage return alone': ['Content-Length: 2\r\r{}', noise],
  'a NUL in a header': ['Content-Length: 2\0\r\n\r\n{}', noise],
  'a header in another alphabet': ['Content-Length: ２\r\n\r\n{}', noise],
  'JSON without a frame': ['{"jsonrpc":"2.0","id":1,"result":{"nonce":"n"}}\r\n\r\n', 'The tool host sent a message header other than Content-Length.'],
  'an empty header': ['\r\n{}', 'The tool host sent a message without Content-Length.'],
  'another header': ['Content-Type: application/json\r\n\r\n{}', 'The tool host sent a message header other than Content-Length.'],
  'another header beside the length': [
    'Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-16\r\n\r\n{}', 'The tool host sent a message header other than Content-Length.',
  ],
  'a blank before the colon': ['Content-Length : 2\r\n\r\n{}', 'The tool host sent a message header other than Content-Length.'],
  'a folded header': ['Content-Length:\r\n 2\r\n\r\n{}', noise],
  'two equal lengths': ['Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}', 'The tool host sent a message with more than one Content-Length.'],
  'two different lengths': ['Content-Length: 2\r\ncontent-length: 9\r\n\r\n{}', 'The tool host sent a message with more than one Content-Length.'],
  ...Object.fromEntries(
    ['-1', '+2', '0', '02', '0x10', '1e3', '2.0', '2,2', '2 2', '', 'two', 'NaN', 'Infinity', '2;', '1_000'].map((length) => [
      `the length "${length}"`, [`Content-Length: ${length}\r\n\r\n{}`, badLength],
    ]),
  ),
  'one byte more than the cap': ['Content-Length: 8388609\r\n\r\n', tooLong],
  'four gigabytes': ['Content-Length: 4294967296\r\n\r\n', tooLong],
  'more than a double holds exactly': ['Content-Length: 9007199254740993\r\n\r\n', tooLong],
  'more than a double holds': [`Content-Length: ${'9'.repeat(400)}\r\n\r\n`, tooLong],
  'a header without end': ['x'.repeat(5000), tooMuchHeader],
  'lines of header without end': ['Content-Length: 2\r\n'.repeat(500), tooMuchHeader],
  'blanks without end': [`Content-Length:${' '.repeat(2000)}2\r\n\r\n{}`, tooMuchHeader],

  // The end.
  'nothing at all': ['', unanswered],
  'half a header': ['Content-Len', cutShort],
  'a header and no body': ['Content-Length: 2\r\n\r\n', cutShort],
  'half a body': [pong(1).subarray(0, -1), cutShort],
};

for (const [name, [bytes, reason]] of Object.entries(hostile)) {
  test(`ends the connection and says why: ${name}`, () => check(bytes, faulty(reason)));
}

test('an answer counts once', () => check(concat(pong(1), pong(1), pong(2)), response(1, { nonce: 'n' }), faulty(notWaiting)));

test('what came before a fault passes, and nothing after it', () => {
  check(concat(pong(1), framed('hello'), pong(2), initialized), response(1, { nonce: 'n' }), faulty(notJson));
});

test('an end with requests still waiting is a fault', () => check(concat(initialized, pong(1)), ...answered.slice(0, 2), faulty(unanswered)));

test('the end of an idle stream is no fault', () => assert.deepEqual(createHostReader().end(), []));

test('a length over the cap is refused upon the header, before any body is there to be kept', () => {
  const reader = createHostReader();
  reader.expect(1, 'ping');
  assert.deepEqual(reader.push(Buffer.from('Content-Length: 4294967296\r\n\r\n')), [faulty(tooLong)]);
});

test('a message of exactly the cap is read', () => {
  const frame = '{"jsonrpc":"2.0","id":1,"result":{"nonce":"n"}}';
  const reader = createHostReader();
  reader.expect(1, 'ping');
  assert.deepEqual(reader.push(framed(frame.padEnd(8 * 1024 * 1024))), [response(1, { nonce: 'n' })]);
});

test('a header of exactly the cap is read, one byte more is not', () => {
  const body = '{"jsonrpc":"2.0","id":1,"result":{"nonce":"n"}}';
  const withHeaderOf = (bytes: number): Uint8Array => concat('Content-Length:', `${body.length}\r\n\r\n`.padStart(bytes - 'Content-Length:'.length), body);
  for (const [bytes, expected] of [[1024, response(1, { nonce: 'n' })], [1025, faulty(tooMuchHeader)]] as const) {
    const reader = createHostReader();
    reader.expect(1, 'ping');
    assert.deepEqual(reader.push(withHeaderOf(bytes)), [expected]);
  }
});

test('an id that already waits may not be used again', () => {
  const reader = createHostReader();
  reader.expect(1, 'ping');
  assert.throws(() => reader.expect(1, 'ping'), /already waiting/);
});

test('a chunk that its owner overwrites afterwards changes nothing', () => {
  const reader = createHostReader();
  reader.expect(1, 'ping');
  const bytes = pong(1);
  const [first, last] = [Uint8Array.from(bytes.subarray(0, 40)), bytes.subarray(40)];
  assert.deepEqual(reader.push(first), []);
  first.fill(0);
  assert.deepEqual(reader.push(last), [response(1, { nonce: 'n' })]);
});

test('arbitrary bytes never pass as a message and never throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), fc.integer({ min: 1, max: 50 }), (bytes, chunkSize) => {
    const all = arrivals(bytes, chunkSize);
    assert.deepEqual(all.map(({ kind }) => kind), ['fault']);
  }));
});

test('arbitrary JSON in a frame never passes unless it is an answer that somebody waits for', () => {
  fc.assert(fc.property(fc.json(), (body) => assert.deepEqual(arrivals(framed(body), 64).map(({ kind }) => kind), ['fault'])));
});

/** Counts the bytes that are moved in memory while `run` runs, by every way that JavaScript has to move many at once; throws beyond `limit`. */
function bytesMoved(limit: number, run: () => void): number {
  let moved = 0;
  const count = (bytes: number): void => {
    moved += bytes;
    if (moved > limit) throw new Error(`More than ${limit} bytes were moved.`);
  };
  const { set, slice, copyWithin } = Uint8Array.prototype;
  const joined = Buffer.concat;
  Object.assign(Uint8Array.prototype, {
    set(this: Uint8Array, source: ArrayLike<number>, offset?: number) { count(source.length); set.call(this, source, offset); },
    slice(this: Uint8Array, start?: number, end?: number) { const copy = slice.call(this, start, end); count(copy.length); return copy; },
    copyWithin(this: Uint8Array, target: number, start: number, end?: number) { count(this.length); return copyWithin.call(this, target, start, end); },
  });
  Buffer.concat = (list, total) => { const whole = joined(list, total); count(whole.length); return whole; };
  try {
    run();
  } finally {
    Object.assign(Uint8Array.prototype, { set, slice, copyWithin });
    Buffer.concat = joined;
  }
  return moved;
}

test('a megabyte that arrives byte by byte is moved once, not once a byte', () => {
  const bytes = framed('{"jsonrpc":"2.0","id":1,"result":{"nonce":"n"}}'.padEnd(1 << 20));
  const reader = createHostReader();
  reader.expect(1, 'ping');
  const all: Arrival[] = [];
  const moved = bytesMoved(2 * bytes.length, () => {
    for (let at = 0; at < bytes.length; at += 1) all.push(...reader.push(bytes.subarray(at, at + 1)));
  });
  assert.deepEqual(all, [response(1, { nonce: 'n' })]);
  // Otherwise nothing was counted.
  assert.ok(moved >= 1 << 20);
});
