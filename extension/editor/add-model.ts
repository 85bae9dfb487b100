import type { LocalServer } from '../model/local-servers.ts';
import { hostOf, type NetworkProtocol } from '../model/profile.ts';
import { keyCheckFor, type KeyFormPorts } from './model-key-form.ts';
import type { Choice, Step } from './model-prompts.ts';
import { faultOfAddress, providers, type Provider } from './model-providers.ts';

export interface AddModelPorts extends KeyFormPorts {
  /** Which model servers run on this machine; it is asked for when the flow begins, not before. */
  readonly findLocal: (signal: AbortSignal) => Promise<readonly LocalServer[]>;
  /** What the editor calls the machine that we run on, where it is not the person's own. */
  readonly remoteName: string | undefined;
}

/** What the person chose, with nothing of it stored yet. */
export interface NewModel {
  readonly protocol: NetworkProtocol;
  readonly baseUrl: string;
  readonly model: string;
  /** null where none was typed: what is stored for that server stays. */
  readonly key: string | null;
  /** What could not be checked; empty where all was. */
  readonly note: string;
}

type Stage = 'provider' | 'address' | 'key' | 'model';

/** What was chosen and typed so far. Going back keeps it. */
interface Draft {
  provider: Provider | null;
  baseUrl: string;
  key: string;
  models: readonly string[];
  note: string;
  model: string;
}

const title = 'Add a model';

/** Asks for a model step by step, each with a way back; null where the person gave up. */
export async function askForModel(ports: AddModelPorts): Promise<NewModel | null> {
  const draft: Draft = { provider: null, baseUrl: '', key: '', models: [], note: '', model: '' };
  const trail: Stage[] = [];
  for (let stage: Stage | 'end' = 'provider'; stage !== 'end';) {
    const outcome = await ask(stage, draft, ports);
    switch (outcome) {
      case 'cancelled': return null;
      case 'back':
        stage = trail.pop() ?? 'provider';
        break;
      case 'given':
        trail.push(stage);
        stage = after(stage, draft);
        break;
    }
  }
  const { provider, baseUrl, model, key, note } = draft;
  return provider === null ? null : { protocol: provider.protocol, baseUrl, model, key: key.trim() === '' ? null : key.trim(), note };
}

function after(stage: Stage, { provider, models }: Draft): Stage | 'end' {
  switch (stage) {
    case 'provider':
      if (provider?.baseUrl === '') return 'address';
      // A server on this machine that lists its models has let us in.
      return provider?.needsKey === false && models.length > 0 ? 'model' : 'key';
    case 'address': return 'key';
    case 'key': return 'model';
    case 'model': return 'end';
  }
}

async function ask(stage: Stage, draft: Draft, ports: AddModelPorts): Promise<Step<unknown>['kind']> {
  switch (stage) {
    case 'provider': return askProvider(draft, ports);
    case 'address': return askAddress(draft, ports);
    case 'key': return askKey(draft, ports);
    case 'model': return askModel(draft, ports);
  }
}

interface Origin {
  readonly provider: Provider;
  readonly models: readonly string[];
}

async function askProvider(draft: Draft, { prompts, findLocal, remoteName }: AddModelPorts): Promise<Step<unknown>['kind']> {
  const looking = new AbortController();
  const where = remoteName === undefined ? 'on this machine' : `on the remote machine (${remoteName})`;
  const step = await prompts.pick<Origin>({
    title, canGoBack: false, placeholder: 'Where does the model run?',
    choices: providers.map((provider) => ({ label: provider.label, description: provider.detail, value: { provider, models: [] } })),
    more: findLocal(looking.signal).then((servers) => servers.map((server) => localChoice(server, where))),
  });
  looking.abort();
  if (step.kind !== 'given') return step.kind;
  const { provider, models } = step.value;
  if (provider !== draft.provider) Object.assign(draft, { provider, baseUrl: provider.baseUrl, key: '', models, note: '', model: '' });
  return 'given';
}

function localChoice({ name, baseUrl, models }: LocalServer, where: string): Choice<Origin> {
  return {
    label: name, description: `${where}, ${hostOf(baseUrl)}`,
    detail: models.length === 0 ? 'Wants a key' : models.length === 1 ? '1 model' : `${models.length} models`,
    value: { models, provider: { label: name, detail: where, protocol: 'openai-chat', baseUrl, example: '', needsKey: models.length === 0, namesAreOwn: false } },
  };
}

async function askAddress(draft: Draft, { prompts }: AddModelPorts): Promise<Step<unknown>['kind']> {
  const { provider } = draft;
  const step = await prompts.ask({
    title, canGoBack: true, password: false, value: draft.baseUrl, placeholder: provider?.example ?? '',
    prompt: 'The address of the server, up to and with its version. It gets the key and the conversation.',
    check: (text) => Promise.resolve(faultOfAddress(text)),
  });
  if (step.kind !== 'given') return step.kind;
  const baseUrl = step.value.trim();
  // A key belongs to one server.
  if (baseUrl !== draft.baseUrl) Object.assign(draft, { baseUrl, key: '', models: [], note: '' });
  return 'given';
}

async function askKey(draft: Draft, { prompts, keys, timer }: AddModelPorts): Promise<Step<unknown>['kind']> {
  const { provider, baseUrl } = draft;
  if (provider === null) return 'back';
  const stored = await keys.get(baseUrl);
  const check = keyCheckFor({ protocol: provider.protocol, baseUrl }, timer, (text) => (text.trim() === '' ? stored : text), ({ models, note }) => Object.assign(draft, { models, note }));
  const step = await prompts.ask({
    title, canGoBack: true, password: true, value: draft.key,
    placeholder: stored === undefined ? (provider.needsKey ? 'The key' : 'The key, or nothing where none is needed') : 'Leave it empty to use the key that is stored',
    prompt: `A key for ${hostOf(baseUrl)}. It is checked with this server, kept in the editor's secret storage, and sent to no other.`,
    check: (text, signal) => (text.trim() === '' && stored === undefined && provider.needsKey ? Promise.resolve(`Paste the key that ${provider.label} gave you.`) : check(text, signal)),
  });
  if (step.kind === 'given') draft.key = step.value;
  return step.kind;
}

async function askModel(draft: Draft, { prompts }: AddModelPorts): Promise<Step<unknown>['kind']> {
  const host = hostOf(draft.baseUrl);
  const models = draft.provider?.namesAreOwn === true ? [] : draft.models;
  const step = models.length === 0
    ? await prompts.ask({
      title, canGoBack: true, password: false, value: draft.model, placeholder: draft.provider?.namesAreOwn === true ? 'The name of your deployment' : 'The model\'s name',
      prompt: draft.note === '' ? `The model's name, as ${host} knows it.` : draft.note,
      check: (text) => Promise.resolve(text.trim() === '' || text.trim().length > 300 ? 'Write the model\'s name.' : null),
    })
    : await prompts.pick<string>({
      title, canGoBack: true, placeholder: draft.note === '' ? `A model of ${host}; write its name where it is not listed` : draft.note,
      choices: models.map((model) => ({ label: model, value: model })),
      typed: (text) => (text.length > 300 ? null : { label: text, description: 'as you wrote it', value: text }),
    });
  if (step.kind === 'given') draft.model = step.value.trim();
  return step.kind;
}
