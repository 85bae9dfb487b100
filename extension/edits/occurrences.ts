/** Where each pattern stands in the text: ascending, overlapping ones too. */
export interface Occurrences {
  readonly starts: readonly number[];
  /** True where there are more than were asked for. */
  readonly more: boolean;
}

/** A handful is faster one by one; hundreds at once would read the whole text hundreds of times. */
const manyPatterns = 8;

/** All places of all patterns (none empty), at most `limit` each, in time nearly independent of how many patterns there are. */
export function findOccurrences(text: string, patterns: readonly string[], limit: number): readonly Occurrences[] {
  return patterns.length < manyPatterns ? patterns.map((pattern) => oneByOne(text, pattern, limit)) : allAtOnce(text, patterns, limit);
}

function oneByOne(text: string, pattern: string, limit: number): Occurrences {
  const starts: number[] = [];
  for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
    if (starts.length === limit) return { starts, more: true };
    starts.push(at);
  }
  return { starts, more: false };
}

interface Found {
  readonly pattern: string;
  readonly starts: number[];
  more: boolean;
}

const base = 0x01000193;

/** Rabin and Karp: patterns of similar length share one window, whose hash rolls over the text once. */
function allAtOnce(text: string, patterns: readonly string[], limit: number): readonly Occurrences[] {
  const byText = new Map<string, Found>();
  for (const pattern of patterns) if (!byText.has(pattern)) byText.set(pattern, { pattern, starts: [], more: false });
  const groups = new Map<number, Map<number, Found[]>>();
  for (const found of byText.values()) {
    const window = 2 ** Math.floor(Math.log2(found.pattern.length));
    const group = groups.get(window) ?? new Map<number, Found[]>();
    groups.set(window, group);
    const hash = hashOf(found.pattern, window);
    const bucket = group.get(hash);
    if (bucket === undefined) group.set(hash, [found]);
    else bucket.push(found);
  }
  for (const [window, group] of groups) roll(text, window, group, limit);
  return patterns.map((pattern) => {
    const { starts, more } = byText.get(pattern) ?? { starts: [], more: false };
    return { starts, more };
  });
}

function roll(text: string, window: number, group: ReadonlyMap<number, readonly Found[]>, limit: number): void {
  if (text.length < window) return;
  let leaving = 1;
  for (let n = 1; n < window; n += 1) leaving = Math.imul(leaving, base);
  let hash = hashOf(text, window);
  // A small table of bits in front of the map: nearly every position ends here.
  const filter = new Uint8Array(0x10000);
  for (const key of group.keys()) filter[key & 0xffff] = 1;
  for (let at = 0; ; at += 1) {
    if (filter[hash & 0xffff] === 1) {
      for (const found of group.get(hash) ?? []) {
        if (found.more || !text.startsWith(found.pattern, at)) continue;
        if (found.starts.length === limit) found.more = true;
        else found.starts.push(at);
      }
    }
    if (at + window >= text.length) return;
    hash = (Math.imul(hash - Math.imul(text.charCodeAt(at), leaving), base) + text.charCodeAt(at + window)) | 0;
  }
}

function hashOf(text: string, length: number): number {
  let hash = 0;
  for (let at = 0; at < length; at += 1) hash = (Math.imul(hash, base) + text.charCodeAt(at)) | 0;
  return hash;
}
