import type { Entry } from '../protocol/state.ts';

/** Entries that are drawn together: small enough to compare in no time, large enough that a long conversation has few of them. */
export interface Chunk {
  /** Rises from the oldest chunk to the newest. */
  readonly key: number;
  readonly entries: readonly Entry[];
}

export type Conversation = readonly Chunk[];

export const chunkSize = 20;

export function conversationOf(entries: readonly Entry[]): Conversation {
  const chunks: Chunk[] = [];
  for (let start = 0; start < entries.length; start += chunkSize) {
    chunks.push({ key: chunks.length, entries: entries.slice(start, start + chunkSize) });
  }
  return chunks;
}

/** Puts older entries before all others; those that stand there already are left out. Chunks that are here keep their identity. */
export function withOlder(conversation: Conversation, older: readonly Entry[]): Conversation {
  const known = new Set(conversation.flatMap((chunk) => chunk.entries.map((entry) => entry.id)));
  const added = conversationOf(older.filter((entry) => !known.has(entry.id)));
  const first = (conversation[0]?.key ?? 0) - added.length;
  return added.length === 0 ? conversation : [...added.map(({ entries }, n) => ({ key: first + n, entries })), ...conversation];
}

interface Place {
  readonly chunk: number;
  readonly entry: number;
}

/** Searches from the newest: what changes is nearly always near the end. */
function placeOf(conversation: Conversation, id: string): Place | null {
  for (let chunk = conversation.length - 1; chunk >= 0; chunk -= 1) {
    const entries = conversation[chunk]?.entries ?? [];
    for (let entry = entries.length - 1; entry >= 0; entry -= 1) {
      if (entries[entry]?.id === id) return { chunk, entry };
    }
  }
  return null;
}

export function entryOf(conversation: Conversation, id: string): Entry | null {
  const place = placeOf(conversation, id);
  return place === null ? null : (conversation[place.chunk]?.entries[place.entry] ?? null);
}

/** Replaces the entry with this id, or appends it. Chunks that do not hold it keep their identity. */
export function withEntry(conversation: Conversation, entry: Entry): Conversation {
  const place = placeOf(conversation, entry.id);
  if (place !== null) return withChunk(conversation, place.chunk, (entries) => entries.with(place.entry, entry));
  const last = conversation.at(-1);
  if (last === undefined || last.entries.length >= chunkSize) return [...conversation, { key: (last?.key ?? -1) + 1, entries: [entry] }];
  return withChunk(conversation, conversation.length - 1, (entries) => [...entries, entry]);
}

export function withoutEntry(conversation: Conversation, id: string): Conversation {
  const place = placeOf(conversation, id);
  if (place === null) return conversation;
  const changed = withChunk(conversation, place.chunk, (entries) => entries.toSpliced(place.entry, 1));
  return changed.filter((chunk) => chunk.entries.length > 0);
}

function withChunk(conversation: Conversation, index: number, change: (entries: readonly Entry[]) => readonly Entry[]): Conversation {
  const chunk = conversation[index];
  return chunk === undefined ? conversation : conversation.with(index, { key: chunk.key, entries: change(chunk.entries) });
}
