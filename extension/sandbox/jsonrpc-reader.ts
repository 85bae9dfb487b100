import type { Readable } from 'node:stream';
import { AbstractMessageReader, type DataCallback, type Disposable } from 'vscode-jsonrpc/node';
import type { Arrival, HostReader } from './host-reader.ts';

/**
 * The filtered reader as a transport of `vscode-jsonrpc` and of a language client. A fault is one error, then a close;
 * bytes that come after either are thrown away.
 */
export class FilteredMessageReader extends AbstractMessageReader {
  readonly #stream: Readable;
  readonly #reader: HostReader;
  #closed = false;

  constructor(stream: Readable, reader: HostReader) {
    super();
    this.#stream = stream;
    this.#reader = reader;
  }

  override listen(callback: DataCallback): Disposable {
    const onData = (chunk: Uint8Array): void => this.#deliver(this.#reader.push(chunk), callback);
    const onEnd = (): void => {
      this.#deliver(this.#reader.end(), callback);
      this.#close();
    };
    const onError = (error: Error): void => {
      if (!this.#closed) this.fireError(error);
      this.#close();
    };
    this.#stream.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);
    return { dispose: () => void this.#stream.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError) };
  }

  override dispose(): void {
    this.#closed = true;
    super.dispose();
  }

  #deliver(arrivals: readonly Arrival[], callback: DataCallback): void {
    for (const arrival of arrivals) {
      if (this.#closed) return;
      if (arrival.kind === 'response') {
        callback(arrival.message);
      } else {
        this.fireError(new Error(arrival.reason));
        this.#close();
      }
    }
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.fireClose();
  }
}
