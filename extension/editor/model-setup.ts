import * as vscode from 'vscode';
import type { ModelClient } from '../model/model-client.ts';
import { createOpenAIChat } from '../model/openai-chat.ts';
import { hostOf, type ModelKeys } from './model-key.ts';
import { laterOn } from './later-on.ts';
import { readModelSettings } from './settings.ts';

/** By this name a server says that it only plays a script. */
const demonstrationModel = 'demonstration';

/** The model that the settings name, and its key. */
export class ModelSetup {
  readonly #keys: ModelKeys;
  #client: ModelClient | null = null;
  #model = '';
  #key: string | undefined;

  constructor(keys: ModelKeys) {
    this.#keys = keys;
    this.readSettings();
  }

  /** null where none is set up. */
  get client(): ModelClient | null {
    return this.#client;
  }

  get isDemonstration(): boolean {
    return this.#model === demonstrationModel;
  }

  readSettings(): void {
    const { baseUrl, model } = readModelSettings();
    this.#model = model;
    this.#client = baseUrl === '' || model === '' ? null : createOpenAIChat({
      baseUrl, model, label: `${model} · ${hostOf(baseUrl)}`, now: Date.now, timer: laterOn,
      key: async () => {
        this.#key = await this.#keys.get(baseUrl);
        return this.#key;
      },
    });
  }

  async askForKey(): Promise<void> {
    const { baseUrl } = readModelSettings();
    const became = await this.#keys.ask(baseUrl);
    if (became !== 'left') vscode.window.setStatusBarMessage(`The key for ${hostOf(baseUrl)} is ${became}.`, 5000);
  }

  /** No model reads a key, wherever it may stand. */
  readonly redact = (text: string): string =>
    (this.#key !== undefined && this.#key.length >= 8 ? text.replaceAll(this.#key, '[the model key]') : text);
}
