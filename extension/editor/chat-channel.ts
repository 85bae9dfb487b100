import type * as vscode from 'vscode';
import { viewMessage } from '../../generated/view-message.js';
import { type HostMessage, maxSendMessage, maxViewMessage, type ViewMessage } from '../../webview/protocol/messages.ts';
import type { AttachedView, ChatServer } from './chat-view.ts';

export interface ChannelParts {
  readonly onMessage: (message: ViewMessage) => void;
  readonly warn: (message: string) => void;
}

/** The one way between the host and the view: what arrives is capped and checked, or dropped whole, counted and said in the log. */
export class ChatChannel implements ChatServer {
  readonly #parts: ChannelParts;
  #view: AttachedView | null = null;
  #dropped = 0;

  constructor(parts: ChannelParts) {
    this.#parts = parts;
  }

  get droppedMessages(): number {
    return this.#dropped;
  }

  get visible(): boolean {
    return this.#view?.isVisible() ?? false;
  }

  attach(view: AttachedView): vscode.Disposable {
    this.#view = view;
    return { dispose: () => { if (this.#view === view) this.#view = null; } };
  }

  receive(message: unknown): void {
    const fault = faultOf(message);
    if (fault === null) {
      // The schema has checked it.
      this.#parts.onMessage(message as ViewMessage);
      return;
    }
    this.#dropped += 1;
    this.#parts.warn(`A message from the view was dropped (${this.#dropped} so far): ${fault}`);
  }

  post(message: HostMessage): void {
    this.#view?.post(message);
  }

  showWaiting(count: number): void {
    this.#view?.showWaiting(count);
  }
}

function faultOf(message: unknown): string | null {
  try {
    const text = JSON.stringify(message);
    if (text === undefined) return 'it is no JSON';
    const most = typeof message === 'object' && message !== null && 'type' in message && message.type === 'send' ? maxSendMessage : maxViewMessage;
    if (text.length > most) return `it has ${text.length} characters; at most ${most} are taken`;
    if (viewMessage(message)) return null;
    const [error] = viewMessage.errors ?? [];
    return error === undefined ? 'it does not fit the schema' : `${error.instancePath === '' ? 'the message' : error.instancePath}: ${error.keyword} ${JSON.stringify(error.params).slice(0, 200)}`;
  } catch (error) {
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
