import * as vscode from 'vscode';
import type { Ask, AskFile } from '../boundary/ask.ts';
import { makeVisible } from '../edits/visible.ts';
import type { AskPlace } from '../gate/approvals.ts';
import { baseScheme, proposedScheme } from './names.ts';

/** What a diff's title bar answers, for the desk to judge. */
export interface DiffAnswers {
  shown(call: string, digest: string, place: AskPlace): void;
  /** null where it counted; else why not. */
  answer(given: { readonly call: string; readonly digest: string; readonly place: AskPlace; readonly answer: 'allow' | 'deny'; readonly reason: string }): string | null;
}

interface Shown {
  readonly ask: Ask;
}

/**
 * An ask as a diff in the editor: both sides are documents of ours that cannot change, bound to the call and its digest. The title bar
 * answers it.
 */
export class DiffReview implements vscode.Disposable {
  readonly #desk: DiffAnswers;
  readonly #asks = new Map<string, Shown>();
  readonly #disposables: vscode.Disposable[] = [];

  constructor(desk: DiffAnswers) {
    this.#desk = desk;
    const provide = (side: 'base' | 'result'): vscode.TextDocumentContentProvider => ({ provideTextDocumentContent: (uri) => this.#text(uri, side) });
    this.#disposables.push(
      vscode.workspace.registerTextDocumentContentProvider(baseScheme, provide('base')),
      vscode.workspace.registerTextDocumentContentProvider(proposedScheme, provide('result')),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.#noteShown(editor?.document.uri)),
    );
  }

  opened(ask: Ask): void {
    this.#asks.set(ask.call, { ask });
    void this.#tell();
  }

  /** The ask is answered: its diff goes with it, so that nothing is left to answer by mistake. */
  async closed(ask: Ask): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => tab.input instanceof vscode.TabInputTextDiff && targetOf(tab.input.modified)?.call === ask.call);
    this.#asks.delete(ask.call);
    await this.#tell();
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
  }

  /** Opens the diff of one file of a call's change, counted from 0; false where it has none that is open. */
  async show(call: string, index: number): Promise<boolean> {
    const shown = this.#asks.get(call);
    const file = shown?.ask.files[index];
    if (shown === undefined || file === undefined) return false;
    const title = `${makeVisible(file.display)} (${whatOf(file)})`;
    await vscode.commands.executeCommand('vscode.diff', uriOf(shown.ask, file, baseScheme), uriOf(shown.ask, file, proposedScheme), title, { preview: false });
    this.#noteShown(uriOf(shown.ask, file, proposedScheme));
    return true;
  }

  /** Answers the ask whose diff is given, or else the one in the active tab. */
  async answer(answer: 'allow' | 'deny', given: unknown, withReason: boolean): Promise<void> {
    const target = targetOf(given) ?? targetOf(activeDiff());
    if (target === null) {
      void vscode.window.showInformationMessage('Open the diff of a change that waits for approval first.');
      return;
    }
    const files = this.#asks.get(target.call)?.ask.files.length ?? 0;
    if (answer === 'allow' && files > 1) {
      const all = `Allow all ${files} files`;
      const chosen = await vscode.window.showInformationMessage('This diff shows one file of a call that changes several. They are allowed together or not at all.', { modal: true }, all);
      if (chosen !== all) return;
    }
    const reason = withReason ? await vscode.window.showInputBox({ title: 'Why not?', prompt: 'The agent reads this and goes on from it.', ignoreFocusOut: true }) : '';
    if (reason === undefined) return;
    const refused = this.#desk.answer({ ...target, place: 'diff', answer, reason });
    if (refused !== null) void vscode.window.showWarningMessage(refused);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** undefined for a call that is not open: an empty document would pass for an empty file. */
  #text(uri: vscode.Uri, side: 'base' | 'result'): string | undefined {
    const target = targetOf(uri);
    const shown = target === null ? undefined : this.#asks.get(target.call);
    const file = shown?.ask.digest === target?.digest ? shown?.ask.files.find((one) => pathOf(one) === uri.path) : undefined;
    if (file === undefined) return undefined;
    const bytes = side === 'base' ? file.base : file.result;
    return bytes === null ? '' : new TextDecoder('utf-8').decode(bytes);
  }

  #noteShown(uri: vscode.Uri | undefined): void {
    const target = uri?.scheme === proposedScheme ? targetOf(uri) : null;
    if (target !== null) this.#desk.shown(target.call, target.digest, 'diff');
  }

  /** Which diffs can be answered: the title bar of one whose call is closed, or was before a reload, offers nothing. */
  async #tell(): Promise<void> {
    const open = [...this.#asks.values()].flatMap(({ ask }) => ask.files.map((file) => uriOf(ask, file, proposedScheme).toString()));
    await vscode.commands.executeCommand('setContext', 'countersign.openDiffs', open);
  }
}

function uriOf({ call, digest }: Ask, file: AskFile, scheme: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: pathOf(file), query: JSON.stringify({ call, digest }) });
}

/** As the path of an address: with `/`, and one at its start. */
function pathOf({ path }: AskFile): string {
  return path.replaceAll('\\', '/').replace(/^(?!\/)/, '/');
}

function whatOf({ base, result }: AskFile): string {
  if (result === null) return 'to be deleted';
  return base === null ? 'new file' : 'proposed change';
}

function activeDiff(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

function targetOf(uri: unknown): { readonly call: string; readonly digest: string } | null {
  if (!(uri instanceof vscode.Uri) || (uri.scheme !== proposedScheme && uri.scheme !== baseScheme)) return null;
  try {
    const query: unknown = JSON.parse(uri.query);
    if (typeof query !== 'object' || query === null || !('call' in query) || !('digest' in query)) return null;
    return typeof query.call === 'string' && typeof query.digest === 'string' ? { call: query.call, digest: query.digest } : null;
  } catch {
    return null;
  }
}
