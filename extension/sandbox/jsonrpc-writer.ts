import type { Writable } from 'node:stream';
import { Message, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { HostReader } from './host-reader.ts';
import { isRequestMethod } from './host-response.ts';

/** Sends our own requests and nothing else (a library may want to send `$/…` of its own), and tells the reader whose answer to expect. */
export class RequestWriter extends StreamMessageWriter {
  readonly #reader: HostReader;
  #broken = false;

  constructor(stream: Writable, reader: HostReader) {
    super(stream);
    this.#reader = reader;
  }

  /** Nothing can be sent any more. */
  get broken(): boolean {
    return this.#broken;
  }

  override async write(message: Message): Promise<void> {
    if (!Message.isRequest(message) || typeof message.id !== 'number' || !isRequestMethod(message.method)) {
      throw new Error('Only requests of the tool host protocol may be sent to a tool host.');
    }
    this.#reader.expect(message.id, message.method);
    await super.write(message);
  }

  // Neither is passed on: what the host wrote before its input broke is still to be read, and the reader says when that has ended.
  protected override fireError(): void {
    this.#broken = true;
  }
  protected override fireClose(): void {
    this.#broken = true;
  }
}
