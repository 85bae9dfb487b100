import { readFileSync, statSync } from 'node:fs';
import { writeWhole } from './write-whole.ts';

const mostPrompts = 100;
const longestPrompt = 20_000;
/** Of a file that holds so many of that length, in UTF-8 and escaped at the worst. */
const largestFile = mostPrompts * longestPrompt * 6 + 1000;

/** What the person sent lately in this workspace, newest last, for the composer. Losing it loses nothing else, so nothing in it throws. */
export class PromptHistory {
  readonly #file: string;
  #prompts: readonly string[];

  constructor(file: string) {
    this.#file = file;
    this.#prompts = this.#read() ?? [];
  }

  get prompts(): readonly string[] {
    return this.#prompts;
  }

  /** Another window may have added some meanwhile: they are kept. */
  add(text: string): void {
    const prompt = cut(text);
    if (prompt.trim() === '') return;
    const before = this.#read() ?? this.#prompts;
    this.#prompts = before.at(-1) === prompt ? before : [...before, prompt].slice(-mostPrompts);
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

function cut(text: string): string {
  return text.length > longestPrompt ? text.slice(0, longestPrompt).toWellFormed().replace(/\uFFFD$/, '') : text;
}
