import type { QueuedMessage } from '../session/queued-message.ts';

/**
 * Which messages a request takes up. `all`: the person has just sent something, or goes on, so nothing is held back. `next-turn`: a turn has ended
 * by itself, and what was meant for it begins the next; else the oldest message does, alone. `next-step`: within a turn.
 */
export type Intake = 'all' | 'next-turn' | 'next-step';

/** What the person has sent and no request has taken up yet, in the order in which it was sent. */
export class MessageQueue {
  #messages: readonly QueuedMessage[];

  constructor(messages: readonly QueuedMessage[]) {
    this.#messages = messages;
  }

  get messages(): readonly QueuedMessage[] {
    return this.#messages;
  }

  add(message: QueuedMessage): void {
    this.#messages = [...this.#messages, message];
  }

  /** Takes it out; null where it does not wait. */
  remove(id: string): QueuedMessage | null {
    const found = this.#messages.find((message) => message.id === id) ?? null;
    this.#messages = this.#messages.filter((message) => message !== found);
    return found;
  }

  /** Has it go out with the next step. False where it does not wait. */
  hurry(id: string): boolean {
    const isThere = this.#messages.some((message) => message.id === id);
    this.#messages = this.#messages.map((message) => (message.id === id ? { ...message, when: 'next-step' } : message));
    return isThere;
  }

  due(intake: Intake): readonly QueuedMessage[] {
    const hurried = this.#messages.filter(({ when }) => when === 'next-step');
    switch (intake) {
      case 'all': return this.#messages;
      case 'next-step': return hurried;
      case 'next-turn': return hurried.length > 0 ? hurried : this.#messages.slice(0, 1);
    }
  }
}
