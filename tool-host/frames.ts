import { maxHeaderBytes, maxMessageBytes } from './protocol/methods.ts';

/** Bytes that are no frame. What follows them cannot be told from noise, so nothing after it is read. */
class FrameError extends Error {
  override readonly name = 'FrameError';
}

const headerPattern = /^content-length:[ \t]*([1-9][0-9]*)[ \t]*\r\n\r\n$/i;

/** The bodies of a stream of `Content-Length` frames, each within the protocol's caps. Throws a `FrameError` at the first fault. */
export async function* readBodies(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let header = '';
  let body: Uint8Array | null = null;
  let filled = 0;
  for await (const chunk of input) {
    let at = 0;
    while (at < chunk.length) {
      if (body === null) {
        header += String.fromCharCode(chunk[at] ?? 0);
        at += 1;
        if (header.length > maxHeaderBytes) throw new FrameError(`A message header has more than ${maxHeaderBytes} bytes.`);
        if (!header.endsWith('\r\n\r\n')) continue;
        body = new Uint8Array(announcedLength(header));
        header = '';
        filled = 0;
      } else {
        const taken: number = Math.min(body.length - filled, chunk.length - at);
        body.set(chunk.subarray(at, at + taken), filled);
        filled += taken;
        at += taken;
        if (filled < body.length) continue;
        yield body;
        body = null;
      }
    }
  }
  if (body !== null || header !== '') throw new FrameError('The input ended in the middle of a message.');
}

export function frame(message: object): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(message));
  const header = new TextEncoder().encode(`Content-Length: ${body.length}\r\n\r\n`);
  const bytes = new Uint8Array(header.length + body.length);
  bytes.set(header);
  bytes.set(body, header.length);
  return bytes;
}

function announcedLength(header: string): number {
  const digits = headerPattern.exec(header)?.[1];
  if (digits === undefined) throw new FrameError('A message header is not one Content-Length with a positive decimal number.');
  const length = Number(digits);
  if (length > maxMessageBytes) throw new FrameError(`A message of more than ${maxMessageBytes} bytes was announced.`);
  return length;
}
