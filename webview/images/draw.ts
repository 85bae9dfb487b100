import { maxImage, maxThumbnail } from '../protocol/messages.ts';
import { base64Length, fitted, maxSide } from './fit.ts';

/** Up to this a PNG stays one: text and edges stay sharp. */
const smallPng = 1_000_000;
const thumbnailSides = [192, 128, 64, 32] as const;

/** The image as the model gets it: PNG where it is small or one sees through it, JPEG else. Null where it cannot be made small enough. */
export async function drawnToFit(bitmap: ImageBitmap): Promise<Blob | null> {
  for (let side = maxSide; side >= 200; side = Math.floor(side * 0.7)) {
    const canvas = drawn(bitmap, side);
    const png = await canvas.convertToBlob({ type: 'image/png' });
    const blob = png.size <= smallPng || isTransparent(canvas) ? png : await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
    if (base64Length(blob.size) <= maxImage) return blob;
  }
  return null;
}

/** A `data:` address that fits; null where none does. */
export async function thumbnailOf(bitmap: ImageBitmap): Promise<string | null> {
  for (const side of thumbnailSides) {
    const blob = await drawn(bitmap, side).convertToBlob({ type: 'image/webp', quality: 0.8 });
    const address = `data:${blob.type};base64,${await base64Of(blob)}`;
    if (address.length <= maxThumbnail) return address;
  }
  return null;
}

export function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The image could not be read.')));
    reader.readAsDataURL(blob);
  });
}

function drawn(bitmap: ImageBitmap, side: number): OffscreenCanvas {
  const { width, height } = fitted(bitmap, side);
  const canvas = new OffscreenCanvas(width, height);
  const context = contextOf(canvas);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas;
}

function isTransparent(canvas: OffscreenCanvas): boolean {
  const { data } = contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height);
  for (let alpha = 3; alpha < data.length; alpha += 4) if (data[alpha] !== 255) return true;
  return false;
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This window cannot draw images.');
  return context;
}
