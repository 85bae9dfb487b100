import type { Disposable, SecretStorage } from 'vscode';

/** Keys stand in the editor's secret storage, each bound to one server: another address never gets it. */
export class ModelKeys implements Disposable {
  readonly #secrets: SecretStorage;
  /** Every key that was read or stored since the start. */
  readonly #seen = new Set<string>();
  /** What was read and has not changed since: the storage is in another process, and a message waits for the answer. */
  readonly #known = new Map<string, string | undefined>();
  #changes = 0;
  readonly #watching: Disposable;

  constructor(secrets: SecretStorage) {
    this.#secrets = secrets;
    this.#watching = secrets.onDidChange(({ key }) => this.#forget(key));
  }

  async get(baseUrl: string): Promise<string | undefined> {
    const name = slot(baseUrl);
    if (this.#known.has(name)) return this.#known.get(name);
    const changes = this.#changes;
    const key = await this.#secrets.get(name);
    if (key !== undefined) this.#seen.add(key);
    // What was changed while it was on its way may be another one by now.
    if (changes === this.#changes) this.#known.set(name, key);
    return key;
  }

  async store(baseUrl: string, key: string): Promise<void> {
    this.#seen.add(key.trim());
    this.#forget(slot(baseUrl));
    await this.#secrets.store(slot(baseUrl), key.trim());
  }

  async delete(baseUrl: string): Promise<void> {
    this.#forget(slot(baseUrl));
    await this.#secrets.delete(slot(baseUrl));
  }

  #forget(name: string): void {
    this.#changes += 1;
    this.#known.delete(name);
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
