import * as vscode from 'vscode';

/** Keys stand in the editor's secret storage, each bound to one server: another address never gets it. */
export class ModelKeys {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  async get(baseUrl: string): Promise<string | undefined> {
    return await this.#secrets.get(slot(baseUrl));
  }

  /** Asks for a key and stores it; an empty one deletes it. */
  async ask(baseUrl: string): Promise<'stored' | 'deleted' | 'left'> {
    if (baseUrl === '') {
      const open = 'Open settings';
      const chosen = await vscode.window.showInformationMessage('Set the address of a model server first; a key belongs to one server.', open);
      if (chosen === open) await vscode.commands.executeCommand('countersign.openSettings');
      return 'left';
    }
    const key = await vscode.window.showInputBox({
      title: `Key for ${hostOf(baseUrl)}`, prompt: 'Stored in the editor\'s secret storage, sent to this server only. Leave it empty to delete the key.', password: true, ignoreFocusOut: true,
      validateInput: (text) => (/[\r\n]/.test(text.trim()) ? 'A key is one line.' : undefined),
    });
    if (key === undefined) return 'left';
    if (key.trim() === '') {
      await this.#secrets.delete(slot(baseUrl));
      return 'deleted';
    }
    await this.#secrets.store(slot(baseUrl), key.trim());
    return 'stored';
  }
}

export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

function slot(baseUrl: string): string {
  return `countersign.key:${URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl}`;
}
