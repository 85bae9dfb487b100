import * as vscode from 'vscode';
import type { Activity } from '../agent/events.ts';
import type { Change } from '../chat/transcript.ts';
import { Roots } from '../files/roots.ts';
import { ApprovalDesk } from '../gate/approvals.ts';
import type { Mode } from '../gate/modes.ts';
import { buildPolicy, type Policy } from '../gate/policy.ts';
import type { ModelClient } from '../model/model-client.ts';
import { createOpenAIChat, warmOpenAIChat } from '../model/openai-chat.ts';
import type { Entry, NoticeActionId, Status } from '../../webview/protocol/state.ts';
import type { ViewMessage } from '../../webview/protocol/messages.ts';
import { ChatChannel } from './chat-channel.ts';
import type { ChatServer } from './chat-view.ts';
import { DiffReview } from './diff-review.ts';
import { ModelContextDocument } from './model-context.ts';
import { hostOf, ModelKeys } from './model-key.ts';
import { contextScheme } from './names.ts';
import { QuestionDesk } from './question-desk.ts';
import { SessionRuntime } from './session-runtime.ts';
import { type OpenedSession, SessionStore } from './session-store.ts';
import { onSettingsChanged, readModelSettings, readPolicyLayers, readReadableSecrets, readStartMode } from './settings.ts';

/** How long an ask may wait while nobody has seen it. */
const unseenMs = 120_000;
const demonstrationModel = 'demonstration';

/** All that stands behind the view and the commands, made when one of them is first used. */
export interface Workbench extends vscode.Disposable {
  readonly chat: ChatServer;
  readonly review: DiffReview;
  focusComposer(): void;
  newSession(): Promise<void>;
  stop(): void;
  setKey(): Promise<void>;
  showModelContext(): Promise<void>;
  showLog(): void;
}

export async function openWorkbench(context: vscode.ExtensionContext): Promise<Workbench> {
  const output = vscode.window.createOutputChannel('Countersign', { log: true });
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const roots = await Roots.of(folders.map(({ name, uri }) => ({ name, path: uri.fsPath })));
  const store = new SessionStore(context, roots);
  const opened = await store.open(roots.list.map(({ path }) => path));
  const bench = new EditorWorkbench(context, output, roots, store, opened);
  context.subscriptions.push(output);
  return bench;
}

class EditorWorkbench implements Workbench {
  readonly chat: ChatChannel;
  readonly review: DiffReview;
  readonly #output: vscode.LogOutputChannel;
  readonly #roots: Roots;
  readonly #store: SessionStore;
  readonly #keys: ModelKeys;
  readonly #desk: ApprovalDesk;
  readonly #questions: QuestionDesk;
  readonly #contextDocument = new ModelContextDocument();
  readonly #disposables: vscode.Disposable[];
  #session: OpenedSession;
  #runtime: SessionRuntime;
  #mode: Mode;
  #policy: Policy;
  #client: ModelClient | null;
  #activity: Activity = 'idle';
  #activityText = '';
  #key: string | undefined;

  constructor(context: vscode.ExtensionContext, output: vscode.LogOutputChannel, roots: Roots, store: SessionStore, opened: OpenedSession) {
    this.#output = output;
    this.#roots = roots;
    this.#store = store;
    this.#keys = new ModelKeys(context.secrets);
    this.#mode = readStartMode();
    this.#policy = this.#readPolicy();
    this.#client = this.#readClient();
    this.#desk = new ApprovalDesk({
      now: () => performance.now(), after: laterOn, unseenMs,
      onOpen: (ask) => { this.review.opened(ask); this.#postStatus(); },
      onClose: (ask) => { void this.review.closed(ask); this.#postStatus(); },
    });
    this.review = new DiffReview(this.#desk);
    this.#questions = new QuestionDesk({
      after: laterOn, unseenMs, isSeen: () => this.chat.visible,
      onChange: (call, question) => { this.#postChanges(this.#runtime.transcript.question(call, question)); this.#postStatus(); },
    });
    this.chat = new ChatChannel({ onMessage: (message) => this.#onMessage(message), warn: (message) => output.warn(message) });
    this.#session = opened;
    this.#runtime = this.#startRuntime(opened);
    this.#disposables = [
      this.review, vscode.workspace.registerTextDocumentContentProvider(contextScheme, this.#contextDocument),
      onSettingsChanged(() => this.#onSettings()), vscode.workspace.onDidGrantWorkspaceTrust(() => this.#onSettings()),
    ];
  }

  focusComposer(): void {
    this.chat.post({ type: 'focus' });
  }

  async newSession(): Promise<void> {
    this.#runtime.agent.stop();
    this.#desk.dismissAll();
    await this.#runtime.agent.settled();
    const before = this.#session;
    this.#session = await this.#store.create(this.#roots.list.map(({ path }) => path));
    before.log.close();
    this.#mode = readStartMode();
    this.#policy = this.#readPolicy();
    this.#runtime = this.#startRuntime(this.#session);
    this.#postState();
  }

  stop(): void {
    this.#runtime.agent.stop();
  }

  async setKey(): Promise<void> {
    const { baseUrl } = readModelSettings();
    if (await this.#keys.ask(baseUrl)) void vscode.window.setStatusBarMessage(`The key for ${hostOf(baseUrl)} is stored.`, 5000);
  }

  async showModelContext(): Promise<void> {
    const request = this.#runtime.request();
    await this.#contextDocument.show(request, this.#client === null ? null : this.#client.bodyOf(request));
  }

  showLog(): void {
    this.#output.show();
  }

  dispose(): void {
    // The log first: what is cut off here was not stopped by anybody, and the repair says so at the next start.
    this.#session.log.close();
    this.#runtime.agent.stop();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #startRuntime(opened: OpenedSession): SessionRuntime {
    if (opened.notice !== null) this.#output.warn(opened.notice);
    return new SessionRuntime({
      log: opened.log, roots: this.#roots, policy: () => this.#policy, client: () => this.#client, approver: this.#desk, questions: this.#questions,
      redact: (text) => (this.#key !== undefined && this.#key.length >= 8 ? text.replaceAll(this.#key, '[the model key]') : text),
      onChanges: (changes) => this.#postChanges(changes),
      onEvent: (event) => {
        if (event.type === 'failed') this.#output.error(event.failure.message);
        if (event.type !== 'activity') return;
        this.#activity = event.activity;
        this.#activityText = event.text;
        this.#postStatus();
      },
    });
  }

  #onMessage(message: ViewMessage): void {
    const { agent } = this.#runtime;
    switch (message.type) {
      case 'ready':
        this.#postState();
        // Loaded while the person reads and types, so that the first request does not wait for it.
        setTimeout(() => void warmOpenAIChat().catch(() => undefined), 300);
        return;
      case 'send':
        return agent.send(message.text);
      case 'stop':
        return agent.stop();
      case 'cardShown':
        return this.#desk.shown(message.callId, message.digest, 'card');
      case 'answer': {
        const why = this.#desk.answer({ call: message.callId, digest: message.digest, place: 'card', answer: message.answer, reason: message.reason });
        if (why !== null) this.chat.post({ type: 'answerRefused', callId: message.callId, why });
        return;
      }
      case 'reply':
        return this.#questions.reply(message.callId, message.text);
      case 'openDiff':
        return this.#run(this.review.show(message.callId));
      case 'openFile':
        return this.#run(this.#openFile(message.callId));
      case 'openLink':
        return this.#run(this.#openLink(message.url));
      case 'askAgain':
        return this.#run(agent.askAgain(message.callId));
      case 'setMode':
        this.#mode = message.mode;
        this.#policy = this.#readPolicy();
        return this.#postStatus();
      case 'newSession':
        return this.#run(this.newSession());
      case 'showModelContext':
        return this.#run(this.showModelContext());
      case 'action':
        return this.#run(this.#act(message.id));
    }
  }

  async #act(id: NoticeActionId): Promise<void> {
    switch (id) {
      case 'retry':
        return this.#runtime.agent.retry();
      case 'setKey':
        return this.setKey();
      case 'openSettings':
        return void await vscode.commands.executeCommand('countersign.openSettings');
      case 'openLog':
        return this.showLog();
      case 'newSession':
        return this.newSession();
      case 'openFolder':
        return void await vscode.commands.executeCommand('workbench.action.files.openFolder');
    }
  }

  async #openFile(call: string): Promise<void> {
    const path = this.#runtime.pathOf(call);
    if (path !== null) await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true });
  }

  /** A link out of the model's text is the person's to follow, with its whole address before their eyes. */
  async #openLink(url: string): Promise<void> {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return;
    const address = new URL(url).href;
    const chosen = await vscode.window.showInformationMessage('Open this address in your browser?', { modal: true, detail: address }, 'Open');
    if (chosen === 'Open') await vscode.env.openExternal(vscode.Uri.parse(address, true));
  }

  #onSettings(): void {
    this.#policy = this.#readPolicy();
    this.#client = this.#readClient();
    this.#postStatus();
  }

  #readPolicy(): Policy {
    const policy = buildPolicy({ mode: this.#mode, layers: readPolicyLayers(), readableSecrets: readReadableSecrets() }, this.#roots);
    for (const { place, message } of policy.problems) this.#output.warn(`${place}: ${message}`);
    return policy;
  }

  #readClient(): ModelClient | null {
    const { baseUrl, model } = readModelSettings();
    if (baseUrl === '' || model === '') return null;
    return createOpenAIChat({
      baseUrl, model, label: `${model} · ${hostOf(baseUrl)}`, now: Date.now, timer: laterOn,
      key: async () => {
        this.#key = await this.#keys.get(baseUrl);
        return this.#key;
      },
    });
  }

  #postState(): void {
    const entries = this.#runtime.transcript.entries;
    const notice: Entry[] = this.#session.notice === null ? [] : [{ kind: 'notice', id: 'session', level: 'warning', text: this.#session.notice, actions: [{ id: 'openLog', label: 'Show the log' }] }];
    this.chat.post({ type: 'state', sessionId: this.#session.id, entries: [...notice, ...entries], status: this.#status() });
  }

  #postChanges(changes: readonly Change[]): void {
    for (const change of changes) this.chat.post(change);
  }

  #postStatus(): void {
    this.chat.post({ type: 'status', status: this.#status() });
  }

  #status(): Status {
    const asking = this.#desk.open.length > 0;
    const { model } = readModelSettings();
    return {
      activity: asking ? 'asking' : this.#activity, text: asking ? 'Waiting for your approval' : this.#activityText, mode: this.#mode,
      model: this.#client?.label ?? '', modelReady: this.#client !== null, hasWorkspace: this.#roots.list.length > 0, demonstration: model === demonstrationModel,
    };
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.#output.error(error instanceof Error ? error : String(error));
      void vscode.window.showErrorMessage(`Countersign: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}

function laterOn(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
