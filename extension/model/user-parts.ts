import { imageTypes, type ImageType, type ModelCapabilities, type ModelMessage, type ModelRequest } from './model-client.ts';
import { wellFormed } from './wire-text.ts';

export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: ImageType; readonly base64: string };

/**
 * What a person's message consists of: its text, then its images. An image that is gone, or that the model or its
 * provider does not take, is told as text; so the model knows that something was there.
 */
export function userPartsOf(
  message: Extract<ModelMessage, { role: 'user' }>, request: ModelRequest, capabilities: ModelCapabilities, takes: readonly ImageType[] = imageTypes,
): readonly UserPart[] {
  const images = (message.images ?? []).map(({ digest, mediaType }): UserPart => {
    if (!capabilities.images) return { type: 'text', text: '[The person sent an image here. This model takes no images, so it is left out.]' };
    if (!takes.includes(mediaType)) return { type: 'text', text: `[The person sent an image here. This provider takes no ${mediaType}, so it is left out.]` };
    const base64 = request.images?.get(digest);
    return base64 === undefined ? { type: 'text', text: '[The person sent an image here. It is no longer there.]' } : { type: 'image', mediaType, base64 };
  });
  return message.text === '' && images.length > 0 ? images : [{ type: 'text', text: wellFormed(message.text) }, ...images];
}
