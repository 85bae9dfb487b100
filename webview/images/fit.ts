import type { SentImage } from '../protocol/messages.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of the long side: providers make smaller what is larger, and count it all the same. */
export const maxSide = 1568;

export function fitted({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** By the first bytes, whatever the file is called; null for what no provider takes as it is. */
export function mediaTypeOf(bytes: Uint8Array): SentImage['mediaType'] | null {
  const begins = (at: number, ...wanted: readonly number[]): boolean => wanted.every((byte, n) => bytes[at + n] === byte);
  if (begins(0, 0x89, 0x50, 0x4E, 0x47)) return 'image/png';
  if (begins(0, 0xFF, 0xD8, 0xFF)) return 'image/jpeg';
  if (begins(0, 0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  if (begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp';
  return null;
}

/** Characters of so many bytes in base64. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** `320 kB` */
export function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
