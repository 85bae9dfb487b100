import { initializeResult, pingResult, type Validate } from '../../generated/tool-host-protocol.js';
import type { RequestMethod } from '../../tool-host/protocol/methods.ts';

/** The only kind of message that a tool host may send: the answer to one request. */
export type HostResponse =
  | { readonly jsonrpc: '2.0'; readonly id: number; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: number; readonly error: { readonly code: number; readonly message: string } };

export type ParsedResponse = { readonly kind: 'response'; readonly message: HostResponse } | { readonly kind: 'fault'; readonly reason: string };

const results: Readonly<Record<RequestMethod, Validate>> = { initialize: initializeResult, ping: pingResult };

export function isRequestMethod(name: string): name is RequestMethod {
  return Object.hasOwn(results, name);
}

const maxErrorMessage = 4096;

/**
 * Reads one body as the answer to an outstanding request. `methodOf` says which request an id stands for, if any.
 * The message is built anew from the checked members, so nothing else can ride along.
 */
export function parseResponse(body: Uint8Array, methodOf: (id: number) => RequestMethod | undefined): ParsedResponse {
  const text = decode(body);
  if (text === null) return fault('sent a message that is not UTF-8');
  const message = parseJson(text);
  if (message === undefined) return fault('sent a message that is not JSON');
  if (Array.isArray(message)) return fault('sent a batch of messages, which its protocol does not have');
  if (!isRecord(message)) return fault('sent a message that is not JSON-RPC 2.0');
  if (typeof message['method'] === 'string') return fault(`sent ${quoted(message['method'])}, but it may only answer`);
  const { jsonrpc, id, result, error, ...others } = message;
  const hasResult = Object.hasOwn(message, 'result');
  if (jsonrpc !== '2.0' || Object.keys(others).length > 0 || hasResult === Object.hasOwn(message, 'error')) {
    return fault('sent a message that is not JSON-RPC 2.0');
  }
  const method = typeof id === 'number' ? methodOf(id) : undefined;
  if (typeof id !== 'number' || method === undefined) return fault('answered a request that is not waiting for an answer');
  if (!hasResult) {
    const answer = parseError(error);
    return answer === null ? fault(`answered "${method}" with a malformed error`) : { kind: 'response', message: { jsonrpc, id, error: answer } };
  }
  if (!results[method](result)) return fault(`answered "${method}" with a result of the wrong shape`);
  return { kind: 'response', message: { jsonrpc, id, result } };
}

function fault(reason: string): ParsedResponse {
  return { kind: 'fault', reason };
}

function parseError(error: unknown): { readonly code: number; readonly message: string } | null {
  if (!isRecord(error)) return null;
  const { code, message, ...others } = error;
  const wellFormed = typeof code === 'number' && Number.isSafeInteger(code) && typeof message === 'string' && message.length <= maxErrorMessage;
  return wellFormed && Object.keys(others).length === 0 ? { code, message } : null;
}

function decode(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}

/** Undefined, which no JSON text stands for, if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A name that the host chose, made safe to show: printable ASCII, and short. */
function quoted(name: string): string {
  const shown = name.slice(0, 60).replace(/[^\x20-\x7e]/g, '?').replaceAll('"', "'");
  return name.length > 60 ? `"${shown}…"` : `"${shown}"`;
}
