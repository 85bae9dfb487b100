import { maxImages, type SentImage } from '../protocol/messages.ts';
import type { Entry } from '../protocol/state.ts';

export interface DraftImage extends SentImage {
  readonly id: string;
  /** `screen.png, 320 kB` */
  readonly label: string;
}

/** What the person has written and not sent yet. */
export interface Draft {
  readonly text: string;
  readonly images: readonly DraftImage[];
}

export interface KeyedDraft extends Draft {
  readonly key: string;
}

/** A draft for each session. What is written where nothing has been said yet belongs to whichever session begins. */
export interface Drafts {
  /** Of the session that is shown; empty while nothing has been said in it. */
  readonly key: string;
  readonly current: Draft;
  /** Of other sessions, the one written last at the end. */
  readonly others: readonly KeyedDraft[];
  /** What was sent with images and may still come back: the host gives back the text alone. */
  readonly outgoing: readonly Draft[];
}

export const emptyDraft: Draft = { text: '', images: [] };
export const noDrafts: Drafts = { key: '', current: emptyDraft, others: [], outgoing: [] };

export const maxDrafts = 20;
const maxOutgoing = 4;

export function isEmptyDraft({ text, images }: Draft): boolean {
  return text.trim() === '' && images.length === 0;
}

export function withDraft(drafts: Drafts, draft: Draft): Drafts {
  return { ...drafts, current: draft };
}

export function withImages(drafts: Drafts, images: readonly DraftImage[]): Drafts {
  return withDraft(drafts, { ...drafts.current, images: [...drafts.current.images, ...images].slice(0, maxImages) });
}

export function withoutImage(drafts: Drafts, id: string): Drafts {
  return withDraft(drafts, { ...drafts.current, images: drafts.current.images.filter((image) => image.id !== id) });
}

/** What is shown changes to another session; the draft of the one before waits for its return. */
export function onSession(drafts: Drafts, key: string): Drafts {
  if (key === drafts.key) return drafts;
  const left = drafts.others.filter((other) => other.key !== drafts.key && other.key !== key);
  const others = isEmptyDraft(drafts.current) ? left : [...left, { key: drafts.key, ...drafts.current }].slice(-maxDrafts);
  const found = drafts.others.find((other) => other.key === key);
  return { ...drafts, key, others, current: found === undefined ? emptyDraft : { text: found.text, images: found.images } };
}

export function sentAway(drafts: Drafts): Drafts {
  const { current, outgoing } = drafts;
  return { ...drafts, current: emptyDraft, outgoing: current.images.length === 0 ? outgoing : [...outgoing, current].slice(-maxOutgoing) };
}

/** A text that the host gives back stands before what has been written since, with its images where they are still here. */
export function takenBack(drafts: Drafts, text: string): Drafts {
  const found = drafts.outgoing.find((draft) => isSame(draft.text, text));
  const { current } = drafts;
  return {
    ...drafts,
    outgoing: drafts.outgoing.filter((draft) => draft !== found),
    current: {
      text: [text, current.text].filter((part) => part.trim() !== '').join('\n\n'),
      images: [...(found?.images ?? []), ...current.images].slice(0, maxImages),
    },
  };
}

/** Whether the images of a message that was sent are still here, to come back with it. */
export function keepsImages({ outgoing }: Drafts, text: string): boolean {
  return outgoing.some((draft) => isSame(draft.text, text));
}

/** A message that the model has, or will with the request that is made, does not come back. */
export function withEntrySeen(drafts: Drafts, entry: Entry): Drafts {
  if (entry.kind !== 'user' || entry.queued !== 'no') return drafts;
  const found = drafts.outgoing.find((draft) => isSame(draft.text, entry.text));
  return found === undefined ? drafts : { ...drafts, outgoing: drafts.outgoing.filter((draft) => draft !== found) };
}

function isSame(left: string, right: string): boolean {
  return left.trim() === right.trim();
}
