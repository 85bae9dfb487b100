import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame, readBodies } from '../../../tool-host/frames.ts';

async function bodiesOf(bytes: Uint8Array, chunkSize: number): Promise<{ readonly bodies: readonly string[]; readonly fault: string | null }> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  const bodies: string[] = [];
  try {
    for await (const body of readBodies(chunks())) bodies.push(new TextDecoder().decode(body));
    return { bodies, fault: null };
  } catch (error) {
    assert.ok(error instanceof Error);
    return { bodies, fault: error.message };
  }
}

async function check(text: string | Uint8Array, bodies: readonly string[], fault: string | null): Promise<void> {
  for (const chunkSize of [1, 5, 4096]) assert.deepEqual(await bodiesOf(Buffer.from(text), chunkSize), { bodies, fault });
}

const badHeader = 'A message header is not one Content-Length with a positive decimal number.';
const headerTooLong = 'A message header has more than 1024 bytes.';
const bodyTooLong = 'A message of more than 8388608 bytes was announced.';
const cutShort = 'The input ended in the middle of a message.';

test('frames are cut apart whatever the chunks', async () => {
  await check('', [], null);
  await check(Buffer.concat([frame({ a: 'é' }), frame({ b: 1 })]), ['{"a":"é"}', '{"b":1}'], null);
  await check('content-length:2\r\n\r\n{}', ['{}'], null);
});

test('what came before a fault is read, and nothing after it', async () => {
  await check('Content-Length: 2\r\n\r\n{}x\r\n\r\nContent-Length: 2\r\n\r\n{}', ['{}'], badHeader);
});

test('a header that is not one length is refused', async () => {
  for (const header of ['', 'Content-Length: -2', 'Content-Length: 0', 'Content-Length: 02', 'Content-Length: 0x2', 'Content-Length: 2\r\nContent-Length: 2', 'Content-Type: a']) {
    await check(`${header}\r\n\r\n{}`, [], badHeader);
  }
});

test('a header or a body above its cap is refused before it is kept', async () => {
  await check('x'.repeat(2000), [], headerTooLong);
  await check('Content-Length: 8388609\r\n\r\n', [], bodyTooLong);
  await check(`Content-Length: ${'9'.repeat(400)}\r\n\r\n`, [], bodyTooLong);
});

test('an end within a message is a fault', async () => {
  await check('Content-Length: 2\r\n', [], cutShort);
  await check('Content-Length: 3\r\n\r\n{}', [], cutShort);
});
