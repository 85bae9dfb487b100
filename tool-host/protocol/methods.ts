/** What crosses between the extension host and a tool host: JSON-RPC 2.0 in `Content-Length` frames, these methods and no others. */

export const protocolVersion = 1;

export interface InitializeParams {
  readonly protocolVersion: number;
}
export interface InitializeResult {
  readonly protocolVersion: number;
  readonly pid: number;
}
export interface PingParams {
  readonly nonce: string;
}
export interface PingResult {
  readonly nonce: string;
}

/** Requests that the extension host sends and the tool host answers. */
export interface Requests {
  readonly initialize: { readonly params: InitializeParams; readonly result: InitializeResult };
  readonly ping: { readonly params: PingParams; readonly result: PingResult };
}
/** The tool host starts no request and, for now, sends no notification: whatever else arrives from it ends the connection. */
export type RequestMethod = keyof Requests;

/** Bytes of one message's body, each way. */
export const maxMessageBytes = 8 * 1024 * 1024;
/** Bytes of one message's header block. */
export const maxHeaderBytes = 1024;
