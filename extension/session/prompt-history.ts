import { readFileSync, statSync } from 'node:fs';
import { writeWhole } from './write-whole.ts';

const mostPrompts = 100;
const longestPrompt = 20_000;
/** Of a file that holds so many of that length, in UTF-8 and escaped at the worst. */
const largestFile = mostPrompts * longestPrompt * 6 + 1000;

/** What the person sent lately in this workspace, newest last, for the composer. Losing it loses nothing else, so nothing in it throws. */
export class PromptHistory {
  readonly #file: string;
  readonly #later: (run: () => void) => void;
  #prompts: readonly string[];
  #unsaved: readonly string[] = [];

  /** `later` puts off the writing: what was sent goes to the model first. */
  constructor(file: string, later: (run: () => void) => void) {
    this.#file = file;
    this.#later = later;
    this.#prompts = this.#read() ?? [];
  }

  get prompts(): readonly string[] {
    return this.#prompts;
  }

  add(text: string): void {
    const prompt = cut(text);
    if (prompt.trim() === '') return;
    this.#prompts = withLast(this.#prompts, prompt);
    this.#unsaved = [...this.#unsaved, prompt];
    if (this.#unsaved.length === 1) this.#later(() => this.save());
  }

  /** Another window may have added some meanwhile: they are kept. */
  save(): void {
    if (this.#unsaved.length === 0) return;
    this.#prompts = this.#unsaved.reduce(withLast, this.#read() ?? this.#prompts);
    this.#unsaved = [];
    try {
      writeWhole(this.#file, JSON.stringify(this.#prompts));
    } catch {
      // It is there until this window is closed.
    }
  }

  /** null where it cannot be read. */
  #read(): readonly string[] | null {
    try {
      if (statSync(this.#file).size > largestFile) return null;
      const value: unknown = JSON.parse(readFileSync(this.#file, 'utf8'));
      if (!Array.isArray(value)) return null;
      return value.filter((prompt) => typeof prompt === 'string').map(cut).slice(-mostPrompts);
    } catch {
      return null;
    }
  }
}

function withLast(prompts: readonly string[], prompt: string): readonly string[] {
  return prompts.at(-1) === prompt ? prompts : [...prompts, prompt].slice(-mostPrompts);
}

function cut(text: string): string {
  return text.length > longestPrompt ? text.slice(0, longestPrompt).toWellFormed().replace(/\uFFFD$/, '') : text;
}
