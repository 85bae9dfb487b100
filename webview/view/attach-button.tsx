import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { IconButton } from './button.tsx';
import { focusComposer } from './focus.ts';

/** Opens the browser's own choice of files. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ComponentChildren {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="attach" label="Add images" onPress={() => input.current?.click()} />
      <input
        ref={input} type="file" class="file-input" accept="image/*" multiple hidden tabIndex={-1} aria-hidden="true"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // The same file may be chosen again.
          event.currentTarget.value = '';
          focusComposer();
        }}
      />
    </>
  );
}
