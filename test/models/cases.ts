import type { ModelFailureKind } from '../../extension/model/model-client.ts';
import { watchLimits, type Timer } from '../../extension/model/response-watch.ts';
import { call, httpError, propose, say, type Reply } from '../model-server/replies.ts';
import type { ModelServerOptions } from '../model-server/server.ts';
import type { ClientSettings } from '../unit/model/network-clients.ts';

/** What a turn comes to: an answer, or a failure of that kind after so many requests. */
export type Ending = 'answered' | { readonly kind: ModelFailureKind; readonly requests: number };

export interface Case {
  readonly name: string;
  /** The last stands for all that follow. */
  readonly replies: readonly Reply[];
  readonly ending: Ending;
  readonly server?: ModelServerOptions;
  readonly client?: ClientSettings;
  /** Base64 characters of an image that is sent along. */
  readonly image?: number;
}

const never: Timer = () => () => {};
const soon: Timer = (_ms, fire) => {
  const handle = setTimeout(fire, 50);
  return () => clearTimeout(handle);
};
const page = '<!doctype html><html><title>Sign in</title><h1>Welcome to the portal</h1></html>';
const done = say('Done.');
const failedBy = (kind: ModelFailureKind, requests: number): Ending => ({ kind, requests });

/** A clock that gives another time of the world at each look. */
function jumpingClock(): () => number {
  const times = [1e15, -1, Number.NaN, 0, 8.64e15];
  let at = 0;
  return () => times[at++ % times.length] ?? 0;
}

export const cases: readonly Case[] = [
  { name: 'wrong content type', replies: [{ kind: 'raw', headers: { 'content-type': 'application/json' }, pieces: ['{"object":"list","data":[]}'] }], ending: failedBy('protocol', 1) },
  { name: 'a page in place of an answer', replies: [{ kind: 'raw', headers: { 'content-type': 'text/html' }, pieces: [page] }], ending: failedBy('protocol', 1) },
  { name: 'a page for an error', replies: [{ kind: 'error', status: 502, body: page }], ending: failedBy('server', 5) },
  { name: 'a stream that never ends', replies: [{ kind: 'raw', pieces: [], endless: `: ${'x'.repeat(60_000)}\n\n` }], client: { watchLimits: { ...watchLimits, total: 1_000_000 } }, ending: failedBy('protocol', 1) },
  { name: 'a line that never ends', replies: [{ kind: 'raw', pieces: ['data: '], endless: 'x'.repeat(60_000) }], client: { watchLimits: { ...watchLimits, line: 1_000_000 } }, ending: failedBy('protocol', 1) },
  { name: 'one byte at a time', replies: [{ ...say('Slowly – but it comes.'), splitBytes: 1 }], client: { timer: never }, ending: 'answered' },
  { name: 'no byte at all', replies: [{ kind: 'silence' }], client: { timer: soon }, ending: failedBy('network', 5) },
  { name: 'silence in the middle', replies: [{ ...say(['a', 'b', 'c']), silentAfter: 2 }], client: { timer: soon }, ending: failedBy('network', 5) },
  { name: 'usage missing', replies: [{ ...done, usage: null }], ending: 'answered' },
  { name: 'unknown events', replies: [{ ...say(['Do', 'ne.']), noise: 'event: new_thing\ndata: {"type":"new_thing","new_thing":{"a":[1]}}\n\n', pings: true }], ending: 'answered' },
  { name: 'duplicate ids', replies: [propose(call('read_file', { path: 'a' }, 'same'), call('read_file', { path: 'b' }, 'same')), done], ending: 'answered' },
  { name: 'arguments in 10,000 fragments', replies: [propose({ name: 'write_file', arguments: { path: 'a', content: 'x'.repeat(20_000) }, fragments: 10_000 }), done], ending: 'answered' },
  { name: 'a cut between two bytes of a character', replies: [{ ...propose(call('write_file', { path: 'ä', content: 'grün 🌍' })), text: 'grün 🌍 漢字', splitBytes: 1 }, done], ending: 'answered' },
  { name: 'a connection that is cut', replies: [{ ...say(['half of', ' it', ' all']), cutAfter: 2 }], ending: failedBy('broken-stream', 5) },
  { name: 'garbage in a data line', replies: [{ kind: 'raw', pieces: ['data: {"a": [\n\n', 'data: more\n\n'] }], ending: failedBy('protocol', 1) },
  { name: '401', replies: [httpError(401)], client: { key: () => Promise.resolve('k-1') }, ending: failedBy('key', 1) },
  { name: 'a key that the server does not know', replies: [done], server: { key: 'right' }, client: { key: () => Promise.resolve('wrong') }, ending: failedBy('key', 1) },
  { name: '403', replies: [httpError(403)], client: { key: () => Promise.resolve('k-1') }, ending: failedBy('key', 1) },
  { name: '404, no such model', replies: [httpError(404)], ending: failedBy('not-found', 1) },
  { name: '413', replies: [httpError(413)], ending: failedBy('too-long', 1) },
  { name: '429 for ever', replies: [httpError(429, { 'retry-after': '3600' })], ending: failedBy('busy', 5) },
  { name: '529', replies: [httpError(529), done], ending: 'answered' },
  { name: '529 for ever', replies: [httpError(529)], ending: failedBy('busy', 5) },
  { name: 'a clock that jumps', replies: [httpError(429, { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }), httpError(429, { 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' }), httpError(503, { 'retry-after': 'Fri, 31 Dec 9999 00:00:00 GMT' }), done], client: { now: jumpingClock() }, ending: 'answered' },
  { name: 'an image too large', replies: [done], image: 400_000, ending: failedBy('bad-request', 1) },
  { name: 'an image that fits', replies: [done], image: 40_000, ending: 'answered' },
  { name: 'a key with a newline', replies: [done], client: { key: () => Promise.resolve('k-1\nx-other: 2') }, ending: failedBy('key', 0) },
];
