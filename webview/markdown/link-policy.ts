import { hasHidden } from './visible-text.ts';

const maxUrl = 4096;

/**
 * The address of a link that may be offered, as the browser would read it (a homoglyph host shows as `xn--…`), or null.
 * Only the web: `command:`, `file:`, `data:`, `javascript:`, `vscode:` and relative addresses are text. Nor is an address
 * that hides something: invisible characters, or a name and password before the host.
 */
export function webUrl(address: string): string | null {
  if (address.length > maxUrl || hasHidden(address) || /\s/.test(address)) return null;
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (url.username !== '' || url.password !== '' || url.href.length > maxUrl) return null;
  return url.href;
}

/** The host to say beside a link whose own text names another one; null where the text does not mislead. */
export function hostToSay(text: string, url: string): string | null {
  const named = /^\s*(?:https?:\/\/)?((?:[\p{L}\p{N}_-]+\.)+\p{L}{2,})(?:[/:?#]\S*)?\s*$/iu.exec(text)?.[1];
  if (named === undefined) return null;
  const target = URL.parse(url)?.hostname ?? '';
  const shown = URL.parse(`https://${named}`)?.hostname ?? '';
  return shown === target ? null : target;
}
