/** The first place where bytes stop being UTF-8. */
export interface Utf8Fault {
  readonly offset: number;
  readonly byte: number;
  /** 1-based. */
  readonly line: number;
  /** A guess, in words, for the message. */
  readonly looksLike: string;
}

/** null for valid UTF-8. After the Unicode Standard, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF. */
export function utf8Fault(bytes: Uint8Array): Utf8Fault | null {
  let line = 1;
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      if (lead === 10) line += 1;
      at += 1;
      continue;
    }
    const length = sequenceLength(bytes, at);
    if (length === 0) return { offset: at, byte: lead, line, looksLike: guess(bytes, at) };
    at += length;
  }
  return null;
}

/** The length of the well-formed sequence at `at`, or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  if (length === 0) return 0;
  const second = bytes[at + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let next = 2; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function guess(bytes: Uint8Array, at: number): string {
  if (bytes.length - at < 4 && (bytes[at] ?? 0) >= 0xc2 && bytes.subarray(at + 1).every((byte) => (byte & 0xc0) === 0x80)) {
    return 'the file seems to be cut off in the middle of a character';
  }
  let high = 0;
  let paired = 0;
  const end = Math.min(bytes.length, at + 4000);
  for (let next = at; next < end; next += 1) {
    if ((bytes[next] ?? 0) < 0x80) continue;
    high += 1;
    if ((bytes[next + 1] ?? 0) >= 0x80) {
      paired += 1;
      high += 1;
      next += 1;
    }
  }
  // Multi-byte encodings write letters in pairs of high bytes; Western ones have single high letters between plain ones.
  return paired * 2 > high * 0.8 ? 'it looks like a multi-byte encoding (GBK, Big5, Shift_JIS, EUC)' : 'it looks like Windows-1252 or another single-byte encoding';
}
