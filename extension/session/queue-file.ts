import { readFileSync, rmSync, statSync } from 'node:fs';
import { isDigest } from '../boundary/digest.ts';
import { imageTypes } from '../model/model-client.ts';
import type { QueuedMessage } from './queued-message.ts';
import type { LoggedImage, LogEvent } from './records.ts';
import { writeWhole } from './write-whole.ts';

const largestFile = 16 * 1024 * 1024;
const mostMessages = 1000;
const longestText = 1024 * 1024;
const mostImages = 8;
const longestThumbnail = 40_000;

export interface ReadQueue {
  readonly queued: readonly QueuedMessage[];
  /** For the person: what was dropped and why; null where nothing was. */
  readonly notice: string | null;
}

/** What waits to be read by the model, beside the log of its session: it survives a reload and a crash. */
export class QueueFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** What waited when it was written last, less what stands in the log: a crash may have come between the two. Never throws. */
  read(events: readonly LogEvent[]): ReadQueue {
    let queued: readonly QueuedMessage[] | null;
    try {
      if (statSync(this.#file).size > largestFile) return dropped('it is too large');
      queued = messagesIn(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { queued: [], notice: null };
      return dropped(error instanceof SyntaxError ? 'it is not JSON' : String(error));
    }
    if (queued === null) return dropped('it does not hold what such a file holds');
    const logged = new Set(events.flatMap((event) => (event.type === 'user' && event.id !== undefined ? [event.id] : [])));
    return { queued: queued.filter(({ id }) => !logged.has(id)), notice: null };
  }

  /** Throws what the file system says: then what waits is in memory only. */
  write(queued: readonly QueuedMessage[]): void {
    if (queued.length === 0) rmSync(this.#file, { force: true });
    else writeWhole(this.#file, JSON.stringify({ queued }));
  }
}

function dropped(why: string): ReadQueue {
  return { queued: [], notice: `Messages that waited in this session may be lost: the file that kept them cannot be read (${why}).` };
}

function messagesIn(value: unknown): readonly QueuedMessage[] | null {
  if (typeof value !== 'object' || value === null || !('queued' in value) || !Array.isArray(value.queued) || value.queued.length > mostMessages) return null;
  return allOf(value.queued, messageIn);
}

function messageIn(value: unknown): QueuedMessage | null {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('text' in value) || !('when' in value) || !('images' in value)) return null;
  const { id, text, when, images } = value;
  if (typeof id !== 'string' || id === '' || id.length > 200 || typeof text !== 'string' || text.length > longestText) return null;
  if ((when !== 'next-step' && when !== 'after-turn') || !Array.isArray(images) || images.length > mostImages) return null;
  const own = allOf(images, imageIn);
  return own === null ? null : { id, text: text.toWellFormed(), when, images: own };
}

function imageIn(value: unknown): LoggedImage | null {
  if (typeof value !== 'object' || value === null || !('digest' in value) || !('mediaType' in value) || !('bytes' in value) || !('thumbnail' in value)) return null;
  const { digest, bytes, thumbnail } = value;
  const mediaType = imageTypes.find((type) => type === value.mediaType);
  if (!isDigest(digest) || mediaType === undefined || typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) return null;
  if (typeof thumbnail !== 'string' || thumbnail.length > longestThumbnail || !/^(data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*)?$/.test(thumbnail)) return null;
  return { digest, mediaType, bytes, thumbnail };
}

/** null where one of them is none. */
function allOf<T>(values: readonly unknown[], read: (value: unknown) => T | null): readonly T[] | null {
  const all: T[] = [];
  for (const value of values) {
    const one = read(value);
    if (one === null) return null;
    all.push(one);
  }
  return all;
}
