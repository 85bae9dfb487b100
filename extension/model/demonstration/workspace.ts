import type { ModelMessage } from '../model-client.ts';

/** What paths begin with: the first folder's name and `/` where the instructions name several folders, else nothing. */
export function firstRoot(messages: readonly ModelMessage[]): string {
  const system = messages.find(({ role }) => role === 'system');
  const found = system?.role === 'system' ? /workspace folders are ("(?:[^"\\]|\\.)*")/.exec(system.text)?.[1] : undefined;
  if (found === undefined) return '';
  try {
    const name: unknown = JSON.parse(found);
    return typeof name === 'string' ? `${name}/` : '';
  } catch {
    return '';
  }
}

/** A name that the listing does not show, whatever the case of its letters: some file systems do not tell them apart. */
export function freeName(listing: string, root: string): string {
  const taken = new Set(listing.split('\n').map((line) => line.replace(/(?:\/|@| {2}\d+)$/, '').toLowerCase()));
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'countersign-demo.md' : `countersign-demo-${count}.md`;
    if (!taken.has(`${root}${name}`.toLowerCase())) return name;
  }
}
