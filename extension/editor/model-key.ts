import type { SecretStorage } from 'vscode';

/** Keys stand in the editor's secret storage, each bound to one server: another address never gets it. */
export class ModelKeys {
  readonly #secrets: SecretStorage;
  /** Every key that was read or stored since the start. */
  readonly #seen = new Set<string>();

  constructor(secrets: SecretStorage) {
    this.#secrets = secrets;
  }

  async get(baseUrl: string): Promise<string | undefined> {
    const key = await this.#secrets.get(slot(baseUrl));
    if (key !== undefined) this.#seen.add(key);
    return key;
  }

  async store(baseUrl: string, key: string): Promise<void> {
    this.#seen.add(key.trim());
    await this.#secrets.store(slot(baseUrl), key.trim());
  }

  async delete(baseUrl: string): Promise<void> {
    await this.#secrets.delete(slot(baseUrl));
  }

  /** No model reads a key, wherever it may stand. */
  readonly redact = (text: string): string => {
    let clean = text;
    // Shorter ones would take ordinary words out.
    for (const key of this.#seen) if (key.length >= 8) clean = clean.replaceAll(key, '[the model key]');
    return clean;
  };
}

function slot(baseUrl: string): string {
  return `countersign.key:${URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl}`;
}
