import { checkKey, faultOfKey, type KeyCheck } from '../model/check-key.ts';
import type { ServerPlace } from '../model/model-list.ts';
import { hostOf } from '../model/profile.ts';
import type { Timer } from '../model/response-watch.ts';
import type { ModelKeys } from './model-key.ts';
import type { Prompts } from './model-prompts.ts';

export interface KeyFormPorts {
  readonly prompts: Prompts;
  readonly keys: ModelKeys;
  readonly timer: Timer;
}

/** What the server said of a key that goes on being used: which models there are, and what could not be checked. */
export interface Checked {
  readonly models: readonly string[];
  /** Empty where all is well. */
  readonly note: string;
}

/**
 * A check for the box that asks for a key: the server is asked, and what it refuses is said in the box. Where there was no answer that
 * says anything of the key, the same key a second time goes on without one.
 */
export function keyCheckFor(place: ServerPlace, timer: Timer, keyOf: (text: string) => string | undefined, onChecked: (checked: Checked) => void): (text: string, signal: AbortSignal) => Promise<string | null> {
  let unanswered: string | null = null;
  return async (text, signal) => {
    const wrong = faultOfKey(text);
    if (wrong !== null) return wrong;
    const result = await checkKey(place, keyOf(text), { timer, signal });
    const said = saidOf(result);
    if ('models' in said) {
      onChecked(said);
      return null;
    }
    if (result.kind !== 'failed') return said.wrong;
    if (unanswered === text) {
      onChecked({ models: [], note: said.wrong });
      return null;
    }
    unanswered = text;
    return `${said.wrong} Or press Enter again to go on without the check.`;
  };
}

/** Asks for the key of a server, has it checked there and stores it; an empty one deletes what is stored. Resolves with what became of it, for the person. */
export async function askForKey(place: ServerPlace, { prompts, keys, timer }: KeyFormPorts): Promise<string | null> {
  const host = hostOf(place.baseUrl);
  const hasOne = await keys.get(place.baseUrl) !== undefined;
  let note = '';
  const check = keyCheckFor(place, timer, (text) => text, (checked) => { ({ note } = checked); });
  const step = await prompts.ask({
    title: `Key for ${host}`, canGoBack: false, password: true, value: '',
    placeholder: hasOne ? 'A key is stored' : 'No key is stored',
    prompt: `Checked with this server, kept in the editor's secret storage, and sent to no other.${hasOne ? ' Leave it empty to delete the stored key.' : ''}`,
    check: (text, signal) => (text.trim() === '' ? Promise.resolve(hasOne ? null : 'Paste the key, or press Escape.') : check(text, signal)),
  });
  if (step.kind !== 'given') return null;
  if (step.value.trim() === '') {
    await keys.delete(place.baseUrl);
    return `The key for ${host} is deleted.`;
  }
  await keys.store(place.baseUrl, step.value);
  return `The key for ${host} is stored.${note === '' ? '' : ` ${note}`}`;
}

function saidOf(result: KeyCheck): Checked | { readonly wrong: string } {
  switch (result.kind) {
    case 'works': return { models: result.models, note: '' };
    case 'unproven': return { models: result.models, note: result.message };
    case 'refused':
    case 'failed': return { wrong: result.message };
    case 'stopped': return { wrong: 'The check was stopped.' };
  }
}
