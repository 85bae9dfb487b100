import type { ServerError } from './error-body.ts';
import type { ModelFailure, ModelFailureKind } from './model-client.ts';
import { isLoopback } from './server-address.ts';

/** What a server's refusal says. */
export interface Refusal extends ServerError {
  readonly status: number;
  readonly header: (name: string) => string | null;
}

/** What is said of a protocol to a person. */
export interface ProtocolWords {
  /** `a chat completions server` */
  readonly server: string;
  /** How an address ends: `/v1`. */
  readonly version: string;
}

export interface FailureContext {
  readonly url: string;
  readonly model: string;
  readonly words: ProtocolWords;
  /** Never to be shown. */
  readonly key: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function failureOfStatus(refusal: Refusal, context: FailureContext): ModelFailure {
  const { status } = refusal;
  const said = quoted(refusal.detail, context.key);
  const fail = (kind: ModelFailureKind, message: string, retryable: boolean): ModelFailure => {
    const retryAfterMs = retryable ? readRetryAfter(refusal.header, context.now()) ?? refusal.waitMs : undefined;
    return withoutKey({ kind, message, retryable, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }, context.key);
  };
  if (status >= 300 && status < 400) {
    const target = refusal.header('location');
    return fail('protocol', `The server at ${context.url} sends requests on${target === null ? '' : ` to ${shortened(bare(target, context.key), 200)}`} (${status}). Nothing was sent there. If that is right, set it as the server's address.`, false);
  }
  if (![401, 403, 404].includes(status) && isTooLong(refusal)) return fail('too-long', `The conversation is longer than the model can read (${status}).${said} ${shorter}`, false);
  // The server's words are left out: some repeat part of the key.
  if (status === 401 || (status === 400 && /api[ _]key[ _](not[ _]valid|invalid|expired)/i.test(`${refusal.code} ${refusal.detail}`))) {
    return fail('key', context.key === undefined
      ? `The server wants a key, and none is set (${status}). Set one by “Countersign: Set Model Key…”.`
      : `The server refused the key (${status}). Set another key by “Countersign: Set Model Key…”.`, false);
  }
  switch (status) {
    case 402: return fail('key', `The account has no credit left (402).${said} Add credit at the provider, or use another key.`, false);
    case 403: return fail('key', `The server does not let this key use ${context.model} (403).${said} Use another key or another model.`, false);
    case 404: return fail('not-found', `The server at ${context.url} knows no such address or no model “${context.model}” (404).${said} Check the model's name and the address in the settings.`, false);
    case 408: return fail('server', `The server gave up waiting (408).${said} Try again.`, true);
    case 413: return fail('too-long', `The conversation is larger than the server takes (413).${said} ${shorter}`, false);
    case 429:
      // Only this code: the word “quota” also stands in refusals that pass within a minute.
      if (refusal.code === 'insufficient_quota') {
        return fail('busy', `The account's quota is used up (429).${said} Raise it at the provider, or use another key.`, false);
      }
      return fail('busy', `The server is busy (429).${said} Wait a little and try again.`, true);
    case 529: return fail('busy', `The server is busy (529).${said} Wait a little and try again.`, true);
  }
  if (status >= 500) return fail('server', `The server has an error of its own (${status}).${said} Try again in a while.`, true);
  if (/\bimage/i.test(`${refusal.code} ${refusal.detail}`)) {
    return fail('bad-request', `The server does not take an image of this conversation (${status}).${said} Start a new session, and send a smaller image, as PNG or JPEG.`, false);
  }
  return fail('bad-request', `The server refused the request (${status}).${said} Check that the model can use tools and that the address is right.`, false);
}

/** An error that came inside a stream that had begun well. */
export function failureInStream(error: ServerError, context: FailureContext): ModelFailure {
  const status = error.status ?? statusOfCode(error.code);
  if (status !== undefined) return failureOfStatus({ ...error, status, header: () => null }, context);
  const said = quoted(error.detail, context.key);
  if (isTooLong(error)) return withoutKey({ kind: 'too-long', retryable: false, message: `The conversation is longer than the model can read.${said} ${shorter}` }, context.key);
  return withoutKey({ kind: 'server', retryable: true, message: `The server broke off its answer with an error.${said} Try again.` }, context.key);
}

/** The status that a server would have answered with, had it known before its answer began. */
function statusOfCode(code: string): number | undefined {
  switch (code) {
    case 'rate_limit_exceeded':
    case 'rate_limit_error':
    case 'insufficient_quota':
    case 'RESOURCE_EXHAUSTED': return 429;
    case 'overloaded_error': return 529;
    case 'UNAVAILABLE': return 503;
    default: return undefined;
  }
}

const shorter = 'Start a new session, or use a model that reads more.';

/** As OpenAI, Azure, Anthropic, Gemini, vLLM, llama.cpp, LM Studio and OpenRouter word it. */
function isTooLong({ code, detail }: ServerError): boolean {
  return /context[ _]?(length|window|size|limit)|maximum context|context the overflows|prompt is too long|exceeds the maximum number of tokens|request payload size exceeds/i.test(`${code} ${detail}`) || /^request too large/i.test(detail);
}

/** No answer came at all. */
export function failureOfConnection(error: unknown, context: FailureContext): ModelFailure {
  const causes = causesOf(error).map((cause) => bare(cause, context.key));
  const { host, hostname } = new URL(context.url);
  const all = causes.join(' ');
  const has = (...codes: readonly string[]): boolean => codes.some((code) => all.includes(code));
  const fail = (message: string, retryable: boolean): ModelFailure => withoutKey({ kind: 'network', message, retryable }, context.key);
  const local = isLoopback(hostname) ? ' In a remote window, localhost is the remote machine.' : '';
  if (has('ECONNREFUSED')) return fail(`Nothing answers at ${context.url} (ECONNREFUSED): is the server running?${local}`, false);
  if (has('ENOTFOUND')) return fail(`There is no host ${hostname} (ENOTFOUND): check the address in the settings, and that this machine is online.`, false);
  if (has('CERT', 'SELF_SIGNED', 'UNABLE_TO_VERIFY', 'UNABLE_TO_GET_ISSUER')) return fail(`The certificate of ${host} is not trusted (${shortened(causes.at(-1) ?? '', 160)}). Have this machine trust it, or use another address.`, false);
  if (has('wrong version number', 'packet length too long')) return fail(`${host} does not speak TLS: try the address with http:// in place of https://.`, false);
  return fail(`The connection to ${context.url} failed (${shortened(causes.join(': ') || 'no cause was given', 200)}). Check the network and try again.`, true);
}

export function failureOfSilence(ms: number, answered: boolean, context: FailureContext): ModelFailure {
  const seconds = Math.round(ms / 1000);
  return { kind: 'network', retryable: true, message: answered
    ? `The server at ${context.url} fell silent in the middle of its answer, for ${seconds} s. Try again.`
    : `The server at ${context.url} gave no answer for ${seconds} s. Check that it is not overloaded, and try again.` };
}

export function brokenStream(): ModelFailure {
  return { kind: 'broken-stream', retryable: true, message: 'The answer broke off before its end. What had come of it is not used. Try again.' };
}

/** An answer that is not the protocol's: `why` in words, `head` the first characters that came. */
export function failureOfProtocol(why: string, head: string, context: FailureContext): ModelFailure {
  const began = head.trim() === '' ? '' : ` It began: ${shortened(bare(head.trim(), context.key), 200)}`;
  return withoutKey({ kind: 'protocol', retryable: false, message: `The server at ${context.url} did not answer as ${context.words.server} does: ${why}. Check that the address ends with the API's version, such as ${context.words.version}.${began}` }, context.key);
}

/** Seconds or a date, as HTTP has it, and milliseconds, as some providers add. */
export function readRetryAfter(header: Refusal['header'], now: number): number | undefined {
  const inMs = header('retry-after-ms');
  if (inMs !== null && /^\d+(\.\d+)?$/.test(inMs.trim())) return Math.round(Number(inMs));
  const value = header('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.round(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The codes and messages of an error and its causes, outermost first. */
function causesOf(error: unknown): readonly string[] {
  const causes: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    causes.push('code' in at && typeof at.code === 'string' && !at.message.includes(at.code) ? `${at.code} ${at.message}` : at.message);
    // Several addresses were tried: what failed stands in each attempt.
    if (at instanceof AggregateError) causes.push(...at.errors.slice(0, 4).map(String));
  }
  return causes.filter((text) => text !== '');
}

function quoted(detail: string, key: string | undefined): string {
  const text = bare(detail, key).replace(/\s+/g, ' ').trim();
  return text === '' ? '' : ` It says: ${shortened(text, 300).replace(/[.\s]+$/, '')}.`;
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function withoutKey(failure: ModelFailure, key: string | undefined): ModelFailure {
  return { ...failure, message: bare(failure.message, key) };
}

/** Before a text is cut: of a key that is cut in two, the first part would stay. */
export function bare(text: string, key: string | undefined): string {
  return key === undefined || key === '' ? text : text.replaceAll(key, '…');
}
