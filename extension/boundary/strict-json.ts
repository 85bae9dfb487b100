import { type Json, pointerStep } from './json.ts';
import { define } from './snapshot.ts';

/** Where and why text is not strict JSON. */
export class JsonFault extends Error {
  readonly offset: number;
  readonly pointer: string;
  constructor(fault: string, offset: number, pointer: string) {
    super(fault);
    this.offset = offset;
    this.pointer = pointer;
  }
}

/** Deeper values are refused: no tool of anybody's needs them, and every walk after this one may recurse. */
export const maxJsonDepth = 512;

/**
 * Reads JSON as RFC 8259 has it, and refuses what `JSON.parse` lets through in silence: duplicate keys, lone surrogates,
 * numbers whose digits JavaScript would lose, −0. Objects and arrays come out deep-frozen. Throws JsonFault.
 */
export function parseStrictJson(text: string): Json {
  const reader = new Reader(text);
  reader.space();
  const value = reader.value(0);
  reader.space();
  if (reader.at < text.length) reader.fail('text after the end of the value');
  return value;
}

class Reader {
  at = 0;
  readonly #text: string;
  readonly #path: (string | number)[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  fail(fault: string, at = this.at): never {
    throw new JsonFault(fault, at, this.#path.map(pointerStep).join(''));
  }

  space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at += 1;
    }
  }

  value(depth: number): Json {
    if (depth > maxJsonDepth) this.fail(`nested deeper than ${maxJsonDepth} levels`);
    switch (this.#text[this.at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      case undefined:
        return this.fail('the text ends where a value should be');
      default:
        return this.#number();
    }
  }

  #object(depth: number): Json {
    const object: Record<string, Json> = {};
    this.at += 1;
    this.space();
    if (this.#take('}')) return Object.freeze(object);
    for (;;) {
      this.space();
      if (this.#text[this.at] !== '"') this.fail(this.at >= this.#text.length ? 'the text ends inside an object' : 'a key in double quotes is expected');
      const start = this.at;
      const key = this.#string();
      if (Object.hasOwn(object, key)) this.fail(`the key ${JSON.stringify(key.slice(0, 100))} stands twice`, start);
      this.space();
      if (!this.#take(':')) this.fail(this.at >= this.#text.length ? 'the text ends inside an object' : "':' is expected");
      this.space();
      this.#path.push(key);
      define(object, key, this.value(depth + 1));
      this.#path.pop();
      this.space();
      if (this.#take('}')) return Object.freeze(object);
      if (!this.#take(',')) this.fail(this.at >= this.#text.length ? 'the text ends inside an object' : "',' or '}' is expected");
    }
  }

  #array(depth: number): Json {
    const array: Json[] = [];
    this.at += 1;
    this.space();
    if (this.#take(']')) return Object.freeze(array);
    for (;;) {
      this.space();
      this.#path.push(array.length);
      array.push(this.value(depth + 1));
      this.#path.pop();
      this.space();
      if (this.#take(']')) return Object.freeze(array);
      if (!this.#take(',')) this.fail(this.at >= this.#text.length ? 'the text ends inside an array' : "',' or ']' is expected");
    }
  }

  #string(): string {
    const start = this.at;
    const text = this.#text;
    let at = start + 1;
    let plain = true;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 0x22) break;
      if (Number.isNaN(code)) this.fail('the text ends inside a string', start);
      if (code < 0x20) this.fail('a control character inside a string', at);
      if (code === 0x5c) {
        plain = false;
        at += 1;
      }
      at += 1;
    }
    this.at = at + 1;
    const value = plain ? text.slice(start + 1, at) : this.#unescape(text.slice(start, at + 1), start);
    if (!value.isWellFormed()) this.fail('a lone surrogate inside a string', start);
    return value;
  }

  #unescape(literal: string, start: number): string {
    try {
      return JSON.parse(literal) as string;
    } catch {
      return this.fail('a wrong escape inside a string', start);
    }
  }

  #number(): number {
    const token = numberToken;
    token.lastIndex = this.at;
    const match = token.exec(this.#text)?.[0];
    if (match === undefined) return this.fail(`${JSON.stringify(this.#text.slice(this.at, this.at + 12))} is no JSON value`);
    const value = Number(match);
    if (Object.is(value, -0)) this.fail('-0 has no lossless form');
    if (match.length > 15 || /[.eE]/.test(match)) {
      if (!Number.isFinite(value) || canonicalDecimal(match) !== canonicalDecimal(String(value))) this.fail(`the number ${match.slice(0, 40)} would lose digits`);
    }
    this.at += match.length;
    return value;
  }

  #word<T extends Json>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.at)) this.fail(`${JSON.stringify(this.#text.slice(this.at, this.at + 12))} is no JSON value`);
    this.at += word.length;
    return value;
  }

  #take(char: string): boolean {
    if (this.#text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }
}

const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** A decimal as sign, digits without outer zeros, and power of ten: equal for numbers that are equal as decimals. */
function canonicalDecimal(token: string): string {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const significant = withoutFinalZeros(digits);
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  const stripped = significant.replace(/^0+/, '');
  return stripped === '' ? '0' : `${negative ? '-' : ''}${stripped}e${power}`;
}

/** By hand: a regular expression for this takes the square of the length, and the length is the model's to choose. */
function withoutFinalZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
