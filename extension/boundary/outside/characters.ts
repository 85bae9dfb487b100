/** Characters as pairs of first and last code point. */
export type Ranges = readonly (readonly [number, number])[];

const lastPoint = 0x10_ffff;

export const digits: Ranges = [[0x30, 0x39]];
export const wordCharacters: Ranges = [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
/** ECMAScript's white space and ends of lines. */
export const spaces: Ranges = [
  [0x09, 0x0d], [0x20, 0x20], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029], [0x202f, 0x202f], [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff],
];

/** Each character of `text`. */
export function charactersOf(text: string): Ranges {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0).map((point) => [point, point]);
}

/** All other characters. */
export function complement(ranges: Ranges): Ranges {
  const others: (readonly [number, number])[] = [];
  let next = 0;
  for (const [low, high] of ranges.toSorted(([a], [b]) => a - b)) {
    if (low > next) others.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= lastPoint) others.push([next, lastPoint]);
  return others;
}

const blocks: Ranges = [[0, 0xd7ff], [0xd800, 0xd800], [0xe000, 0xffff], ...Array.from({ length: 16 }, (_, plane) => [(plane + 1) * 0x1_0000, (plane + 1) * 0x1_0000 + 0xffff] as const)];

/** The characters of a property such as `\p{Letter}`, as this engine's own tables have them. It takes a tenth of a second. */
export function propertyCharacters(escape: string): Ranges {
  const runs = new RegExp(`${escape}+`, 'gu');
  const ranges: (readonly [number, number])[] = [];
  const add = (low: number, high: number): void => {
    const before = ranges.at(-1);
    if (before !== undefined && before[1] + 1 === low) ranges[ranges.length - 1] = [before[0], high];
    else ranges.push([low, high]);
  };
  for (const [first, last] of blocks) {
    for (const [run] of textOf(first, last).matchAll(runs)) {
      const low = run.codePointAt(0) ?? 0;
      // Surrogates are alike, and in one text they would make pairs.
      add(low, first === 0xd800 ? 0xdfff : first > 0xffff ? run.codePointAt(run.length - 2) ?? low : run.charCodeAt(run.length - 1));
    }
  }
  return ranges;
}

function textOf(first: number, last: number): string {
  let text = '';
  for (let start = first; start <= last; start += 4096) {
    text += String.fromCodePoint(...Array.from({ length: Math.min(4096, last - start + 1) }, (_, index) => start + index));
  }
  return text;
}
