import { CodedError } from '../boundary/error-codes.ts';
import { utf8Fault } from './utf8-fault.ts';

/** A file's text; `encodeText` gives back exactly the bytes that it was decoded from. */
export interface DecodedText {
  /** Without the byte order mark. Line ends as they stand in the file. */
  readonly text: string;
  readonly bom: boolean;
}

const byteOrderMark = '\uFEFF';
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Strict UTF-8, with or without a byte order mark. FS_ENCODING or FS_NOT_TEXT for anything else: it could not be written back. */
export function decodeText(bytes: Uint8Array, display: string): DecodedText | CodedError {
  const wide = wideMark(bytes);
  if (wide !== null) return notUtf8(display, `starts with the byte order mark of ${wide}`);
  const nul = bytes.indexOf(0);
  if (nul >= 0) {
    const likely = looksLikeBareUtf16(bytes);
    if (likely !== null) return notUtf8(display, `looks like ${likely} without a byte order mark`);
    return new CodedError('FS_NOT_TEXT', `${display} is a binary file (a NUL byte at offset ${nul}). It cannot be edited as text; leave it as it is.`);
  }
  let whole: string;
  try {
    whole = decoder.decode(bytes);
  } catch (cause) {
    const fault = utf8Fault(bytes);
    return fault === null
      ? notUtf8(display, 'is not valid UTF-8', cause)
      : notUtf8(display, `is not valid UTF-8: byte 0x${hex(fault.byte)} at offset ${fault.offset}, line ${fault.line}; ${fault.looksLike}`, cause);
  }
  if (!sameBytes(Buffer.from(whole, 'utf8'), bytes)) return notUtf8(display, 'does not survive decoding and encoding');
  return whole.startsWith(byteOrderMark) ? { text: whole.slice(1), bom: true } : { text: whole, bom: false };
}

/** The bytes of the text. FS_ENCODING where the text holds half a character (a lone surrogate), which no file can. */
export function encodeText({ text, bom }: DecodedText, display: string): Uint8Array | CodedError {
  const whole = bom ? byteOrderMark + text : text;
  const bytes = Buffer.from(whole, 'utf8');
  if (bytes.toString('utf8') === whole) return bytes;
  return new CodedError('FS_ENCODING', `The new text of ${display} holds half a character (a lone surrogate), which UTF-8 cannot hold. Write the whole character.`);
}

export type LineEnds = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none';

export interface LineSurvey {
  readonly ends: LineEnds;
  readonly lf: number;
  readonly crlf: number;
  readonly cr: number;
  /** True where the text is empty or ends with a line end. */
  readonly finalNewline: boolean;
}

export function surveyLines(text: string): LineSurvey {
  let lf = 0;
  let crlf = 0;
  let cr = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 10) lf += 1;
    else if (unit === 13 && text.charCodeAt(at + 1) === 10) {
      crlf += 1;
      at += 1;
    } else if (unit === 13) cr += 1;
  }
  const kinds: LineEnds[] = [];
  if (lf > 0) kinds.push('lf');
  if (crlf > 0) kinds.push('crlf');
  if (cr > 0) kinds.push('cr');
  const last = text.charCodeAt(text.length - 1);
  return { ends: kinds.length > 1 ? 'mixed' : kinds[0] ?? 'none', lf, crlf, cr, finalNewline: text === '' || last === 10 || last === 13 };
}

function notUtf8(display: string, what: string, cause?: unknown): CodedError {
  return new CodedError('FS_ENCODING',
    `${display} ${what}. Only UTF-8 can be edited here without damage to its other bytes; ask the user to save it as UTF-8 first.`, { cause });
}

function wideMark(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 && bytes.length % 4 === 0 ? 'UTF-32 (little endian)' : 'UTF-16 (little endian)';
  if (a === 0xfe && b === 0xff) return 'UTF-16 (big endian)';
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? 'UTF-32 (big endian)' : null;
}

/** Western text in UTF-16 has a NUL in nearly every second byte, always on the same side. */
function looksLikeBareUtf16(bytes: Uint8Array): string | null {
  const length = Math.min(bytes.length, 1000);
  if (length < 4 || bytes.length % 2 === 1) return null;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 1) {
    if (bytes[at] !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const enough = length * 0.4;
  if (odd > enough && even === 0) return 'UTF-16 (little endian)';
  return even > enough && odd === 0 ? 'UTF-16 (big endian)' : null;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
