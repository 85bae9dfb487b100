import type { ComponentChildren } from 'preact';
import { visibleText } from '../markdown/visible-text.ts';
import type { EntryImage } from '../protocol/state.ts';

/** The images of a message that was sent. */
export function Thumbnails({ images }: { readonly images: readonly EntryImage[] }): ComponentChildren {
  if (images.length === 0) return null;
  return (
    <ul class="thumbnails" aria-label="Images">
      {images.map(({ thumbnail, label }, n) => <li key={n}><img src={thumbnail} alt={visibleText(label)} title={visibleText(label)} /></li>)}
    </ul>
  );
}
