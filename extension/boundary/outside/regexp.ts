import { RE2JS } from 're2js';
import type { Budget } from './budget.ts';
import { propertyCharacters, type Ranges } from './characters.ts';
import { PatternRefused, translatePattern } from './pattern.ts';

/** What the patterns of one schema may be: of one in characters, of all in characters, the size of what they are compiled to, and the different `\p{…}`. */
export const patternLimits = { characters: 1000, allCharacters: 20_000, instructions: 5000, allInstructions: 50_000, properties: 4 } as const;

/** A pattern as Ajv uses it; its text is what Ajv tells one from the other by. */
interface TestedPattern {
  test(text: string): boolean;
  toString(): string;
}

export interface OutsidePatterns {
  /** Throws an Error that names the pattern where it has none in linear time. */
  compile(pattern: string): TestedPattern;
}

/** The patterns of one schema. A test costs at most the length of the text times the size of the pattern, and is paid for from `budget`. */
export function createOutsidePatterns(budget: Budget): OutsidePatterns {
  const compiled = new Map<string, TestedPattern>();
  const properties = new Map<string, Ranges>();
  const property = (escape: string): Ranges => {
    const known = properties.get(escape);
    if (known !== undefined) return known;
    if (properties.size >= patternLimits.properties) throw new PatternRefused(`the schema's patterns have more than ${patternLimits.properties} different \\p{…}`);
    const found = propertyCharacters(escape);
    properties.set(escape, found);
    return found;
  };
  let characters = 0;
  let instructions = 0;
  return {
    compile(pattern) {
      const known = compiled.get(pattern);
      if (known !== undefined) return known;
      const refuse = (why: string): never => {
        throw new Error(`the pattern ${JSON.stringify(pattern.slice(0, 100))} is refused: ${why}`);
      };
      characters += pattern.length;
      if (pattern.length > patternLimits.characters) refuse(`it has more than ${patternLimits.characters} characters`);
      if (characters > patternLimits.allCharacters) refuse(`the schema's patterns have more than ${patternLimits.allCharacters} characters together`);
      const program = linear(pattern, property, refuse);
      const size = program.programSize();
      instructions += size;
      if (size > patternLimits.instructions || instructions > patternLimits.allInstructions) refuse('it is too large when it is written out');
      const made: TestedPattern = {
        test: (text) => {
          budget.spend(1 + Math.ceil((text.length * size) / 8));
          return program.test(text);
        },
        toString: () => pattern,
      };
      compiled.set(pattern, made);
      return made;
    },
  };
}

function linear(pattern: string, property: (escape: string) => Ranges, refuse: (why: string) => never): RE2JS {
  try {
    return RE2JS.compile(translatePattern(pattern, property));
  } catch (error) {
    if (error instanceof PatternRefused) return refuse(error.message);
    return refuse(error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'it cannot be tested in linear time');
  }
}
