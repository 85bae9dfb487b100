import type { LoggedImage } from './records.ts';

/** What a person sends. */
export interface UserInput {
  readonly text: string;
  readonly images: readonly LoggedImage[];
}

/** `next-step`: the model reads it with the next request of the running turn. `after-turn`: it starts a turn once that one has ended. */
export type SendTime = 'next-step' | 'after-turn';

export interface QueuedMessage extends UserInput {
  readonly id: string;
  readonly when: SendTime;
}
