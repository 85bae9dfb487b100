import { initializeParams, pingParams, type Validate } from '../generated/tool-host-protocol.js';
import { protocolVersion, type InitializeResult, type PingParams, type PingResult } from './protocol/methods.ts';

export type Answer =
  | { readonly jsonrpc: '2.0'; readonly id: number | string; readonly result: InitializeResult | PingResult }
  | { readonly jsonrpc: '2.0'; readonly id: number | string | null; readonly error: { readonly code: number; readonly message: string } };

/** JSON-RPC 2.0's own codes. */
const codes = { parse: -32700, request: -32600, method: -32601, params: -32602 } as const;

/** Answers one request. Null for a notification: the protocol has none, and JSON-RPC answers none. */
export function answer(body: Uint8Array, pid: number): Answer | null {
  const message = parse(body);
  if (message === undefined) return failure(null, codes.parse, 'The message is not JSON in UTF-8.');
  if (!isRecord(message)) return failure(null, codes.request, 'The message is not a JSON-RPC 2.0 request.');
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || typeof method !== 'string') return failure(null, codes.request, 'The message is not a JSON-RPC 2.0 request.');
  if (id === undefined) return null;
  if (typeof id !== 'number' && typeof id !== 'string') return failure(null, codes.request, 'The id is neither a number nor a string.');
  switch (method) {
    case 'initialize':
      if (!initializeParams(params)) return failure(id, codes.params, faultOf(initializeParams));
      return { jsonrpc, id, result: { protocolVersion, pid } };
    case 'ping':
      if (!isPingParams(params)) return failure(id, codes.params, faultOf(pingParams));
      return { jsonrpc, id, result: { nonce: params.nonce } };
    default:
      return failure(id, codes.method, 'The tool host has no such method.');
  }
}

function failure(id: number | string | null, code: number, message: string): Answer {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPingParams(params: unknown): params is PingParams {
  return pingParams(params);
}

/** The first fault by its place and rule; never the value. */
function faultOf(validate: Validate): string {
  const fault = validate.errors?.[0];
  return fault === undefined ? 'The parameters are invalid.' : `The parameters are invalid at "${fault.instancePath}": ${fault.keyword}.`;
}
