import type { ComponentChildren } from 'preact';
import type { IconName } from './icon-names.ts';

/** Decoration: what it says must also stand in words beside it. */
export function Icon({ name }: { readonly name: IconName }): ComponentChildren {
  return <span class={`codicon codicon-${name}${name === 'loading' ? ' spinning' : ''}`} aria-hidden="true" />;
}
