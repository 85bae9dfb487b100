import type { Disposable, SecretStorage } from 'vscode';

/** Keys stand in the editor's secret storage, each bound to one server: another address never gets it. */
export class ModelKeys implements Disposable {
  readonly #secrets: SecretStorage;
  /** Every key that was read or stored since the start. */
  readonly #seen = new Set<string>();
  /** What was read and has not changed since: the storage is in another process, and a message waits for the answer. */
  readonly #known = new Map<string, string>();
  readonly #watching: Disposable;

  constructor(secrets: SecretStorage) {
    this.#secrets = secrets;
    this.#watching = secrets.onDidChange(({ key }) => this.#known.delete(key));
  }

  async get(baseUrl: string): Promise<string | undefined> {
    const name = slot(baseUrl);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const key = await this.#secrets.get(name);
    if (key !== undefined) {
      this.#seen.add(key);
      this.#known.set(name, key);
    }
    return key;
  }

  async store(baseUrl: string, key: string): Promise<void> {
    this.#seen.add(key.trim());
    this.#known.delete(slot(baseUrl));
    await this.#secrets.store(slot(baseUrl), key.trim());
  }

  async delete(baseUrl: string): Promise<void> {
    this.#known.delete(slot(baseUrl));
    await this.#secrets.delete(slot(baseUrl));
  }

  dispose(): void {
    this.#watching.dispose();
    this.#known.clear();
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
