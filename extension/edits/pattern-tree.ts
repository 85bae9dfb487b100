/**
 * Many patterns as one tree of their beginnings (Aho and Corasick): a text is read once, whatever the patterns. Hashing windows
 * of the text is faster on most and takes for ever on some, and the patterns are the model's to choose.
 */
export class PatternTree {
  readonly #bits: number;
  /** An open table of edges: from which node, by which unit, to which node; 0 where there is none. */
  readonly #from: Int32Array;
  readonly #by: Uint16Array;
  readonly #to: Int32Array;
  readonly #parent: Int32Array;
  readonly #unit: Uint16Array;
  readonly #depth: Int32Array;
  readonly #ends: Uint8Array;
  /** The longest other beginning that the node's text ends with. */
  readonly #fallback: Int32Array;
  /** The node itself where a pattern ends that is still looked for, else the next such on the way of the fallbacks; 0 for none. */
  readonly #next: Int32Array;
  #nodes = 1;
  #patterns = 0;

  constructor(patterns: readonly string[]) {
    const most = patterns.reduce((sum, { length }) => sum + length, 1);
    this.#bits = Math.max(4, Math.ceil(Math.log2(most * 2)));
    this.#from = new Int32Array(2 ** this.#bits);
    this.#by = new Uint16Array(2 ** this.#bits);
    this.#to = new Int32Array(2 ** this.#bits);
    this.#parent = new Int32Array(most);
    this.#unit = new Uint16Array(most);
    this.#depth = new Int32Array(most);
    this.#ends = new Uint8Array(most);
    this.#fallback = new Int32Array(most);
    this.#next = new Int32Array(most);
  }

  /** Gives the node at which the pattern ends; the same for the same pattern. */
  add(pattern: string): number {
    let node = 0;
    for (let at = 0; at < pattern.length; at += 1) {
      const unit = pattern.charCodeAt(at);
      const slot = this.#slot(node, unit);
      if (this.#to[slot] === 0) {
        this.#from[slot] = node;
        this.#by[slot] = unit;
        this.#to[slot] = this.#nodes;
        this.#parent[this.#nodes] = node;
        this.#unit[this.#nodes] = unit;
        this.#depth[this.#nodes] = at + 1;
        this.#nodes += 1;
      }
      node = this.#to[slot] ?? 0;
    }
    if (this.#ends[node] === 0) this.#patterns += 1;
    this.#ends[node] = 1;
    return node;
  }

  /** After the last `add`, before `walk`. */
  link(): void {
    const inOrder = Int32Array.from({ length: this.#nodes - 1 }, (_, n) => n + 1).sort((a, b) => (this.#depth[a] ?? 0) - (this.#depth[b] ?? 0));
    for (const node of inOrder) {
      const parent = this.#parent[node] ?? 0;
      const fallback = parent === 0 ? 0 : this.#step(this.#fallback[parent] ?? 0, this.#unit[node] ?? 0);
      this.#fallback[node] = fallback;
      this.#next[node] = this.#ends[node] === 1 ? node : this.#next[fallback] ?? 0;
    }
  }

  /** Tells of every pattern that ends before an offset of the text, until it is told that of this one there are enough. */
  walk(text: string, tell: (node: number, end: number) => 'go-on' | 'enough'): void {
    let left = this.#patterns;
    let node = 0;
    for (let at = 0; at < text.length && left > 0; at += 1) {
      node = this.#step(node, text.charCodeAt(at));
      for (let end = this.#live(node); end !== 0; end = this.#live(this.#fallback[end] ?? 0)) {
        if (tell(end, at + 1) === 'go-on') continue;
        this.#next[end] = this.#next[this.#fallback[end] ?? 0] ?? 0;
        left -= 1;
      }
    }
  }

  /** Along the fallbacks to the first pattern that is still looked for; the way is shortened for the next time. */
  #live(node: number): number {
    let live = this.#next[node] ?? 0;
    while (live !== 0 && this.#next[live] !== live) live = this.#next[live] ?? 0;
    for (let at = node; at !== live && this.#next[at] !== live;) {
      const after = this.#next[at] ?? 0;
      this.#next[at] = live;
      at = after;
    }
    return live;
  }

  #step(node: number, unit: number): number {
    for (let from = node; ; from = this.#fallback[from] ?? 0) {
      const to = this.#to[this.#slot(from, unit)] ?? 0;
      if (to !== 0 || from === 0) return to;
    }
  }

  /** Where the edge stands in the table, or where it would. */
  #slot(node: number, unit: number): number {
    const mask = this.#to.length - 1;
    let slot = Math.imul(node ^ Math.imul(unit, 0x01000193), 0x9e3779b1) >>> (32 - this.#bits);
    while (this.#to[slot] !== 0 && (this.#from[slot] !== node || this.#by[slot] !== unit)) slot = (slot + 1) & mask;
    return slot;
  }
}
