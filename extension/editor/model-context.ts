import * as vscode from 'vscode';
import type { ModelRequest } from '../model/model-client.ts';
import { contextScheme } from './names.ts';

/** The document behind "Show What the Model Sees": made when it is opened, as the next request would be. */
export class ModelContextDocument implements vscode.TextDocumentContentProvider {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #uri = vscode.Uri.from({ scheme: contextScheme, path: '/What the model sees' });
  #text = '';

  provideTextDocumentContent(): string {
    return this.#text;
  }

  async show(request: ModelRequest, body: string | null): Promise<void> {
    this.#text = contextText(request, body);
    this.#changed.fire(this.#uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(this.#uri), { preview: true });
  }
}

function contextText({ messages, tools }: ModelRequest, body: string | null): string {
  const section = (title: string, text: string): string => `=== ${title} ===\n\n${text}\n`;
  const [system, ...rest] = messages;
  return [
    section('System prompt', system?.role === 'system' ? system.text : ''),
    section(`Tools (${tools.length})`, JSON.stringify(tools, null, 2)),
    section(`Messages (${rest.length})`, JSON.stringify(rest, null, 2)),
    body === null
      ? section('Request body', 'No model is set up, so no request can be made.')
      : section(`Request body, byte for byte (${Buffer.byteLength(body)} bytes)`, body),
  ].join('\n');
}
