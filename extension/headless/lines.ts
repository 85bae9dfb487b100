/** In bytes: a line may hold a step of several calls, each with arguments at their cap. */
export const maxLineBytes = 64 * 1024 * 1024;

/** Lines of a stream, as text. One over the cap is passed over and comes as `null`: what follows it is still read. */
export async function* linesOf(stream: AsyncIterable<Uint8Array | string>): AsyncIterable<string | null> {
  let parts: Buffer[] = [];
  let size = 0;
  const line = (): string | null => {
    const text = size > maxLineBytes ? null : Buffer.concat(parts).toString('utf8').replace(/\r$/, '');
    parts = [];
    size = 0;
    return text;
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
