import { sha256 } from '../boundary/digest.ts';
import { readServerAddress } from './server-address.ts';

/** How a model is reached. `demonstration` is a script that plays a model: nothing is sent anywhere. `editor` is the editor's own (`vscode.lm`). */
export type Protocol = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'editor' | 'demonstration';

/** Those that a person can set up: they go over the network. */
export const networkProtocols = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const satisfies readonly Protocol[];
export type NetworkProtocol = (typeof networkProtocols)[number];

export const thinkingEfforts = ['off', 'low', 'medium', 'high'] as const;
export type ThinkingEffort = (typeof thinkingEfforts)[number];

/** One model as the person set it up. */
export interface ModelProfile {
  /** Stable: what was chosen is remembered by it. */
  readonly id: string;
  /** For the picker; by default the model's name. */
  readonly label: string;
  readonly protocol: Protocol;
  /** Up to and with the version: `https://api.openai.com/v1`. Empty for protocols that need none. */
  readonly baseUrl: string;
  readonly model: string;
  readonly thinking: ThinkingEffort;
}

/** A profile whose model is reached over the network. */
export interface NetworkProfile extends ModelProfile {
  readonly protocol: NetworkProtocol;
}

/** What is wrong with a part of a setting, which is left out: `countersign.models[2].protocol`, and what was expected there. */
export interface SettingProblem {
  readonly place: string;
  readonly message: string;
}

export const defaultBaseUrls: Readonly<Record<NetworkProtocol, string>> = {
  'openai-chat': 'https://api.openai.com/v1',
  'openai-responses': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
};

const maxProfiles = 100;
const maxId = 200;
const known = ['id', 'label', 'protocol', 'baseUrl', 'model', 'thinking'];

/**
 * The profiles in the value of `countersign.models`, which may be anything. An entry that is not entirely as expected is left out: a
 * name that is misspelt may be the address, and then the conversation would go elsewhere. Never throws.
 */
export function readProfiles(value: unknown): { readonly profiles: readonly NetworkProfile[]; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  if (value === undefined || value === null) return { profiles: [], problems };
  if (!Array.isArray(value)) return { profiles: [], problems: [{ place: 'countersign.models', message: 'a list of models was expected, such as [{ "protocol": "openai-chat", "model": "…" }].' }] };
  const entries: readonly unknown[] = value;
  if (entries.length > maxProfiles) problems.push({ place: 'countersign.models', message: `only the first ${maxProfiles} models count.` });
  const read = entries.slice(0, maxProfiles).map((entry, index) => readEntry(entry, `countersign.models[${index}]`));
  const taken = new Set<string>();
  // Those that were given come first, so that one that is made never takes theirs.
  read.forEach((entry, index) => {
    if ('message' in entry || entry.id === undefined) return;
    if (taken.has(entry.id)) read[index] = { place: `countersign.models[${index}].id`, message: `“${entry.id}” is the id of a model before it. Give each its own, or leave it out.` };
    taken.add(entry.id);
  });
  const profiles: NetworkProfile[] = [];
  for (const entry of read) {
    if ('message' in entry) problems.push(entry);
    else profiles.push({ ...entry, id: entry.id ?? freeId(entry, taken) });
  }
  return { profiles, problems };
}

type Entry = Omit<NetworkProfile, 'id'> & { readonly id: string | undefined };

function readEntry(entry: unknown, place: string): Entry | SettingProblem {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return { place, message: 'a model was expected, such as { "protocol": "openai-chat", "model": "…" }.' };
  const fields = new Map<string, unknown>(Object.entries(entry));
  const unknown = [...fields.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) return { place: `${place}.${shown(unknown)}`, message: `there is no such field; there are ${known.join(', ')}.` };
  const protocol = networkProtocols.find((name) => name === fields.get('protocol'));
  if (protocol === undefined) return { place: `${place}.protocol`, message: `one of ${networkProtocols.join(', ')} was expected.` };
  const model = lineOf(fields.get('model'), 300);
  if (model === null) return { place: `${place}.model`, message: 'the model\'s name was expected, as its server knows it.' };
  const label = fields.has('label') ? lineOf(fields.get('label'), 200) : model;
  if (label === null) return { place: `${place}.label`, message: 'a short text was expected.' };
  const id = fields.has('id') ? lineOf(fields.get('id'), maxId) : undefined;
  if (id === null) return { place: `${place}.id`, message: `a text of at most ${maxId} characters was expected.` };
  if (id !== undefined && /^(demonstration$|editor:)/.test(id)) return { place: `${place}.id`, message: `“${shown(id)}” is taken by a model that is always there.` };
  const thinking = fields.has('thinking') ? thinkingEfforts.find((effort) => effort === fields.get('thinking')) : 'off';
  if (thinking === undefined) return { place: `${place}.thinking`, message: `one of ${thinkingEfforts.join(', ')} was expected.` };
  const baseUrl = fields.has('baseUrl') ? fields.get('baseUrl') : defaultBaseUrls[protocol];
  if (typeof baseUrl !== 'string' || baseUrl.length > 2000) return { place: `${place}.baseUrl`, message: `an address was expected, such as ${defaultBaseUrls[protocol]}.` };
  const address = readServerAddress(baseUrl);
  if ('failure' in address) return { place: `${place}.baseUrl`, message: address.failure.message };
  return { id, label, protocol, baseUrl: baseUrl.trim(), model, thinking };
}

/** What a profile without an id of its own is known by. */
export function derivedId({ protocol, baseUrl, model }: Pick<ModelProfile, 'protocol' | 'baseUrl' | 'model'>): string {
  return shortId(`${protocol}:${hostOf(baseUrl)}/${model}`);
}

/** The same id, or where it is too long another one that stands for it alone. Leaves room for a count. */
export function shortId(id: string): string {
  return id.length <= maxId - 4 ? id : `${id.slice(0, 160)}~${sha256(Buffer.from(id)).slice(0, 16)}`;
}

/** `api.openai.com`; with its port where it has one. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

function freeId(entry: Entry, taken: Set<string>): string {
  const first = derivedId(entry);
  let id = first;
  for (let count = 2; taken.has(id); count++) id = `${first}#${count}`;
  taken.add(id);
  return id;
}

/** One line of text, without blanks around it; null for anything else. */
function lineOf(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text !== '' && text.length <= maxLength && !/\p{Cc}/u.test(text) && text.isWellFormed() ? text : null;
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
