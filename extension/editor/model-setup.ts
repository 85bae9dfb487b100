import * as vscode from 'vscode';
import { capabilitiesOf, readCapabilities, type CapabilityTable } from '../model/capabilities.ts';
import { createModelClient, warmModel } from '../model/create-client.ts';
import { createDemonstration, demonstrationId, demonstrationLabel, warmDemonstration } from '../model/demonstration/client.ts';
import { findLocalServers, type LocalServer } from '../model/local-servers.ts';
import type { ModelClient } from '../model/model-client.ts';
import { hostOf, readProfiles, type NetworkProfile } from '../model/profile.ts';
import { isLoopback } from '../model/server-address.ts';
import type { ModelChoice, Models } from '../../webview/protocol/state.ts';
import { askForModel } from './add-model.ts';
import { capabilitiesOfEditorModel, findEditorModels, type EditorModel } from './editor-models.ts';
import { laterOn } from './later-on.ts';
import { currentModel, ModelChoiceMemory } from './model-choice.ts';
import { createEditorClient } from './model-editor-client.ts';
import { ModelKeys } from './model-key.ts';
import { askForKey } from './model-key-form.ts';
import { editorPrompts, type Prompts } from './model-prompts.ts';
import { readModelSettings } from './settings.ts';
import { saveModel } from './model-save.ts';

export interface ModelSetupParts {
  readonly secrets: vscode.SecretStorage;
  readonly workspaceState: vscode.Memento;
  readonly globalState: vscode.Memento;
  /** What is wrong in the settings, for the log. */
  readonly warn: (message: string) => void;
  /** The editor's own boxes where it is not given. */
  readonly prompts?: Prompts;
  /** The usual addresses on this machine where it is not given. */
  readonly findLocal?: (signal: AbortSignal) => Promise<readonly LocalServer[]>;
}

/** The models that can be chosen, the chosen one, and its client. */
export class ModelSetup implements vscode.Disposable {
  readonly #parts: ModelSetupParts;
  readonly #keys: ModelKeys;
  readonly #memory: ModelChoiceMemory;
  readonly #prompts: Prompts;
  readonly #changed = new vscode.EventEmitter<void>();
  /** The models, the chosen one or its client have changed. */
  readonly onChanged = this.#changed.event;
  readonly #demonstration = createDemonstration({ timer: laterOn });
  #profiles: readonly NetworkProfile[] = [];
  #extension: CapabilityTable = [];
  /** null until the editor was asked. */
  #editor: readonly EditorModel[] | null = null;
  #watching: vscode.Disposable | null = null;
  #client: ModelClient | null = null;
  /** Problems of the settings that were told: the editor rereads them at every change of another setting. */
  #told = '';

  constructor(parts: ModelSetupParts) {
    this.#parts = parts;
    this.#keys = new ModelKeys(parts.secrets);
    this.#memory = new ModelChoiceMemory(parts.workspaceState, parts.globalState);
    this.#prompts = parts.prompts ?? editorPrompts;
    this.readSettings();
  }

  /** Of the chosen model; null where none is. */
  get client(): ModelClient | null {
    return this.#client;
  }

  get redact(): (text: string) => string {
    return this.#keys.redact;
  }

  models(): Models {
    const choices: readonly ModelChoice[] = [
      ...this.#profiles.map((profile) => ({ id: profile.id, label: profile.label, detail: placeOf(profile), images: capabilitiesOf(profile, this.#extension).images, demonstration: false })),
      ...(this.#editor ?? []).map(({ id, label, detail, chat }) => ({ id, label: label.slice(0, 200), detail: detail.slice(0, 200), images: capabilitiesOfEditorModel(chat, this.#extension).images, demonstration: false })),
      { id: demonstrationId, label: demonstrationLabel, detail: 'nothing is sent', images: this.#demonstration.capabilities.images, demonstration: true },
    ];
    return { choices, current: this.#current() };
  }

  readSettings(): void {
    const settings = readModelSettings();
    const { profiles, problems } = readProfiles(settings.models);
    const capabilities = readCapabilities(settings.capabilities);
    const told = [...problems, ...capabilities.problems].map(({ place, message }) => `${place}: ${message}`);
    if (told.join('\n') !== this.#told) {
      for (const message of told) this.#parts.warn(message);
      void showProblems(told);
    }
    this.#told = told.join('\n');
    this.#profiles = profiles;
    this.#extension = capabilities.extension;
    this.#renew();
  }

  /** Asks the editor for its own models, and keeps up with them from then on. For when the chat opens: it may start other extensions. */
  async lookForEditorModels(): Promise<void> {
    this.#watching ??= vscode.lm.onDidChangeChatModels(() => void this.#readEditorModels());
    await this.#readEditorModels();
  }

  /** False where there is no such model any more. */
  async choose(id: string): Promise<boolean> {
    if (!this.models().choices.some((choice) => choice.id === id)) return false;
    await this.#memory.remember(id);
    this.#renew();
    return true;
  }

  async useDemonstration(): Promise<void> {
    await this.choose(demonstrationId);
  }

  /** Loads what the first request needs, ahead of it. */
  async warm(): Promise<void> {
    const current = this.#current();
    const profile = this.#profiles.find(({ id }) => id === current);
    if (profile !== undefined) await warmModel(profile);
    else if (current === demonstrationId) await warmDemonstration();
  }

  /** Has the person choose from a list, or add one. */
  async pick(): Promise<void> {
    const { choices, current } = this.models();
    const step = await this.#prompts.pick<string | null>({
      title: 'Choose a model', canGoBack: false, placeholder: 'The model that answers in this workspace',
      choices: [
        ...choices.map(({ id, label, detail }) => ({ label, description: id === current ? `${detail}, chosen now` : detail, value: id })),
        { label: 'Add a model…', value: null },
      ],
    });
    if (step.kind !== 'given') return;
    if (step.value === null) await this.add();
    else await this.choose(step.value);
  }

  async add(): Promise<void> {
    const model = await askForModel({
      prompts: this.#prompts, keys: this.#keys, timer: laterOn, remoteName: vscode.env.remoteName,
      findLocal: this.#parts.findLocal ?? ((signal) => findLocalServers({ timer: laterOn, signal })),
    });
    if (model === null) return;
    if (model.key !== null) await this.#keys.store(model.baseUrl, model.key);
    await saveModel(model);
    this.readSettings();
    const added = this.#profiles.findLast(({ protocol, baseUrl, model: name }) => protocol === model.protocol && baseUrl === model.baseUrl && name === model.model);
    if (added === undefined) throw new Error('The model was written to the settings, but does not stand there: another place may set “countersign.models”. Look at the settings.');
    await this.choose(added.id);
    void vscode.window.showInformationMessage(`${added.label} at ${hostOf(added.baseUrl)} is set up, and chosen.${model.note === '' ? '' : ` ${model.note}`}`);
  }

  /** For the server of the chosen model. */
  async setKey(): Promise<void> {
    const current = this.#current();
    const profile = this.#profiles.find(({ id }) => id === current);
    if (profile === undefined) {
      const add = 'Add a model';
      const chosen = await vscode.window.showInformationMessage(current === null ? 'No model is chosen; a key belongs to a model\'s server.' : 'The chosen model needs no key.', add);
      if (chosen === add) await this.add();
      return;
    }
    const became = await askForKey(profile, { prompts: this.#prompts, keys: this.#keys, timer: laterOn });
    if (became !== null) vscode.window.setStatusBarMessage(became, 8000);
  }

  dispose(): void {
    this.#watching?.dispose();
    this.#keys.dispose();
    this.#changed.dispose();
  }

  async #readEditorModels(): Promise<void> {
    try {
      this.#editor = await findEditorModels();
    } catch (error) {
      this.#editor = [];
      this.#parts.warn(`The editor's own models could not be asked for: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#renew();
  }

  #current(): string | null {
    return currentModel(this.#memory, { profiles: this.#profiles.map(({ id }) => id), editor: this.#editor?.map(({ id }) => id) ?? null, demonstration: demonstrationId });
  }

  #renew(): void {
    this.#client = this.#clientOf(this.#current());
    this.#changed.fire();
  }

  #clientOf(id: string | null): ModelClient | null {
    if (id === demonstrationId) return this.#demonstration;
    const profile = this.#profiles.find((candidate) => candidate.id === id);
    if (profile !== undefined) {
      return createModelClient(profile, {
        key: () => this.#keys.get(profile.baseUrl), timer: laterOn, now: Date.now, capabilities: capabilitiesOf(profile, this.#extension),
        label: `${profile.label} · ${hostOf(profile.baseUrl)}`,
      });
    }
    const model = this.#editor?.find((candidate) => candidate.id === id);
    if (model === undefined) return null;
    return createEditorClient({ chat: model.chat, label: `${model.label} · ${model.detail}`, capabilities: capabilitiesOfEditorModel(model.chat, this.#extension) });
  }
}

/** A model that is not there for a word that is misspelt: the log alone would be looked into by nobody. */
async function showProblems([first, ...others]: readonly string[]): Promise<void> {
  if (first === undefined) return;
  const open = 'Open settings';
  const more = others.length === 0 ? '' : ` ${others.length} more ${others.length === 1 ? 'stands' : 'stand'} in the log.`;
  if (await vscode.window.showWarningMessage(`In the settings, ${first}${more}`, open) === open) await vscode.commands.executeCommand('countersign.openSettings');
}

/** In a remote window, localhost is the remote machine. */
function placeOf({ baseUrl }: NetworkProfile): string {
  const host = hostOf(baseUrl);
  if (!URL.canParse(baseUrl) || !isLoopback(new URL(baseUrl).hostname)) return host;
  return `${host}, ${vscode.env.remoteName === undefined ? 'this machine' : `the remote machine (${vscode.env.remoteName})`}`;
}
