import type { Readable, Writable } from 'node:stream';
import { createMessageConnection } from 'vscode-jsonrpc/node';
import type { RequestMethod, Requests } from '../../tool-host/protocol/methods.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { createHostReader } from './host-reader.ts';
import { FilteredMessageReader } from './jsonrpc-reader.ts';
import { RequestWriter } from './jsonrpc-writer.ts';

export interface ToolHostStreams {
  readonly fromHost: Readable;
  readonly toHost: Writable;
}

export interface ToolHostConnection {
  /** Rejects with the host's own error if it answers with one, and with `HOST_LOST` if the connection ends first. */
  request<M extends RequestMethod>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']>;
  /** Called once, with one sentence for a person, if the connection ends in any way but by `end`; at once if it already has. */
  onFault(listener: (reason: string) => void): void;
  /** Tells the host to end, by the end of its input. */
  end(): void;
}

export function connectToolHost({ fromHost, toHost }: ToolHostStreams): ToolHostConnection {
  const reader = createHostReader();
  const writer = new RequestWriter(toHost, reader);
  const connection = createMessageConnection(new FilteredMessageReader(fromHost, reader), writer);
  const listeners: ((reason: string) => void)[] = [];
  let state: { readonly kind: 'open' } | { readonly kind: 'ended' } | { readonly kind: 'faulty'; readonly reason: string } = { kind: 'open' };

  function fail(reason: string): void {
    if (state.kind !== 'open') return;
    state = { kind: 'faulty', reason };
    connection.dispose();
    fromHost.destroy();
    toHost.destroy();
    for (const listener of listeners.splice(0)) listener(reason);
  }
  const lost = (cause?: unknown): CodedError =>
    new CodedError('HOST_LOST', state.kind === 'faulty' ? state.reason : 'The connection to the tool host has ended.', { cause });

  connection.onError(([error]) => fail(error.message));
  connection.onClose(() => fail('The tool host closed the connection.'));
  connection.listen();

  return {
    async request<M extends RequestMethod>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']> {
      if (!isOpen()) throw lost();
      try {
        return await connection.sendRequest<Requests[M]['result']>(method, params);
      } catch (error) {
        throw isOpen() ? error : lost(error);
      }
    },
    onFault(listener) {
      if (state.kind === 'faulty') listener(state.reason);
      else listeners.push(listener);
    },
    end() {
      if (state.kind !== 'open') return;
      state = { kind: 'ended' };
      connection.end();
      connection.dispose();
    },
  };

  /** A function, because the state may change while a request waits. */
  function isOpen(): boolean {
    return state.kind === 'open' && !writer.broken;
  }
}
