import { readErrorBody } from './error-body.ts';
import { openAIHeaders } from './openai-headers.ts';
import type { NetworkProtocol } from './profile.ts';
import { failureOfConnection, type ProtocolWords } from './provider-failures.ts';
import type { Timer } from './response-watch.ts';
import { readServerAddress } from './server-address.ts';

/** A server, as the person named it. */
export interface ServerPlace {
  readonly protocol: NetworkProtocol;
  readonly baseUrl: string;
}

export interface ListPorts {
  readonly timer: Timer;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

/** What came of asking a server something with GET. */
export type Asked =
  | { readonly kind: 'answered'; readonly body: unknown }
  | { readonly kind: 'status'; readonly status: number; /** Whole, and as the server says it: a key may stand in it. */ readonly detail: string }
  /** It answered, and not with JSON. */
  | { readonly kind: 'no-json' }
  | { readonly kind: 'stopped' }
  /** No answer at all: why, with what to do next. */
  | { readonly kind: 'silent'; readonly message: string };

const longestBody = 8 * 1024 * 1024;
const longestName = 300;
const mostModels = 2000;
const words: ProtocolWords = { server: 'a model server', version: '/v1' };

/** Asks for `path` of the server, `/models`, with that protocol's headers. Never throws. No redirect is followed: it could take the key elsewhere. */
export async function askServer(place: ServerPlace, path: string, key: string | undefined, ports: ListPorts): Promise<Asked> {
  if (ports.signal.aborted) return { kind: 'stopped' };
  const address = readServerAddress(place.baseUrl);
  if ('failure' in address) return { kind: 'silent', message: address.failure.message };
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  let late = false;
  const disarm = ports.timer(ports.deadlineMs, () => { late = true; stop(); });
  ports.signal.addEventListener('abort', stop, { once: true });
  try {
    const response = await fetch(`${address.url}${path}${queryOf(place.protocol, path, address.query)}`, {
      headers: { accept: 'application/json', ...headersOf(place.protocol, key, address.host) }, signal: controller.signal, redirect: 'manual',
    });
    const text = await readText(response, controller);
    if (!response.ok) return { kind: 'status', status: response.status, detail: readErrorBody(text).detail.replace(/\s+/g, ' ').trim() };
    try {
      const body: unknown = JSON.parse(text);
      return { kind: 'answered', body };
    } catch {
      return { kind: 'no-json' };
    }
  } catch (error) {
    if (ports.signal.aborted) return { kind: 'stopped' };
    if (late) return { kind: 'silent', message: `The server at ${address.url} gave no answer for ${Math.ceil(ports.deadlineMs / 1000)} s. Check the address, and that the server runs.` };
    return { kind: 'silent', message: failureOfConnection(error, { url: address.url, model: '', words, key, now: () => 0 }).message };
  } finally {
    disarm();
    ports.signal.removeEventListener('abort', stop);
  }
}

/** The names in a list of models, in the server's order, or null where the answer is no such list. */
export function readModelList(body: unknown): readonly string[] | null {
  const list = listIn(body);
  if (list === null) return null;
  const names = list.flatMap((entry) => {
    const name = nameOf(entry);
    return name !== null && name.length <= longestName && !/\p{Cc}/u.test(name) ? [name] : [];
  });
  return [...new Set(names)].slice(0, mostModels);
}

/** Whether a model of this name could hold a conversation: servers list those for sound, pictures and vectors with the others. */
export function canChat(name: string): boolean {
  return !/embed|whisper|tts|dall-e|moderation|transcribe|realtime|imagen|image|sora|veo|rerank|audio|babbage|davinci|aqa$/i.test(name);
}

function listIn(body: unknown): readonly unknown[] | null {
  if (isList(body)) return body;
  if (typeof body !== 'object' || body === null) return null;
  if ('data' in body && isList(body.data)) return body.data;
  return 'models' in body && isList(body.models) ? body.models : null;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function nameOf(entry: unknown): string | null {
  if (typeof entry !== 'object' || entry === null) return null;
  if ('supportedGenerationMethods' in entry && isList(entry.supportedGenerationMethods) && !entry.supportedGenerationMethods.includes('generateContent')) return null;
  if ('id' in entry && typeof entry.id === 'string' && entry.id !== '') return entry.id;
  // Gemini's names begin with what they are.
  return 'name' in entry && typeof entry.name === 'string' && entry.name !== '' ? entry.name.replace(/^models\//, '') : null;
}

function headersOf(protocol: NetworkProtocol, key: string | undefined, host: string): Readonly<Record<string, string>> {
  switch (protocol) {
    case 'openai-chat':
    case 'openai-responses':
      return openAIHeaders(key, host);
    case 'anthropic':
      return { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) };
    case 'gemini':
      return key === undefined ? {} : { 'x-goog-api-key': key };
  }
}

/** Two of them list a page at a time: one that holds all. */
function queryOf(protocol: NetworkProtocol, path: string, own: string): string {
  const page = path !== '/models' ? '' : protocol === 'anthropic' ? 'limit=1000' : protocol === 'gemini' ? 'pageSize=1000' : '';
  const parts = [own, page].filter((part) => part !== '');
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

async function readText(response: Response, controller: AbortController): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (body === null) return '';
  for await (const piece of body) {
    length += piece.length;
    if (length > longestBody) {
      controller.abort();
      break;
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
