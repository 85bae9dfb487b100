import * as vscode from 'vscode';

/** A link out of the model's text is the person's to follow, with its whole address before their eyes. */
export async function openLink(url: string): Promise<void> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return;
  const address = new URL(url).href;
  const chosen = await vscode.window.showInformationMessage('Open this address in your browser?', { modal: true, detail: address }, 'Open');
  if (chosen === 'Open') await vscode.env.openExternal(vscode.Uri.parse(address, true));
}
