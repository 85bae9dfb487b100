import { maxHeaderBytes, maxMessageBytes } from '../../tool-host/protocol/methods.ts';

/** The body of one `Content-Length` frame, or why the bytes are no frame (how a sentence about the tool host goes on). */
export type Frame = { readonly kind: 'body'; readonly bytes: Uint8Array } | { readonly kind: 'fault'; readonly reason: string };

/**
 * Cuts a byte stream into frames: linear in bytes whatever the chunks, one body in memory at a time, and none before
 * its length is known to be within the cap. The one header that exists is `Content-Length`. Dead after a fault.
 */
export interface FrameReader {
  push(chunk: Uint8Array): readonly Frame[];
  /** Why the stream may not end here; null between two frames. */
  end(): string | null;
}

const carriageReturn = 13;
const lineFeed = 10;

export function createFrameReader(): FrameReader {
  const header = new Uint8Array(maxHeaderBytes);
  let headerLength = 0;
  let body: Uint8Array | null = null;
  let filled = 0;
  let dead = false;

  /** Null as long as the header may go on. */
  function takeHeaderByte(byte: number): number | string | null {
    if (headerLength === maxHeaderBytes) return `sent a header of more than ${maxHeaderBytes} bytes`;
    const previous = headerLength === 0 ? undefined : header[headerLength - 1];
    const afterReturn = previous === carriageReturn;
    const printable = byte >= 32 && byte <= 126;
    if (afterReturn ? byte !== lineFeed : !printable && byte !== carriageReturn) return 'sent something that is not a message header';
    header[headerLength] = byte;
    headerLength += 1;
    if (byte !== lineFeed) return null;
    const text = String.fromCharCode(...header.subarray(0, headerLength));
    return text === '\r\n' || text.endsWith('\r\n\r\n') ? contentLength(text) : headerLineFault(text);
  }

  return {
    push(chunk) {
      const frames: Frame[] = [];
      let at = 0;
      while (at < chunk.length && !dead) {
        if (body === null) {
          const outcome = takeHeaderByte(chunk[at] ?? 0);
          at += 1;
          if (typeof outcome === 'string') {
            dead = true;
            frames.push({ kind: 'fault', reason: outcome });
          } else if (outcome !== null) {
            headerLength = 0;
            filled = 0;
            body = new Uint8Array(outcome);
          }
        } else {
          const taken = Math.min(body.length - filled, chunk.length - at);
          body.set(chunk.subarray(at, at + taken), filled);
          filled += taken;
          at += taken;
          if (filled === body.length) {
            frames.push({ kind: 'body', bytes: body });
            body = null;
          }
        }
      }
      return frames;
    },
    end() {
      if (dead) return null;
      dead = true;
      return body === null && headerLength === 0 ? null : 'ended in the middle of a message';
    },
  };
}

/** What is already known to be wrong with a header of which only some lines are here: noise need not wait for its blank line. */
function headerLineFault(text: string): string | null {
  const lines = text.split('\r\n').slice(0, -1);
  return lines.every((line) => line.includes(':')) ? null : 'sent something that is not a message header';
}

/** The length that a whole header block announces, or its fault. */
function contentLength(block: string): number | string {
  const lengths: string[] = [];
  for (const line of block.split('\r\n').filter((text) => text !== '')) {
    const colon = line.indexOf(':');
    if (line.slice(0, colon).toLowerCase() !== 'content-length') return 'sent a message header other than Content-Length';
    lengths.push(line.slice(colon + 1).trim());
  }
  const [length] = lengths;
  if (length === undefined) return 'sent a message without Content-Length';
  if (lengths.length > 1) return 'sent a message with more than one Content-Length';
  if (!/^[1-9][0-9]*$/.test(length)) return 'sent a Content-Length that is not a positive decimal number';
  const bytes = Number(length);
  return bytes > maxMessageBytes ? `announced a message of more than ${maxMessageBytes} bytes` : bytes;
}
