import type { ModelFailure } from './model-client.ts';

export interface ServerAddress {
  /** Without a query, and with no slash at its end. */
  readonly url: string;
  /** With its port. */
  readonly host: string;
  /** For every request: `api-version=2024-10-21`, as Azure wants it; else empty. */
  readonly query: string;
}

/** The address of a model server, or why it is none. Never throws. */
export function readServerAddress(baseUrl: string): ServerAddress | { readonly failure: ModelFailure } {
  const text = baseUrl.trim();
  if (text === '') return refuse('No address of a model server is set. Set it in the settings, for example http://127.0.0.1:11434/v1.');
  if (!URL.canParse(text)) return refuse(`The address of the model server, “${shown(text)}”, is no URL. Write it with its scheme and version, for example https://api.openai.com/v1.`);
  const url = new URL(text);
  // Checked before anything of the address is shown again.
  if (url.username !== '' || url.password !== '') return refuse('The address of the model server holds a user name or password. Take it out of the address and set the key by the command.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse(`The address of the model server starts with ${url.protocol} – only http: and https: can be used.`);
  const query = url.search.slice(1);
  if (url.href.includes('#') || (url.href.includes('?') && !/^api-version=[\w.-]+$/.test(query))) {
    return refuse('The address of the model server holds a “?” or “#”. Write it up to its version only, for example https://api.openai.com/v1. Only “?api-version=…”, as Azure has it, may follow.');
  }
  return { url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, host: url.host, query };
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
