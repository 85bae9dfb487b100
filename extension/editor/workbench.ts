import * as vscode from 'vscode';
import type { Activity } from '../agent/events.ts';
import type { Change } from '../chat/transcript.ts';
import { Roots } from '../files/roots.ts';
import { ApprovalDesk } from '../gate/approvals.ts';
import type { Mode } from '../gate/modes.ts';
import { buildPolicy, type Policy } from '../gate/policy.ts';
import type { Entry, Status } from '../../webview/protocol/state.ts';
import type { ViewMessage } from '../../webview/protocol/messages.ts';
import { ChatChannel } from './chat-channel.ts';
import type { ChatServer } from './chat-view.ts';
import { DiffReview } from './diff-review.ts';
import { ModelContextDocument } from './model-context.ts';
import { obey } from './intents.ts';
import { laterOn } from './later-on.ts';
import { ModelKeys } from './model-key.ts';
import { ModelSetup } from './model-setup.ts';
import { contextScheme } from './names.ts';
import { QuestionDesk } from './question-desk.ts';
import { SessionRuntime } from './session-runtime.ts';
import { type OpenedSession, SessionStore } from './session-store.ts';
import { onSettingsChanged, readPolicyLayers, readReadableSecrets, readStartMode } from './settings.ts';

/** How long an ask may wait while nobody has seen it. */
const unseenMs = 120_000;

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
  const roots = await readRoots();
  const store = new SessionStore(context, roots);
  const opened = await store.open(roots.list.map(({ path }) => path));
  const bench = new EditorWorkbench(context, output, roots, store, opened);
  context.subscriptions.push(output);
  return bench;
}

function readRoots(): Promise<Roots> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return Roots.of(folders.map(({ name, uri }) => ({ name, path: uri.fsPath })));
}

class EditorWorkbench implements Workbench {
  readonly chat: ChatChannel;
  readonly review: DiffReview;
  readonly #output: vscode.LogOutputChannel;
  readonly #store: SessionStore;
  readonly #model: ModelSetup;
  readonly #desk: ApprovalDesk;
  readonly #questions: QuestionDesk;
  readonly #contextDocument = new ModelContextDocument();
  readonly #disposables: vscode.Disposable[];
  #roots: Roots;
  #session: OpenedSession;
  #runtime: SessionRuntime;
  #mode: Mode;
  #policy: Policy;
  #activity: Activity = 'idle';
  #activityText = '';

  constructor(context: vscode.ExtensionContext, output: vscode.LogOutputChannel, roots: Roots, store: SessionStore, opened: OpenedSession) {
    this.#output = output;
    this.#roots = roots;
    this.#store = store;
    this.#model = new ModelSetup(new ModelKeys(context.secrets));
    this.#mode = readStartMode();
    this.#policy = this.#readPolicy();
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
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#run(this.#onFolders())),
    ];
  }

  focusComposer(): void {
    this.chat.post({ type: 'focus' });
  }

  async newSession(): Promise<void> {
    await this.#leaveRuntime();
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

  setKey(): Promise<void> {
    return this.#model.askForKey();
  }

  async showModelContext(): Promise<void> {
    const request = this.#runtime.request();
    await this.#contextDocument.show(request, this.#model.client?.bodyOf(request) ?? null);
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
      log: opened.log, roots: this.#roots, policy: () => this.#policy, client: () => this.#model.client, approver: this.#desk, questions: this.#questions,
      redact: this.#model.redact,
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
    const work = obey(message, {
      agent: () => this.#runtime.agent, desk: this.#desk, questions: this.#questions, review: this.review,
      postState: () => this.#postState(), postRefusal: (callId, why) => this.chat.post({ type: 'answerRefused', callId, why }),
      setMode: (mode) => this.#setMode(mode), newSession: () => this.newSession(), showModelContext: () => this.showModelContext(),
      openFileOf: (callId) => this.#openFile(callId), setKey: () => this.setKey(), showLog: () => this.showLog(),
    });
    if (work !== undefined) this.#run(work);
  }

  #setMode(mode: Mode): void {
    this.#mode = mode;
    this.#policy = this.#readPolicy();
    this.#postStatus();
  }

  async #openFile(call: string): Promise<void> {
    const path = this.#runtime.pathOf(call);
    if (path !== null) await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true });
  }

  #onSettings(): void {
    this.#policy = this.#readPolicy();
    this.#model.readSettings();
    this.#postStatus();
  }

  /** What lies inside the workspace has changed: the session goes on, on the folders of now. */
  async #onFolders(): Promise<void> {
    await this.#leaveRuntime();
    this.#roots = await readRoots();
    this.#policy = this.#readPolicy();
    this.#runtime = this.#startRuntime(this.#session);
    this.#postState();
  }

  async #leaveRuntime(): Promise<void> {
    this.#runtime.agent.stop();
    this.#desk.dismissAll();
    await this.#runtime.agent.settled();
    this.#runtime.dispose();
  }

  #readPolicy(): Policy {
    const policy = buildPolicy({ mode: this.#mode, layers: readPolicyLayers(), readableSecrets: readReadableSecrets() }, this.#roots);
    for (const { place, message } of policy.problems) this.#output.warn(`${place}: ${message}`);
    return policy;
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
    return {
      activity: asking ? 'asking' : this.#activity, text: asking ? 'Waiting for your approval' : this.#activityText, mode: this.#mode,
      model: this.#model.client?.label ?? '', modelReady: this.#model.client !== null, hasWorkspace: this.#roots.list.length > 0, demonstration: this.#model.isDemonstration,
    };
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.#output.error(error instanceof Error ? error : String(error));
      void vscode.window.showErrorMessage(`Countersign: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}
