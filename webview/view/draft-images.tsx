import type { ComponentChildren } from 'preact';
import { visibleText } from '../markdown/visible-text.ts';
import type { DraftImage } from '../state/drafts.ts';
import { useActions } from './actions.ts';
import { focusComposer } from './focus.ts';
import { Icon } from './icon.tsx';

/** The images of the draft, each with a button that takes it out, and a place for each that is still being read. */
export function DraftImages({ images, reading }: { readonly images: readonly DraftImage[]; readonly reading: number }): ComponentChildren {
  const { removeImage } = useActions();
  if (images.length + reading === 0) return null;
  // The button goes away with the image; the focus must not go with it.
  const remove = (id: string): void => {
    removeImage(id);
    focusComposer();
  };
  return (
    <ul class="thumbnails draft-images" aria-label="Images of this message">
      {images.map(({ id, thumbnail, label }) => (
        <li key={id}>
          <img src={thumbnail} alt={visibleText(label)} title={visibleText(label)} />
          <button type="button" class="remove" aria-label={`Remove ${visibleText(label)}`} title="Remove" onClick={() => remove(id)}><Icon name="close" /></button>
        </li>
      ))}
      {Array.from({ length: reading }, (_, n) => <li key={`reading ${n}`} class="reading"><Icon name="loading" /><span class="visually-hidden">Being read</span></li>)}
    </ul>
  );
}
