import { askServer, canChat, readModelList, type Asked, type ListPorts, type ServerPlace } from './model-list.ts';
import { hostOf } from './profile.ts';
import { bare } from './provider-failures.ts';
import { readKey } from './server-address.ts';

/** What a server says of a key. */
export type KeyCheck =
  /** It takes the key. */
  | { readonly kind: 'works'; readonly models: readonly string[] }
  /** It answers, and what it answers proves nothing about the key: `message` says so. */
  | { readonly kind: 'unproven'; readonly models: readonly string[]; readonly message: string }
  /** It does not take the key. */
  | { readonly kind: 'refused'; readonly message: string }
  /** No answer that says anything: the key may be right. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped' };

export type CheckPorts = Pick<ListPorts, 'timer' | 'signal'>;

const deadlineMs = 20_000;

/**
 * Asks the server for its models with this key; undefined where none is needed. A list that is also given without a key proves nothing,
 * as with llama.cpp and OpenRouter; the latter tells of a key elsewhere. The key is sent to this server and nowhere else. Never throws.
 */
export async function checkKey(place: ServerPlace, key: string | undefined, ports: CheckPorts): Promise<KeyCheck> {
  const wrong = faultOfKey(key ?? '');
  if (wrong !== null) return { kind: 'refused', message: wrong };
  const read = readKey(key);
  const usable = 'key' in read ? read.key : undefined;
  const within = { ...ports, deadlineMs };
  const listed = await askServer(place, '/models', usable, within);
  if (listed.kind !== 'answered') return judge(listed, place, usable);
  const names = readModelList(listed.body);
  if (names === null) return judge({ kind: 'no-json' }, place, usable);
  const models = names.filter(canChat);
  if (usable === undefined) return { kind: 'works', models };
  if (hostOf(place.baseUrl) === 'openrouter.ai') {
    const own = await askServer(place, '/key', usable, within);
    if (own.kind === 'stopped') return own;
    if (own.kind === 'status' && isRefusal(own.status)) return judge(own, place, usable);
    if (own.kind === 'answered') return { kind: 'works', models };
  }
  const open = await askServer(place, '/models', undefined, within);
  if (open.kind === 'stopped') return open;
  if (open.kind !== 'answered') return { kind: 'works', models };
  return { kind: 'unproven', models, message: `${hostOf(place.baseUrl)} lists its models to everyone, so the key could not be checked. The first message will tell.` };
}

/** Why this cannot be a key, said before anything is sent; null where it can. Blanks around it are no fault: they come with pasting. */
export function faultOfKey(text: string): string | null {
  const key = text.trim();
  if (key === '') return null;
  if (/[\r\n]/.test(key)) return 'A key is one line. Paste the key alone.';
  if (/\s/.test(key)) return 'There is a blank in this key. Paste the key alone.';
  if (/[^\x21-\x7e]/.test(key)) return 'There is a character in this key that no key has. Copy it again from where it was made.';
  return key.length > 10_000 ? 'This is longer than any key.' : null;
}

function judge(asked: Exclude<Asked, { kind: 'answered' }>, place: ServerPlace, key: string | undefined): KeyCheck {
  const host = hostOf(place.baseUrl);
  switch (asked.kind) {
    case 'stopped': return asked;
    case 'silent': return { kind: 'failed', message: asked.message };
    case 'no-json': return { kind: 'unproven', models: [], message: `${host} does not say which models it has, so the address and the key could not be checked. Write the model's name as the server knows it.` };
    case 'status': {
      const { status } = asked;
      // Gemini says 400 of a key that it does not know.
      if (isRefusal(status) || (status === 400 && /api.?key/i.test(asked.detail))) {
        // The server's words are left out: some repeat part of the key.
        return { kind: 'refused', message: key === undefined ? `${host} wants a key (${status}). Paste one.` : `${host} does not take this key (${status}). Check that it is whole, and for this server.` };
      }
      if (status === 404 || status === 405 || status === 501) {
        return { kind: 'unproven', models: [], message: `${host} cannot list its models (${status}), so the address and the key could not be checked. Write the model's name as the server knows it.` };
      }
      if (status >= 300 && status < 400) return { kind: 'failed', message: `${host} sends requests on to another address (${status}); nothing was sent there. Set that address if it is right.` };
      return { kind: 'failed', message: `${host} answered ${status}${asked.detail === '' ? '' : `: ${bare(asked.detail, key).slice(0, 300)}`}. Try again in a while.` };
    }
  }
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}
