import * as vscode from 'vscode';
import { ChatView } from './editor/chat-view.ts';
import { viewId } from './editor/names.ts';
import type { Workbench } from './editor/workbench.ts';

/** Registers the view and the commands, and nothing more: the rest is loaded when one of them is first used. */
export function activate(context: vscode.ExtensionContext): void {
  let opening: Promise<Workbench> | null = null;
  const workbench = (): Promise<Workbench> => {
    opening ??= import('./editor/workbench.ts').then(({ openWorkbench }) => openWorkbench(context)).catch((error: unknown) => {
      // Tried anew with the next use; what stood in the way may be gone by then.
      opening = null;
      void couldNotStart(error);
      throw error;
    });
    return opening;
  };
  const command = (name: string, run: (bench: Workbench, uri: unknown) => void | Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(`countersign.${name}`, async (uri: unknown) => { await run(await workbench(), uri); });

  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider(viewId, new ChatView(context.extensionUri, async () => (await workbench()).chat)),
    vscode.commands.registerCommand('countersign.focusChat', async () => {
      await vscode.commands.executeCommand(`${viewId}.focus`);
      (await workbench()).focusComposer();
    }),
    vscode.commands.registerCommand('countersign.openSettings', async () => { await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:countersign.countersign'); }),
    command('newSession', (bench) => bench.newSession()),
    command('stop', (bench) => bench.stop()),
    command('setKey', (bench) => bench.model.setKey()),
    command('addModel', (bench) => bench.model.add()),
    command('chooseModel', (bench) => bench.model.pick()),
    command('showModelContext', (bench) => bench.showModelContext()),
    command('showLog', (bench) => bench.showLog()),
    command('allow', (bench, uri) => bench.review.answer('allow', uri, false)),
    command('deny', (bench, uri) => bench.review.answer('deny', uri, false)),
    command('denyWithReason', (bench, uri) => bench.review.answer('deny', uri, true)),
    { dispose: () => { opening?.then((bench) => { bench.dispose(); }, () => undefined); } },
  );
}

async function couldNotStart(error: unknown): Promise<void> {
  const reload = 'Reload window';
  const chosen = await vscode.window.showErrorMessage(`Countersign could not start: ${error instanceof Error ? error.message : String(error)}`, reload);
  if (chosen === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
