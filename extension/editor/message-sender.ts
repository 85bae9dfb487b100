import type { Agent } from '../agent/loop.ts';
import { takeImages } from '../chat/take-images.ts';
import type { ObjectStore } from '../files/object-store.ts';
import type { ViewMessage } from '../../webview/protocol/messages.ts';

type Sent = Extract<ViewMessage, { type: 'send' }>;

export interface SendTargets {
  /** Of the session that is shown now; null where another window writes it. */
  readonly agent: () => Agent | null;
  readonly objects: () => ObjectStore;
  readonly readsImages: () => boolean;
  /** What was sent, back to where it was written. */
  readonly giveBack: (text: string, why: string) => void;
  readonly remember: (text: string) => void;
}

/** Hands messages to the agent in the order in which they were sent: images are kept on disk first, and what is sent meanwhile waits for them. */
export class MessageSender {
  readonly #to: SendTargets;
  #under: Promise<void> | null = null;

  constructor(to: SendTargets) {
    this.#to = to;
  }

  /** In the caller's tick where nothing has to be waited for. */
  send(message: Sent): Promise<void> | void {
    const agent = this.#to.agent();
    if (agent === null) return this.#to.giveBack(message.text, 'This session goes on in another window. Take it over to send this here.');
    if (message.images.length === 0 && this.#under === null) return this.#deliver(agent, message, []);
    const sending = (this.#under ?? Promise.resolve()).then(() => this.#sendLater(agent, message)).finally(() => {
      if (this.#under === sending) this.#under = null;
    });
    this.#under = sending;
    return sending;
  }

  async #sendLater(agent: Agent, message: Sent): Promise<void> {
    if (message.images.length > 0 && !this.#to.readsImages()) return this.#to.giveBack(message.text, 'This model reads no images. Choose another, or send it without them.');
    const taken = await takeImages(message.images, this.#to.objects());
    if ('refused' in taken) return this.#to.giveBack(message.text, taken.refused);
    // Another session may be shown by now: what was written for the one before is not sent in it unseen.
    if (this.#to.agent() !== agent) return this.#to.giveBack(message.text, 'The session has changed meanwhile. Send it again if it belongs here.');
    this.#deliver(agent, message, taken);
  }

  #deliver(agent: Agent, { text, when }: Sent, images: Parameters<Agent['send']>[0]['images']): void {
    agent.send({ text, images }, when);
    this.#to.remember(text);
  }
}
