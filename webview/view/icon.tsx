import type { ComponentChildren } from 'preact';

export type IconName =
  | 'arrow-down' | 'arrow-right' | 'arrow-up' | 'attach' | 'check' | 'chevron-down' | 'chevron-right' | 'circle-large-outline' | 'circle-slash' | 'close' | 'comment' | 'copy' | 'debug-disconnect' | 'debug-stop'
  | 'diff' | 'discard' | 'edit' | 'error' | 'eye' | 'folder-opened' | 'info' | 'key' | 'lightbulb' | 'loading' | 'lock' | 'pass-filled' | 'play' | 'question' | 'refresh' | 'search' | 'settings-gear' | 'shield'
  | 'beaker' | 'book' | 'warning' | 'watch';

/** Decoration: what it says must also stand in words beside it. */
export function Icon({ name }: { readonly name: IconName }): ComponentChildren {
  return <span class={`codicon codicon-${name}${name === 'loading' ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
