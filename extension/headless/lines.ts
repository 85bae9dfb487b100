/** In bytes: a line may hold a step of several calls, each with arguments at their cap. */
export const maxLineBytes = 64 * 1024 * 1024;

/** A line that cannot be taken. What follows it is still read. */
export interface BadLine {
  readonly fault: string;
}

/** Lines of a stream, as text. One over the cap is passed over. Bytes that are not UTF-8 are a fault: replaced, they would be others. */
export async function* linesOf(stream: AsyncIterable<Uint8Array | string>): AsyncIterable<string | BadLine> {
  let parts: Buffer[] = [];
  let size = 0;
  const line = (): string | BadLine => {
    const taken = size > maxLineBytes ? { fault: `The line is longer than ${maxLineBytes} bytes.` } : textOf(Buffer.concat(parts));
    parts = [];
    size = 0;
    return taken;
  };
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
      parts.push(bytes.subarray(start, end));
      size += end - start;
      yield line();
      start = end + 1;
    }
    size += bytes.length - start;
    if (size <= maxLineBytes) parts.push(Buffer.from(bytes.subarray(start)));
    else parts = [];
  }
  if (size > 0) yield line();
}

function textOf(bytes: Uint8Array): string | BadLine {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r$/, '');
  } catch {
    return { fault: 'The line is not UTF-8.' };
  }
}
