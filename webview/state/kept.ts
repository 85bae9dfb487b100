/** What outlives the page: the text that the person has not sent yet. */
export interface Kept {
  readonly draft: string;
}

/** Reads what `getState` gave back, whatever it is. */
export function keptFrom(value: unknown): Kept {
  if (typeof value !== 'object' || value === null || !('draft' in value)) return { draft: '' };
  return { draft: typeof value.draft === 'string' ? value.draft : '' };
}
