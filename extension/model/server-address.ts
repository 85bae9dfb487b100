import type { ModelFailure } from './model-client.ts';

/** The address of a model server, with no slash at its end, or why it is none. Never throws. */
export function readServerAddress(baseUrl: string): { readonly url: string } | { readonly failure: ModelFailure } {
  const text = baseUrl.trim();
  if (text === '') return refuse('No address of a model server is set. Set it in the settings, for example http://127.0.0.1:11434/v1.');
  if (!URL.canParse(text)) return refuse(`The address of the model server, “${shown(text)}”, is no URL. Write it with its scheme and version, for example https://api.openai.com/v1.`);
  const url = new URL(text);
  // Checked before anything of the address is shown again.
  if (url.username !== '' || url.password !== '') return refuse('The address of the model server holds a user name or password. Take it out of the address and set the key by the command.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse(`The address of the model server starts with ${url.protocol} – only http: and https: can be used.`);
  if (url.search !== '' || url.hash !== '') return refuse('The address of the model server holds a “?” or “#”. Write it up to its version only, for example https://api.openai.com/v1.');
  return { url: url.href.replace(/\/+$/, '') };
}

/** A key as a header can carry it; undefined where none is needed. */
export function readKey(key: string | undefined): { readonly key: string | undefined } | { readonly failure: ModelFailure } {
  const trimmed = key?.trim();
  if (trimmed === undefined || trimmed === '') return { key: undefined };
  if (/^[\x21-\x7e]+$/.test(trimmed)) return { key: trimmed };
  return { failure: { kind: 'key', retryable: false, message: 'The key that is stored holds a blank, a line break or a character that no key has. Set it again, and paste the key alone.' } };
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function refuse(message: string): { readonly failure: ModelFailure } {
  return { failure: { kind: 'bad-request', retryable: false, message } };
}

function shown(text: string): string {
  // What cannot be parsed may still hold a password before an `@`.
  const bare = text.replace(/[^/@]*@/g, '…@');
  return bare.length > 80 ? `${bare.slice(0, 80)}…` : bare;
}
