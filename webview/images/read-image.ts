import { visibleText } from '../markdown/visible-text.ts';
import { maxImage, type SentImage } from '../protocol/messages.ts';
import { base64Of, drawnToFit, thumbnailOf } from './draw.ts';
import { base64Length, maxSide, mediaTypeOf, sizeText } from './fit.ts';

export type ReadImage =
  | { readonly state: 'read'; readonly image: SentImage & { readonly label: string } }
  | { readonly state: 'refused'; readonly why: string };

/** Larger files are not decoded: it would take the page's memory. */
const maxFile = 50_000_000;

/** A file of the person's as an image that can be sent: as it is where it fits, else drawn anew. */
export async function readImage(file: File): Promise<ReadImage> {
  const name = visibleText(file.name === '' ? 'the image' : file.name);
  if (file.type !== '' && !file.type.startsWith('image/')) return refused(`${name} is no image. PNG, JPEG, GIF and WebP can be sent; name a text file by its path instead.`);
  if (file.size > maxFile) return refused(`${name} is too large (${sizeText(file.size)}). Make it smaller than ${sizeText(maxFile)} and add it again.`);
  try {
    const bitmap = await createImageBitmap(file);
    try {
      return await fromBitmap(file, bitmap, name);
    } finally {
      bitmap.close();
    }
  } catch {
    return refused(`${name} could not be read as an image. Save it as PNG or JPEG and add it again.`);
  }
}

async function fromBitmap(file: File, bitmap: ImageBitmap, name: string): Promise<ReadImage> {
  const fits = Math.max(bitmap.width, bitmap.height) <= maxSide && base64Length(file.size) <= maxImage;
  const own = mediaTypeOf(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  const blob = fits && own !== null ? file : await drawnToFit(bitmap);
  const thumbnail = await thumbnailOf(bitmap);
  if (blob === null || thumbnail === null) return refused(`${name} could not be made small enough. Make it smaller and add it again.`);
  const mediaType = blob === file ? own : mediaTypeOf(new Uint8Array(await blob.slice(0, 16).arrayBuffer()));
  if (mediaType === null) return refused(`${name} could not be drawn as an image that a model reads. Save it as PNG or JPEG and add it again.`);
  return { state: 'read', image: { mediaType, base64: await base64Of(blob), thumbnail, label: `${name}, ${sizeText(blob.size)}` } };
}

function refused(why: string): ReadImage {
  return { state: 'refused', why };
}
