import { PatternTree } from './pattern-tree.ts';

/** Where each pattern stands in the text: ascending, overlapping ones too. */
export interface Occurrences {
  readonly starts: readonly number[];
  /** True where there are more than were asked for. */
  readonly more: boolean;
}

/** A handful is faster one by one; hundreds at once would read the whole text hundreds of times. */
const manyPatterns = 8;
/** Comparisons that searching one by one may come to where text and patterns are made for it: a part of a second. */
const mostCompared = 1e9;

/** All places of all patterns (none empty), at most `limit` each, in time linear in the text, the patterns and what is found. */
export function findOccurrences(text: string, patterns: readonly string[], limit: number): readonly Occurrences[] {
  const units = patterns.reduce((sum, { length }) => sum + length, 0);
  const oneByOne = patterns.length < manyPatterns && text.length * units <= mostCompared;
  return oneByOne ? patterns.map((pattern) => alone(text, pattern, limit)) : allAtOnce(text, patterns, limit);
}

function alone(text: string, pattern: string, limit: number): Occurrences {
  const starts: number[] = [];
  for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
    if (starts.length === limit) return { starts, more: true };
    starts.push(at);
  }
  return { starts, more: false };
}

interface Found {
  readonly length: number;
  readonly starts: number[];
  more: boolean;
}

function allAtOnce(text: string, patterns: readonly string[], limit: number): readonly Occurrences[] {
  const tree = new PatternTree(patterns);
  const byNode = new Map<number, Found>();
  const ends = patterns.map((pattern) => tree.add(pattern));
  ends.forEach((node, n) => byNode.set(node, { length: patterns[n]?.length ?? 0, starts: [], more: false }));
  tree.link();
  tree.walk(text, (node, end) => {
    const found = byNode.get(node);
    if (found === undefined) return 'enough';
    if (found.starts.length === limit) {
      found.more = true;
      return 'enough';
    }
    found.starts.push(end - found.length);
    return 'go-on';
  });
  return ends.map((node) => {
    const { starts, more } = byNode.get(node) ?? { starts: [], more: false };
    return { starts, more };
  });
}
