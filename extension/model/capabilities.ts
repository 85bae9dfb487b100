import type { ModelCapabilities } from './model-client.ts';
import type { ModelProfile, SettingProblem } from './profile.ts';
import { isLoopback } from './server-address.ts';

/** Whole names of models, in which `*` stands for anything, and what is known of them. The first that matches counts. */
export type CapabilityTable = readonly (readonly [glob: string, capabilities: Partial<ModelCapabilities>])[];

const k = 1024;
const conservative: ModelCapabilities = { images: false, parallelCalls: true, thinking: false, contextTokens: 128_000, outputTokens: 8 * k };

/**
 * How much a server on this machine really takes is its own setting, mostly far below what the model could: Ollama and llama.cpp cut
 * what is longer without a word.
 */
const localContext = 32 * k;

/** What the providers' own pages say of the families, by the last part of a name: `anthropic/claude-x` is looked up as `claude-x`. */
const families: CapabilityTable = [
  ['gpt-oss*', { thinking: true, contextTokens: 131_072, outputTokens: 32 * k }],
  ['gpt-5*-chat*', { images: true, contextTokens: 128_000, outputTokens: 16_384 }],
  ['gpt-5.4-mini*', { images: true, thinking: true, contextTokens: 400_000, outputTokens: 128_000 }],
  ['gpt-5.4-nano*', { images: true, thinking: true, contextTokens: 400_000, outputTokens: 128_000 }],
  ['gpt-5.4*', { images: true, thinking: true, contextTokens: 1_000_000, outputTokens: 128_000 }],
  ['gpt-5*', { images: true, thinking: true, contextTokens: 400_000, outputTokens: 128_000 }],
  ['gpt-4.1*', { images: true, contextTokens: 1_047_576, outputTokens: 32 * k }],
  ['gpt-4o*', { images: true, contextTokens: 128_000, outputTokens: 16_384 }],
  ['gpt-4-turbo*', { images: true, contextTokens: 128_000, outputTokens: 4 * k }],
  ['o3-mini*', { thinking: true, contextTokens: 200_000, outputTokens: 100_000 }],
  ['o1*', { images: true, thinking: true, contextTokens: 200_000, outputTokens: 100_000 }],
  ['o3*', { images: true, thinking: true, contextTokens: 200_000, outputTokens: 100_000 }],
  ['o4*', { images: true, thinking: true, contextTokens: 200_000, outputTokens: 100_000 }],
  ['codex-mini*', { images: true, thinking: true, contextTokens: 200_000, outputTokens: 100_000 }],

  ['claude-3-5-*', { images: true, contextTokens: 200_000, outputTokens: 8 * k }],
  ['claude-3.5-*', { images: true, contextTokens: 200_000, outputTokens: 8 * k }],
  ['claude-3-7-*', { images: true, thinking: true, contextTokens: 200_000, outputTokens: 64_000 }],
  ['claude-3.7-*', { images: true, thinking: true, contextTokens: 200_000, outputTokens: 64_000 }],
  ['claude-3*', { images: true, contextTokens: 200_000, outputTokens: 4 * k }],
  ['claude-haiku-4*', { images: true, thinking: true, contextTokens: 200_000, outputTokens: 64_000 }],
  ['claude-*-4?5*', { images: true, thinking: true, contextTokens: 200_000, outputTokens: 64_000 }],
  ['claude-*-4?6*', { images: true, thinking: true, contextTokens: 1_000_000, outputTokens: 128_000 }],
  ['claude-*-4?7*', { images: true, thinking: true, contextTokens: 1_000_000, outputTokens: 128_000 }],
  ['claude-*-4?8*', { images: true, thinking: true, contextTokens: 1_000_000, outputTokens: 128_000 }],
  ['claude-opus-4*', { images: true, thinking: true, contextTokens: 200_000, outputTokens: 32_000 }],
  ['claude-sonnet-4*', { images: true, thinking: true, contextTokens: 200_000, outputTokens: 64_000 }],
  ['claude-opus-5*', { images: true, thinking: true, contextTokens: 1_000_000, outputTokens: 128_000 }],
  ['claude-fable-5*', { images: true, thinking: true, contextTokens: 1_000_000, outputTokens: 128_000 }],
  ['claude-*', { images: true, thinking: true, contextTokens: 200_000, outputTokens: 64_000 }],

  ['gemini-2.0*', { images: true, contextTokens: 1_048_576, outputTokens: 8 * k }],
  ['gemini-1.5*', { images: true, contextTokens: 1_048_576, outputTokens: 8 * k }],
  ['gemini-*', { images: true, thinking: true, contextTokens: 1_048_576, outputTokens: 65_535 }],
  ['gemma3*', { images: true, contextTokens: 128_000, outputTokens: 8 * k }],
  ['gemma-3*', { images: true, contextTokens: 128_000, outputTokens: 8 * k }],

  ['qwen3-coder*', { contextTokens: 262_144, outputTokens: 64 * k }],
  ['qwen*vl*', { images: true, contextTokens: 131_072, outputTokens: 8 * k }],
  ['qwen3*', { thinking: true, contextTokens: 131_072, outputTokens: 32 * k }],
  ['qwq*', { thinking: true, contextTokens: 131_072, outputTokens: 32 * k }],
  ['qwen2.5-coder*', { contextTokens: 32 * k, outputTokens: 8 * k }],
  ['qwen*', { contextTokens: 32 * k, outputTokens: 8 * k }],

  ['llama-4*', { images: true, contextTokens: 131_072, outputTokens: 8 * k }],
  ['llama4*', { images: true, contextTokens: 131_072, outputTokens: 8 * k }],
  ['llama*3.2*vision*', { images: true, contextTokens: 128_000, outputTokens: 4 * k }],
  ['llama*3.*', { contextTokens: 128_000, outputTokens: 4 * k }],
  ['llama-3*', { contextTokens: 8 * k, outputTokens: 2 * k }],
  ['llama3*', { contextTokens: 8 * k, outputTokens: 2 * k }],

  ['deepseek-r*', { thinking: true, contextTokens: 128_000, outputTokens: 32 * k }],
  ['deepseek-reasoner*', { thinking: true, contextTokens: 128_000, outputTokens: 32 * k }],
  ['deepseek-*', { contextTokens: 128_000, outputTokens: 8 * k }],

  ['magistral*', { thinking: true, contextTokens: 128_000, outputTokens: 32 * k }],
  ['mistral-medium*', { images: true, contextTokens: 128_000, outputTokens: 16 * k }],
  ['mistral-small*', { images: true, contextTokens: 128_000, outputTokens: 16 * k }],
  ['pixtral*', { images: true, contextTokens: 128_000, outputTokens: 8 * k }],
  ['mistral-7b*', { contextTokens: 32 * k, outputTokens: 8 * k }],
  ['codestral*', { contextTokens: 256_000, outputTokens: 16 * k }],
  ['devstral*', { contextTokens: 128_000, outputTokens: 16 * k }],
];

/** What a model can do: what the person's table says, then ours, then little enough to be true of nearly all. */
export function capabilitiesOf({ protocol, baseUrl, model }: Pick<ModelProfile, 'protocol' | 'baseUrl' | 'model'>, extension: CapabilityTable = []): ModelCapabilities {
  const name = model.slice(model.lastIndexOf('/') + 1);
  const ours = foundIn(families, name);
  const isLocal = protocol !== 'editor' && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname);
  const built: ModelCapabilities = { ...conservative, ...ours };
  const limited = isLocal ? { ...built, contextTokens: Math.min(built.contextTokens, localContext), outputTokens: Math.min(built.outputTokens, conservative.outputTokens) } : built;
  return { ...limited, ...foundIn(extension, model) };
}

const maxTokens = 100_000_000;

/** The value of `countersign.modelCapabilities`, which may be anything. What is wrong is left out, and said. Never throws. */
export function readCapabilities(value: unknown): { readonly extension: CapabilityTable; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const extension: (readonly [string, Partial<ModelCapabilities>])[] = [];
  if (value === undefined || value === null) return { extension, problems };
  const entries = entriesOf(value);
  if (entries === null) return { extension, problems: [{ place: 'countersign.modelCapabilities', message: 'an object was expected, such as { "qwen3*": { "contextTokens": 65536 } }.' }] };
  for (const [glob, capabilities] of entries.slice(0, 200)) {
    const place = `countersign.modelCapabilities[${JSON.stringify(glob.slice(0, 100))}]`;
    const fields = entriesOf(capabilities);
    if (fields === null || glob === '' || glob.length > 300) {
      problems.push({ place, message: 'a name of a model with what it can do was expected, such as { "images": true }.' });
      continue;
    }
    const read: { -readonly [Name in keyof ModelCapabilities]?: ModelCapabilities[Name] } = {};
    for (const [name, field] of fields) {
      const wrong = take(read, name, field);
      if (wrong !== null) problems.push({ place: `${place}.${name.slice(0, 100)}`, message: wrong });
    }
    extension.push([glob, read]);
  }
  return { extension, problems };
}

function take(read: { -readonly [Name in keyof ModelCapabilities]?: ModelCapabilities[Name] }, name: string, value: unknown): string | null {
  switch (name) {
    case 'images':
    case 'parallelCalls':
    case 'thinking':
      if (typeof value !== 'boolean') return 'true or false was expected.';
      read[name] = value;
      return null;
    case 'contextTokens':
    case 'outputTokens':
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 256 || value > maxTokens) return `a whole number of tokens from 256 to ${maxTokens} was expected.`;
      read[name] = value;
      return null;
    default:
      return 'there is no such field; there are images, parallelCalls, thinking, contextTokens and outputTokens.';
  }
}

function foundIn(table: CapabilityTable, name: string): Partial<ModelCapabilities> {
  return table.find(([glob]) => matchesName(glob, name))?.[1] ?? {};
}

/** Whether a whole name is as the glob says, whatever its case: `*` stands for anything, `?` for one character. Linear in the name for each `*`. */
export function matchesName(glob: string, name: string): boolean {
  const text = name.toLowerCase();
  const [first = '', ...rest] = glob.toLowerCase().split('*');
  if (!fits(first, text, 0)) return false;
  const last = rest.pop();
  if (last === undefined) return first.length === text.length;
  let at = first.length;
  for (const piece of rest) {
    while (at + piece.length <= text.length && !fits(piece, text, at)) at++;
    if (at + piece.length > text.length) return false;
    at += piece.length;
  }
  return text.length - last.length >= at && fits(last, text, text.length - last.length);
}

function fits(piece: string, text: string, at: number): boolean {
  if (at + piece.length > text.length) return false;
  for (let index = 0; index < piece.length; index++) if (piece[index] !== '?' && piece[index] !== text[at + index]) return false;
  return true;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : null;
}
