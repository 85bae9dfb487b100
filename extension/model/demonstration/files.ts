/** Arguments of `edit_file`. */
export interface EditArguments {
  readonly path: string;
  readonly edits: readonly { readonly oldText: string; readonly newText: string }[];
}

const before = '- [ ] one line of it was changed';

export const firstText = `# A file that you signed

The demonstration of Countersign proposed it, you saw it on a card, and you allowed it.

- [x] it was written byte for byte as the card showed it
${before}

Delete it whenever you like.
`;

/** For someone who denied the first. */
export const shorterText = `# A smaller file that you signed

${before}
`;

export const protectedText = '{ "comment": "The demonstration of Countersign proposed this file. It does nothing; delete it." }\n';

/** The change of one line, or null where that line is not there as it was written. `text` is what `read_file` gave of the file. */
export function editOf(path: string, text: string): EditArguments | null {
  return text.split(before).length === 2 ? { path, edits: [{ oldText: before, newText: before.replace('[ ]', '[x]') }] } : null;
}
