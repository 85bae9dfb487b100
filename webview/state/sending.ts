import type { Models, Status } from '../protocol/state.ts';
import { isEmptyDraft, type Draft } from './drafts.ts';

export const maxMessage = 500_000;
export const elsewhere = 'This session goes on in another window.';

/** Why the draft cannot be sent now. `nothing` is written, and needs no words before somebody asks. */
export type Hindrance = 'starting' | 'nothing' | 'read-only' | 'no-model' | 'reading' | 'no-images' | 'too-long';

export interface Sending {
  /** The host has answered. */
  readonly connected: boolean;
  readonly draft: Draft;
  readonly status: Status;
  readonly models: Models;
  /** How many images are still being read. */
  readonly reading: number;
}

export function hindranceOf({ connected, draft, status, models, reading }: Sending): Hindrance | null {
  if (!connected) return 'starting';
  if (status.readOnly) return 'read-only';
  if (reading > 0) return 'reading';
  if (isEmptyDraft(draft)) return 'nothing';
  if (models.current === null) return 'no-model';
  if (draft.images.length > 0 && !readsImages(models)) return 'no-images';
  return draft.text.length > maxMessage ? 'too-long' : null;
}

export function hindranceText(hindrance: Hindrance, models: Models): string {
  switch (hindrance) {
    case 'starting': return 'Countersign is starting. Send this in a moment.';
    case 'nothing': return 'Nothing is written yet';
    case 'read-only': return `${elsewhere} Take it over to send this.`;
    case 'no-model': return 'Set up a model to send this.';
    case 'reading': return 'An image is still being read';
    case 'no-images': return `${currentModel(models)?.label ?? 'This model'} reads no images. Remove them, or choose another model.`;
    case 'too-long': return `A message holds ${maxMessage.toLocaleString('en')} characters at most. Put the text into a file instead.`;
  }
}

export function currentModel({ choices, current }: Models): Models['choices'][number] | null {
  return choices.find(({ id }) => id === current) ?? null;
}

/** A model that is not among the choices is not known to read any. */
function readsImages(models: Models): boolean {
  return currentModel(models)?.images ?? false;
}
