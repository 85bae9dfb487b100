import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const emptyViewTitle = 'Bare View';

/** What no extension with a webview can be faster than: a page with an input and nothing else, and a host that sends what is entered there to `url`. */
export async function writeEmptyView(folder: string, url: string): Promise<string> {
  const manifest = {
    name: 'empty-view', publisher: 'bench', version: '0.0.1', main: './main.cjs', engines: { vscode: '^1.106.0' }, activationEvents: [],
    contributes: {
      viewsContainers: { activitybar: [{ id: 'bare', title: emptyViewTitle, icon: 'icon.svg' }] },
      views: { bare: [{ id: 'bare.view', name: emptyViewTitle, type: 'webview' }] },
    },
  };
  const page = '<!DOCTYPE html><html lang="en"><head><title>Bare</title></head><body><p>Bare</p><textarea></textarea><script>const field = document.querySelector("textarea"); field.focus(); addEventListener("focus", () => field.focus()); const { postMessage } = acquireVsCodeApi(); field.addEventListener("keydown", ({ key }) => { if (key === "Enter") postMessage(field.value); });</script></body></html>';
  const main = `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.window.registerWebviewViewProvider('bare.view', {
    resolveWebviewView({ webview }) {
      webview.options = { enableScripts: true };
      webview.onDidReceiveMessage((text) => fetch(${JSON.stringify(url)}, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text }) }));
      webview.html = ${JSON.stringify(page)};
    },
  }));
};
`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), main);
  await writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="8"/></svg>');
  return folder;
}
