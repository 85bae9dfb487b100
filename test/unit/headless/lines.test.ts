import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type BadLine, linesOf, maxLineBytes } from '../../../extension/headless/lines.ts';

async function* chunks(...given: readonly (Uint8Array | string)[]): AsyncIterable<Uint8Array | string> {
  yield* given;
}

async function read(...given: readonly (Uint8Array | string)[]): Promise<readonly (string | BadLine)[]> {
  const lines: (string | BadLine)[] = [];
  for await (const line of linesOf(chunks(...given))) lines.push(line);
  return lines;
}

suite('lines of standard input', () => {
  test('a line ends at a line feed; a carriage return before it is no part of it; the last needs no end', async () => {
    assert.deepEqual(await read('a\nb\r\nc'), ['a', 'b', 'c']);
    assert.deepEqual(await read('a\n\n\r\nb\n'), ['a', '', '', 'b']);
    assert.deepEqual(await read('a\rb\r\r\n'), ['a\rb\r']);
    assert.deepEqual(await read('a\r'), ['a']);
    assert.deepEqual(await read(''), []);
    assert.deepEqual(await read(), []);
  });

  test('separators of Unicode end no line, and a byte order mark stays what it is', async () => {
    assert.deepEqual(await read('a\u2028b\u2029c\u0085d\ve\n\ufefff'), ['a\u2028b\u2029c\u0085d\ve', '\ufefff']);
  });

  test('a character that is cut by the end of a chunk is whole again', async () => {
    const bytes = Buffer.from('é😀\r\nü\n');
    for (let cut = 0; cut <= bytes.length; cut += 1) assert.deepEqual(await read(bytes.subarray(0, cut), bytes.subarray(cut)), ['é😀', 'ü'], String(cut));
    assert.deepEqual(await read(...[...bytes].map((byte) => Uint8Array.of(byte))), ['é😀', 'ü']);
  });

  test('a buffer that is used again for the next chunk changes nothing that was read', async () => {
    const shared = Buffer.from('abc');
    async function* reused(): AsyncIterable<Uint8Array> {
      yield shared;
      shared.write('xyz');
      yield shared;
    }
    const lines: (string | BadLine)[] = [];
    for await (const line of linesOf(reused())) lines.push(line);
    assert.deepEqual(lines, ['abcxyz']);
  });

  test('B2 bytes that are not UTF-8 are a fault, not other characters, and the next line is read', async () => {
    const bad: readonly (readonly number[])[] = [[0xff], [0xc3], [0xc3, 0x28], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]];
    for (const bytes of bad) {
      assert.deepEqual(await read(Buffer.from([0x22, ...bytes, 0x22, 0x0a]), 'next\n'), [{ fault: 'The line is not UTF-8.' }, 'next'], bytes.join());
      assert.deepEqual(await read(Buffer.from(bytes)), [{ fault: 'The line is not UTF-8.' }]);
    }
  });

  test('a line over the cap is passed over, wherever it ends, and what follows is read', async () => {
    const piece = Buffer.alloc(8 * 1024 * 1024, 'x');
    const long = Array.from({ length: maxLineBytes / piece.length }, () => piece);
    const [atCap, next] = await read(...long, '\nnext');
    assert.deepEqual([typeof atCap === 'string' ? atCap.length : atCap, next], [maxLineBytes, 'next']);
    const fault = { fault: `The line is longer than ${maxLineBytes} bytes.` };
    assert.deepEqual(await read(...long, 'x', '\nnext\n'), [fault, 'next']);
    assert.deepEqual(await read('first\n', ...long, piece, 'tail\nnext', '\n'), ['first', fault, 'next']);
    assert.deepEqual(await read(...long, 'x'), [fault]);
  });

  test('however text is cut into chunks, its lines are the same', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\r', '\n', '"') })), async (parts) => {
      const whole = parts.join('');
      assert.deepEqual(await read(...parts), await read(whole));
      const expected = whole.split('\n');
      if (expected.at(-1) === '') expected.pop();
      assert.deepEqual(await read(whole), expected.map((line) => line.replace(/\r$/, '')));
    }));
  });
});
