import { emptyDraft, maxDrafts, noDrafts, type Drafts } from './drafts.ts';

/** What outlives the page: the texts that the person has not sent yet. The last is that of the session that was shown. */
export interface Kept {
  readonly drafts: readonly KeptDraft[];
}

export interface KeptDraft {
  readonly key: string;
  readonly text: string;
}

/** Characters of all texts together; the ones written longest ago go first. */
export const maxKept = 1_000_000;

export function keptOf({ key, current, others }: Drafts): Kept {
  const all = [...others, { key, text: current.text }].slice(-maxDrafts);
  const drafts: KeptDraft[] = [];
  let length = 0;
  for (const draft of all.toReversed()) {
    length += draft.text.length;
    if (length > maxKept) break;
    drafts.unshift({ key: draft.key, text: draft.text });
  }
  return { drafts };
}

/** Reads what `getState` gave back, whatever it is. */
export function draftsFrom(value: unknown): Drafts {
  if (typeof value !== 'object' || value === null || !('drafts' in value) || !Array.isArray(value.drafts)) return noDrafts;
  const found = value.drafts.slice(-maxDrafts).filter(isKeptDraft);
  const shown = found.at(-1);
  if (shown === undefined) return noDrafts;
  return {
    ...noDrafts, key: shown.key, current: { ...emptyDraft, text: shown.text },
    others: found.slice(0, -1).filter(({ key }) => key !== shown.key).map(({ key, text }) => ({ key, text, images: [] })),
  };
}

function isKeptDraft(value: unknown): value is KeptDraft {
  return typeof value === 'object' && value !== null && 'key' in value && typeof value.key === 'string' && 'text' in value && typeof value.text === 'string';
}
