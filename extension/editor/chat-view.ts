import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { chatPage } from './chat-page.ts';

/** What the chat needs of whoever serves it. */
export interface ChatServer {
  /** A message from the view, not yet looked at. */
  receive(message: unknown): void;
  attach(view: AttachedView): vscode.Disposable;
}

export interface AttachedView {
  readonly post: (message: object) => void;
  readonly isVisible: () => boolean;
  /** How many calls wait for the person, on the view's icon: it may be hidden. */
  readonly showWaiting: (count: number) => void;
}

/** How long the page may take to say its first word before what serves it is loaded all the same. */
const longestHeadStartMs = 300;

/** The webview that draws the chat. It holds no state: what it shows is sent to it anew whenever it says that it is ready. */
export class ChatView implements vscode.WebviewViewProvider {
  readonly #extensionUri: vscode.Uri;
  readonly #serve: () => Promise<ChatServer>;

  constructor(extensionUri: vscode.Uri, serve: () => Promise<ChatServer>) {
    this.#extensionUri = extensionUri;
    this.#serve = serve;
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    view.webview.options = { enableScripts: true, localResourceRoots: [] };
    const early: unknown[] = [];
    let server: ChatServer | null = null;
    const spoke = Promise.withResolvers<void>();
    // The listener stands before the page does: what it says before its server has loaded is kept.
    const listening = view.webview.onDidReceiveMessage((message: unknown) => {
      if (server !== null) return server.receive(message);
      early.push(message);
      spoke.resolve();
    });
    let attached: vscode.Disposable | null = null;
    let gone = false;
    view.onDidDispose(() => {
      gone = true;
      listening.dispose();
      attached?.dispose();
    });
    view.webview.html = chatPage(vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview').fsPath);
    // Loading what serves it holds this process and the machine: the page is drawn first, and takes keys.
    await Promise.race([spoke.promise, setTimeout(longestHeadStartMs)]);
    const serving = await this.#serve();
    // Closed while its server was loading: nothing more may be said to it.
    if (gone) return;
    // A message that crosses with the page's end is lost, and the next page asks for the whole state.
    attached = serving.attach({
      post: (message) => void view.webview.postMessage(message).then(undefined, () => undefined),
      isVisible: () => view.visible,
      showWaiting: (count) => { view.badge = count === 0 ? undefined : { value: count, tooltip: count === 1 ? 'One call waits for you' : `${count} calls wait for you` }; },
    });
    server = serving;
    for (const message of early) serving.receive(message);
  }
}
