/** One step of a program that matches a text; a jump's targets are indices. */
export type Step =
  | { readonly op: 'unit'; readonly unit: number }
  | { readonly op: 'any' }
  | { readonly op: 'set'; readonly has: (unit: number) => boolean }
  | { readonly op: 'start' }
  | { readonly op: 'end' }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'fork'; readonly first: number; readonly second: number }
  /** Goes on where the steps from `body` do (or, negated, do not) reach `done` from here. */
  | { readonly op: 'look'; readonly body: number; readonly negated: boolean; readonly to: number }
  | { readonly op: 'done' };

type Node =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly least: 0 | 1; readonly most: 'one' | 'many' }
  | { readonly kind: 'look'; readonly node: Node; readonly negated: boolean };

/** The source of a regular expression holds something that a glob's never does. */
export class UnknownRegexError extends Error {}

/**
 * The program of a regular expression (with the flag `s`): literals, sets, groups, alternatives, `* + ?`, lookaheads and
 * anchors, `{0,1}` and `{1,2}`, which is all that globs become.
 */
export function compileRegex(source: string): readonly Step[] {
  const reader = new Reader(source);
  const node = reader.choice();
  if (!reader.atEnd) throw new UnknownRegexError(`"${source}" has a ")" too many`);
  const steps: Step[] = [];
  emit(node, steps);
  steps.push({ op: 'done' });
  return steps;
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  choice(): Node {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: 'choice', options };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (!this.atEnd && !this.#sees('|') && !this.#sees(')')) parts.push(this.#quantified(this.#atom()));
    return { kind: 'sequence', parts };
  }

  #quantified(node: Node): Node {
    let result = node;
    for (;;) {
      if (this.#take('*')) result = { kind: 'repeat', node: result, least: 0, most: 'many' };
      else if (this.#take('+')) result = { kind: 'repeat', node: result, least: 1, most: 'many' };
      else if (this.#take('?') || this.#take('{0,1}')) result = { kind: 'repeat', node: result, least: 0, most: 'one' };
      else if (this.#take('{1,2}')) result = { kind: 'sequence', parts: [result, { kind: 'repeat', node: result, least: 0, most: 'one' }] };
      else return result;
      // Lazy or greedy: whether there is a match is the same.
      this.#take('?');
    }
  }

  #atom(): Node {
    if (this.#take('(')) return this.#group();
    if (this.#sees('[')) return { kind: 'step', step: { op: 'set', has: this.#set() } };
    if (this.#take('.')) return { kind: 'step', step: { op: 'any' } };
    if (this.#take('^')) return { kind: 'step', step: { op: 'start' } };
    if (this.#take('$')) return { kind: 'step', step: { op: 'end' } };
    const isEscape = this.#take('\\');
    if ((isEscape ? /[A-Za-z0-9]/ : /[*+?{]/).test(this.#source[this.#at] ?? '')) throw this.#unknown();
    const unit = this.#source.charCodeAt(this.#at);
    this.#at += 1;
    return { kind: 'step', step: { op: 'unit', unit } };
  }

  #group(): Node {
    const look = this.#take('?=') ? 'is' : this.#take('?!') ? 'is-not' : null;
    if (look === null && !this.#take('?:') && this.#sees('?')) throw this.#unknown();
    const node = this.choice();
    if (!this.#take(')')) throw this.#unknown();
    return look === null ? node : { kind: 'look', node, negated: look === 'is-not' };
  }

  #set(): (unit: number) => boolean {
    const from = this.#at;
    this.#at += 1;
    while (!this.atEnd && !this.#sees(']')) this.#at += this.#sees('\\') ? 2 : 1;
    if (!this.#take(']')) throw this.#unknown();
    const pattern = new RegExp(`^${this.#source.slice(from, this.#at)}$`, 's');
    const ascii = Array.from({ length: 128 }, (_, unit) => pattern.test(String.fromCharCode(unit)));
    return (unit) => ascii[unit] ?? pattern.test(String.fromCharCode(unit));
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false;
    this.#at += text.length;
    return true;
  }

  #unknown(): UnknownRegexError {
    return new UnknownRegexError(`"${this.#source}" holds something unknown at ${this.#at}`);
  }
}

function emit(node: Node, steps: Step[]): void {
  switch (node.kind) {
    case 'step':
      steps.push(node.step);
      return;
    case 'sequence':
      for (const part of node.parts) emit(part, steps);
      return;
    case 'choice': {
      const exits: number[] = [];
      node.options.forEach((option, n) => {
        if (n === node.options.length - 1) return emit(option, steps);
        const fork = reserve(steps);
        emit(option, steps);
        exits.push(reserve(steps));
        steps[fork] = { op: 'fork', first: fork + 1, second: steps.length };
      });
      for (const exit of exits) steps[exit] = { op: 'jump', to: steps.length };
      return;
    }
    case 'repeat': {
      if (node.most === 'many' && node.least === 1) {
        const start = steps.length;
        emit(node.node, steps);
        steps.push({ op: 'fork', first: start, second: steps.length + 1 });
        return;
      }
      const fork = reserve(steps);
      emit(node.node, steps);
      if (node.most === 'many') steps.push({ op: 'jump', to: fork });
      steps[fork] = { op: 'fork', first: fork + 1, second: steps.length };
      return;
    }
    case 'look': {
      const look = reserve(steps);
      emit(node.node, steps);
      steps.push({ op: 'done' });
      steps[look] = { op: 'look', body: look + 1, negated: node.negated, to: steps.length };
    }
  }
}

function reserve(steps: Step[]): number {
  return steps.push({ op: 'done' }) - 1;
}
