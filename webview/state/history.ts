/** Going back through what was sent: where one is, what stands there, and the draft that comes back at the end. */
export interface Walk {
  readonly at: number;
  readonly shown: string;
  readonly draft: string;
}

/** The entry before; null where there is none, or where something has been written that must not go. */
export function goBack(history: readonly string[], walk: Walk | null, written: string): Walk | null {
  const going = walk !== null && walk.shown === written;
  if (!going && written !== '') return null;
  const at = (going ? walk.at : history.length) - 1;
  const shown = history[at];
  return shown === undefined ? null : { at, shown, draft: going ? walk.draft : written };
}

/** The entry after, or the draft behind the last one; null where nobody goes through the history. */
export function goForward(history: readonly string[], walk: Walk | null, written: string): { readonly text: string; readonly walk: Walk | null } | null {
  if (walk === null || walk.shown !== written) return null;
  const at = walk.at + 1;
  const shown = history[at];
  return shown === undefined ? { text: walk.draft, walk: null } : { text: shown, walk: { ...walk, at, shown } };
}

export const maxHistory = 100;

export function withSent(history: readonly string[], text: string): readonly string[] {
  return text.trim() === '' || history.at(-1) === text ? history : [...history, text].slice(-maxHistory);
}
