import type { ObjectStore } from '../files/object-store.ts';
import type { ImageType } from '../model/model-client.ts';
import type { LoggedImage } from '../session/records.ts';
import type { SentImage } from '../../webview/protocol/messages.ts';

/** Images as the view sent them, kept by their bytes; or why they cannot be taken. */
export async function takeImages(sent: readonly SentImage[], objects: ObjectStore): Promise<readonly LoggedImage[] | { readonly refused: string }> {
  const images: LoggedImage[] = [];
  for (const { mediaType, base64, thumbnail } of sent) {
    const bytes = Buffer.from(base64, 'base64');
    if (!beginsAs(mediaType, bytes)) return { refused: `An image that says it is ${mediaType} is something else. Save it anew in that format, or send it as another.` };
    try {
      images.push({ digest: await objects.put(bytes), mediaType, bytes: bytes.length, thumbnail });
    } catch (error) {
      return { refused: `The image could not be kept (${error instanceof Error ? error.message : String(error)}), so nothing was sent.` };
    }
  }
  return images;
}

/** A provider refuses the whole conversation, for ever after, where an image is not what it says. */
function beginsAs(mediaType: ImageType, bytes: Buffer): boolean {
  const at = (start: number, text: string): boolean => bytes.toString('latin1', start, start + text.length) === text;
  switch (mediaType) {
    case 'image/png': return at(0, '\x89PNG\r\n\x1a\n');
    case 'image/jpeg': return at(0, '\xff\xd8\xff');
    case 'image/gif': return at(0, 'GIF87a') || at(0, 'GIF89a');
    case 'image/webp': return at(0, 'RIFF') && at(8, 'WEBP');
  }
}
