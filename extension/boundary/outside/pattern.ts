import { charactersOf, complement, digits, type Ranges, spaces, wordCharacters } from './characters.ts';

/** Why a pattern cannot be had in linear time, in words. */
export class PatternRefused extends Error {}

/**
 * A pattern as JSON Schema has it (ECMAScript, Unicode flag) in the language of RE2, where it means the same: characters as
 * numbers, classes as ranges, groups without names. Throws PatternRefused for what RE2 has no word for: lookaround, references
 * back, modifiers. `property` gives the characters of a `\p{…}`. It asks only whether there is a match: what a group holds, or whether a quantifier is lazy, makes no difference.
 */
export function translatePattern(pattern: string, property: (escape: string) => Ranges): string {
  try {
    // Read, never run: what follows may take the syntax for granted.
    void new RegExp(pattern, 'u');
  } catch (error) {
    throw new PatternRefused(error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : 'it is no regular expression');
  }
  return new Translation(pattern, property).text();
}

class Translation {
  readonly #points: readonly string[];
  readonly #property: (escape: string) => Ranges;
  #at = 0;

  constructor(pattern: string, property: (escape: string) => Ranges) {
    this.#points = Array.from(pattern);
    this.#property = property;
  }

  text(): string {
    let text = '';
    while (this.#at < this.#points.length) text += this.#term();
    return text;
  }

  #next(): string {
    return this.#points[this.#at++] ?? '';
  }

  #take(text: string): boolean {
    if (!this.#points.slice(this.#at, this.#at + text.length).join('').startsWith(text)) return false;
    this.#at += text.length;
    return true;
  }

  #until(end: string): string {
    let text = '';
    for (let point = this.#next(); point !== end && point !== ''; point = this.#next()) text += point;
    return text;
  }

  #term(): string {
    const point = this.#next();
    switch (point) {
      case '^':
      case '$':
      case '|':
      case ')':
        return point;
      case '*':
      case '+':
      case '?':
        this.#take('?');
        return point;
      case '{': {
        const counts = this.#until('}');
        this.#take('?');
        return `{${counts}}`;
      }
      case '(':
        return this.#group();
      case '[':
        return this.#set();
      case '.':
        return classOf(complement(charactersOf('\n\r\u2028\u2029')));
      case '\\':
        if (this.#take('b')) return '\\b';
        if (this.#take('B')) return '\\B';
        return classOf(this.#escape());
      default:
        return classOf(charactersOf(point));
    }
  }

  #group(): string {
    if (!this.#take('?') || this.#take(':')) return '(?:';
    for (const [start, name] of [['=', 'lookahead'], ['!', 'lookahead'], ['<=', 'lookbehind'], ['<!', 'lookbehind']] as const) {
      if (this.#take(start)) throw new PatternRefused(`${name} (?${start}…) cannot be tested in linear time`);
    }
    if (!this.#take('<')) throw new PatternRefused('modifiers (?i:…) are not supported');
    this.#until('>');
    return '(?:';
  }

  #set(): string {
    const negated = this.#take('^');
    const ranges: (readonly [number, number])[] = [];
    while (!this.#take(']')) {
      const first = this.#member();
      const low = first[0];
      // A minus that stands last is itself; before it and after it there is one character, as the syntax was read.
      if (low !== undefined && this.#points[this.#at] === '-' && this.#points[this.#at + 1] !== ']') {
        this.#at += 1;
        const high = this.#member()[0];
        ranges.push([low[0], high?.[1] ?? low[1]]);
      } else {
        ranges.push(...first);
      }
    }
    return classOf(negated ? complement(ranges) : ranges);
  }

  #member(): Ranges {
    const point = this.#next();
    if (point !== '\\') return charactersOf(point);
    return this.#take('b') ? charactersOf('\b') : this.#escape();
  }

  /** What stands after a backslash. */
  #escape(): Ranges {
    const point = this.#next();
    switch (point) {
      case 'd':
        return digits;
      case 'D':
        return complement(digits);
      case 'w':
        return wordCharacters;
      case 'W':
        return complement(wordCharacters);
      case 's':
        return spaces;
      case 'S':
        return complement(spaces);
      case 'p':
      case 'P': {
        this.#take('{');
        return this.#property(`\\${point}{${this.#until('}')}}`);
      }
      case 'k':
        throw new PatternRefused('references back to a group cannot be tested in linear time');
      case 'c':
        return charactersOf(String.fromCharCode((this.#next().codePointAt(0) ?? 0) % 32));
      case 'x':
        return charactersOf(String.fromCharCode(this.#hex(2)));
      case 'u':
        return this.#unicode();
      case 'n':
        return charactersOf('\n');
      case 'r':
        return charactersOf('\r');
      case 't':
        return charactersOf('\t');
      case 'v':
        return charactersOf('\v');
      case 'f':
        return charactersOf('\f');
      case '0':
        return charactersOf('\0');
      default:
        if (/^[1-9]$/.test(point)) throw new PatternRefused('references back to a group cannot be tested in linear time');
        return charactersOf(point);
    }
  }

  #hex(digitCount: number): number {
    const text = this.#points.slice(this.#at, this.#at + digitCount).join('');
    this.#at += digitCount;
    return Number.parseInt(text, 16);
  }

  #unicode(): Ranges {
    if (this.#take('{')) return charactersOf(String.fromCodePoint(Number.parseInt(this.#until('}'), 16)));
    const unit = String.fromCharCode(this.#hex(4));
    const following = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(this.#points.slice(this.#at, this.#at + 6).join(''))?.[1];
    if (!/[\ud800-\udbff]/.test(unit) || following === undefined) return charactersOf(unit);
    this.#at += 6;
    return charactersOf(unit + String.fromCharCode(Number.parseInt(following, 16)));
  }
}

function classOf(ranges: Ranges): string {
  if (ranges.length === 0) return '[^\\x{0}-\\x{10ffff}]';
  const hex = (point: number): string => `\\x{${point.toString(16)}}`;
  return `[${ranges.map(([low, high]) => (low === high ? hex(low) : `${hex(low)}-${hex(high)}`)).join('')}]`;
}
