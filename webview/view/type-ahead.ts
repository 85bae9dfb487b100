export interface Typed {
  readonly letters: string;
  /** When the last letter was typed, in ms. */
  readonly at: number;
}

const pause = 800;

/** The item that what is typed leads to: letters in a row are one word; one letter again and again goes round those that begin with it. */
export function typeAhead(labels: readonly string[], at: number, before: Typed, typed: { readonly letter: string; readonly at: number }): { readonly found: number | null; readonly next: Typed } {
  const letter = typed.letter.toLowerCase();
  const letters = typed.at - before.at > pause ? letter : before.letters + letter;
  const same = letters.split(letter).every((between) => between === '');
  const word = same ? letter : letters;
  // One letter leads on from where one is; a word may well name the place itself.
  const start = same ? at + 1 : Math.max(at, 0);
  const order = labels.map((_, n) => (start + n) % labels.length);
  const found = order.find((n) => labels[n]?.toLowerCase().startsWith(word)) ?? null;
  return { found, next: { letters, at: typed.at } };
}
