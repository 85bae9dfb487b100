import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** A picture of one colour, as a PNG file. */
export function flatPng(width: number, height: number, colour: readonly [red: number, green: number, blue: number]): Buffer {
  return png(width, height, Buffer.concat(Array.from({ length: width }, () => Buffer.from(colour))));
}

/** One that no format makes smaller: each row is noise. */
export function noisyPng(width: number, height: number): Buffer {
  return png(width, height, null);
}

/** Width and height, by the header of a PNG file. */
export function pngSize(file: Buffer): readonly [width: number, height: number] {
  return [file.readUInt32BE(16), file.readUInt32BE(20)];
}

function png(width: number, height: number, row: Buffer | null): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, () => Buffer.concat([Buffer.from([0]), row ?? randomBytes(width * 3)]));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
