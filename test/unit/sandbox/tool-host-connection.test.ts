import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createMessageConnection, type Message, MessageReader, ResponseError } from 'vscode-jsonrpc/node';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { createHostReader } from '../../../extension/sandbox/host-reader.ts';
import { FilteredMessageReader } from '../../../extension/sandbox/jsonrpc-reader.ts';
import { RequestWriter } from '../../../extension/sandbox/jsonrpc-writer.ts';
import { connectToolHost, type ToolHostConnection } from '../../../extension/sandbox/tool-host-connection.ts';

interface Wired {
  readonly connection: ToolHostConnection;
  readonly fromHost: PassThrough;
  readonly toHost: PassThrough;
  readonly faults: readonly string[];
}

function wire(): Wired {
  const [fromHost, toHost] = [new PassThrough(), new PassThrough()];
  const connection = connectToolHost({ fromHost, toHost });
  const faults: string[] = [];
  connection.onFault((reason) => faults.push(reason));
  return { connection, fromHost, toHost, faults };
}

const framed = (message: object): string => {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};
const lost = (message: string) => (error: unknown): boolean => {
  assert.ok(error instanceof CodedError);
  assert.deepEqual([error.code, error.message], ['HOST_LOST', message]);
  return true;
};
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a request is one frame, and resolves with its answer', async () => {
  const { connection, fromHost, toHost } = wire();
  const answer = connection.request('ping', { nonce: 'n' });
  await settle();
  assert.equal(String(toHost.read()), framed({ jsonrpc: '2.0', id: 0, method: 'ping', params: { nonce: 'n' } }));
  fromHost.write(framed({ jsonrpc: '2.0', id: 0, result: { nonce: 'n' } }));
  assert.deepEqual(await answer, { nonce: 'n' });
});

test('an error of the host rejects that request alone', async () => {
  const { connection, fromHost, faults } = wire();
  const [first, second] = [connection.request('ping', { nonce: 'a' }), connection.request('ping', { nonce: 'b' })];
  fromHost.write(framed({ jsonrpc: '2.0', id: 0, error: { code: -32602, message: 'no' } }) + framed({ jsonrpc: '2.0', id: 1, result: { nonce: 'b' } }));
  await assert.rejects(first, (error) => error instanceof ResponseError && error.code === -32602 && error.message === 'no');
  assert.deepEqual(await second, { nonce: 'b' });
  assert.deepEqual(faults, []);
});

test('a fault ends the connection once: waiting and later requests are lost, and both streams are closed', async () => {
  const { connection, fromHost, toHost, faults } = wire();
  const reason = 'The tool host sent "workspace/applyEdit", but it may only answer.';
  const waiting = connection.request('ping', { nonce: 'n' });
  fromHost.write(framed({ jsonrpc: '2.0', id: 7, method: 'workspace/applyEdit', params: { edit: {} } }).repeat(2));
  await assert.rejects(waiting, lost(reason));
  await assert.rejects(connection.request('ping', { nonce: 'n' }), lost(reason));
  assert.deepEqual(faults, [reason]);
  assert.deepEqual([fromHost.destroyed, toHost.destroyed], [true, true]);
  const late: string[] = [];
  connection.onFault((text) => late.push(text));
  assert.deepEqual(late, [reason]);
});

test('an end of the host that nobody asked for is a fault', async () => {
  const { fromHost, faults } = wire();
  fromHost.end();
  await settle();
  await settle();
  assert.deepEqual(faults, ['The tool host closed the connection.']);
});

test('an end that we asked for closes the host\'s input and is no fault', async () => {
  const { connection, fromHost, toHost, faults } = wire();
  const waiting = connection.request('ping', { nonce: 'n' });
  connection.end();
  assert.equal(toHost.writableEnded, true);
  await assert.rejects(waiting, lost('The connection to the tool host has ended.'));
  await assert.rejects(connection.request('ping', { nonce: 'n' }), lost('The connection to the tool host has ended.'));
  fromHost.write('noise\n');
  fromHost.end();
  await settle();
  await settle();
  assert.deepEqual(faults, []);
});

test('a request that cannot be written is lost', async () => {
  const { connection, toHost } = wire();
  toHost.destroy();
  await assert.rejects(connection.request('ping', { nonce: 'n' }), lost('The connection to the tool host has ended.'));
});

test('the library may send nothing of its own', async () => {
  const toHost = new PassThrough();
  const writer = new RequestWriter(toHost, createHostReader());
  const refused: readonly (Message & Readonly<Record<string, unknown>>)[] = [
    { jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 0 } }, { jsonrpc: '2.0', method: '$/setTrace', params: { value: 'off' } },
    { jsonrpc: '2.0', id: 0, method: 'shutdown' }, { jsonrpc: '2.0', id: 0, method: 'toString' }, { jsonrpc: '2.0', id: 'a', method: 'ping' },
    { jsonrpc: '2.0', id: 0, result: null },
  ];
  for (const message of refused) await assert.rejects(writer.write(message), /Only requests of the tool host protocol/);
  assert.equal(toHost.read(), null);
});

test('as a transport of a plain connection, the reader lets no handler see a request of the host', async () => {
  const [fromHost, toHost] = [new PassThrough(), new PassThrough()];
  const filter = createHostReader();
  const reader = new FilteredMessageReader(fromHost, filter);
  assert.equal(MessageReader.is(reader), true);
  const connection = createMessageConnection(reader, new RequestWriter(toHost, filter));
  const seen: string[] = [];
  connection.onRequest((method) => void seen.push(`handled ${method}`));
  connection.onNotification((method) => void seen.push(`handled ${method}`));
  connection.onError(([error]) => seen.push(error.message));
  connection.onClose(() => seen.push('closed'));
  connection.listen();
  fromHost.write(framed({ jsonrpc: '2.0', method: 'window/logMessage', params: {} }) + framed({ jsonrpc: '2.0', id: 1, method: 'window/showDocument' }));
  await settle();
  await settle();
  assert.deepEqual(seen, ['The tool host sent "window/logMessage", but it may only answer.', 'closed']);
  connection.dispose();
});
