import type { HostMessage } from '../protocol/messages.ts';

export interface Fault {
  readonly instancePath: string;
  readonly keyword: string;
}

export interface Validator {
  (data: unknown): boolean;
  errors?: readonly Fault[] | null;
}

export interface Receiver {
  /** The message, or null where it is not one of the host's. */
  receive(data: unknown): HostMessage | null;
  /** How many were dropped. */
  dropped(): number;
}

/** Checks every message on arrival; one that fails is dropped whole, and its fault is named. */
export function createReceiver(validator: Validator, warn: (text: string) => void): Receiver {
  let dropped = 0;
  const isHostMessage = (data: unknown): data is HostMessage => validator(data);
  return {
    receive: (data) => {
      if (isHostMessage(data)) return data;
      dropped += 1;
      const fault = validator.errors?.[0];
      warn(`Countersign: dropped message ${dropped} from the host: ${fault?.keyword ?? 'unknown fault'} at "${fault?.instancePath ?? ''}"`);
      return null;
    },
    dropped: () => dropped,
  };
}
