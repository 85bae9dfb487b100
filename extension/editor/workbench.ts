import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Activity } from '../agent/events.ts';
import { line } from '../chat/card.ts';
import type { Change } from '../chat/transcript.ts';
import { wholeState } from '../chat/whole-state.ts';
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
const logCameInside = 'A folder has been added in which the log of the session so far lies. It was left as it is; this is a new session, with its log outside.';

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
  try {
    const roots = await readRoots(output);
    const store = new SessionStore(context, roots);
    const opened = await store.open(roots.list.map(({ path }) => path));
    const bench = new EditorWorkbench(context, output, roots, store, opened);
    context.subscriptions.push(output);
    return bench;
  } catch (error) {
    output.dispose();
    throw error;
  }
}

/** A folder of the workspace that is gone does not take the others with it. */
function readRoots(output: vscode.LogOutputChannel): Promise<Roots> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const there = folders.filter(({ uri }) => existsSync(uri.fsPath));
  for (const { uri } of folders) if (!there.some((folder) => folder.uri === uri)) output.warn(`The workspace folder ${uri.fsPath} does not exist or cannot be entered; it is left out.`);
  return Roots.of(there.map(({ name, uri }) => ({ name, path: uri.fsPath })));
}

class EditorWorkbench implements Workbench {
  readonly chat: ChatChannel;
  readonly review: DiffReview;
  readonly #output: vscode.LogOutputChannel;
  readonly #model: ModelSetup;
  readonly #desk: ApprovalDesk;
  readonly #questions: QuestionDesk;
  readonly #contextDocument = new ModelContextDocument();
  readonly #disposables: vscode.Disposable[];
  readonly #context: vscode.ExtensionContext;
  #store: SessionStore;
  #roots: Roots;
  #session: OpenedSession;
  #runtime: SessionRuntime;
  #mode: Mode;
  #policy: Policy;
  #activity: Activity = 'idle';
  #activityText = '';
  /** A change of the session that is under way: what the person wants meanwhile waits for it. */
  #changing: Promise<void> | null = null;

  constructor(context: vscode.ExtensionContext, output: vscode.LogOutputChannel, roots: Roots, store: SessionStore, opened: OpenedSession) {
    this.#context = context;
    this.#output = output;
    this.#roots = roots;
    this.#store = store;
    this.#model = new ModelSetup(new ModelKeys(context.secrets));
    this.#mode = readStartMode();
    this.#policy = this.#readPolicy();
    this.#desk = new ApprovalDesk({
      now: () => performance.now(), after: laterOn, unseenMs,
      onOpen: (ask) => { this.review.opened(ask); this.#postStatus(); },
      onClose: (ask) => { this.#run(this.review.closed(ask)); this.#postStatus(); },
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

  newSession(): Promise<void> {
    return this.#change(async () => {
      // Made before the old one is left: where it cannot be, that goes on.
      const next = await this.#store.create(this.#roots.list.map(({ path }) => path));
      await this.#leaveRuntime();
      this.#session.log.close();
      this.#session = next;
      this.#mode = readStartMode();
      this.#policy = this.#readPolicy();
      this.#runtime = this.#startRuntime(next);
      this.#postState();
    });
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

  #startRuntime(opened: OpenedSession, queued: readonly string[] = []): SessionRuntime {
    if (opened.notice !== null) this.#output.warn(opened.notice);
    return new SessionRuntime({
      log: opened.log, roots: this.#roots, policy: () => this.#policy, client: () => this.#model.client, approver: this.#desk, questions: this.#questions,
      redact: this.#model.redact, queued,
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
    if (this.#changing !== null) {
      void this.#changing.then(() => this.#onMessage(message));
      return;
    }
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
  #onFolders(): Promise<void> {
    return this.#change(async () => {
      const roots = await readRoots(this.#output);
      const store = this.#store.isOutside(roots) ? this.#store : new SessionStore(this.#context, roots);
      const next = store === this.#store ? this.#session : { ...await store.create(roots.list.map(({ path }) => path)), notice: logCameInside };
      await this.#leaveRuntime();
      const { queued } = this.#runtime.agent;
      if (next !== this.#session) this.#session.log.close();
      this.#store = store;
      this.#session = next;
      this.#roots = roots;
      this.#policy = this.#readPolicy();
      this.#runtime = this.#startRuntime(this.#session, queued);
      this.#postState();
    });
  }

  /** One after the other. */
  async #change(work: () => Promise<void>): Promise<void> {
    const change = (this.#changing ?? Promise.resolve()).then(work);
    const done = change.catch(() => undefined);
    this.#changing = done;
    await done;
    if (this.#changing === done) this.#changing = null;
    return change;
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
    const notice: Entry[] = this.#session.notice === null ? [] : [{ kind: 'notice', id: 'session', level: 'warning', text: line(this.#session.notice, 10_000), actions: [{ id: 'openLog', label: 'Show the log' }] }];
    this.chat.post({ type: 'state', sessionId: this.#session.id, entries: wholeState([...notice, ...entries]), status: this.#status() });
    this.#showWaiting();
  }

  #postChanges(changes: readonly Change[]): void {
    for (const change of changes) this.chat.post(change);
  }

  #postStatus(): void {
    this.chat.post({ type: 'status', status: this.#status() });
    this.#showWaiting();
  }

  #showWaiting(): void {
    this.chat.showWaiting(this.#desk.open.length + this.#questions.open);
  }

  #status(): Status {
    const waitsFor = this.#desk.open.length > 0 ? 'approval' : this.#questions.open > 0 ? 'answer' : null;
    return {
      activity: waitsFor === null ? this.#activity : 'asking', text: waitsFor === null ? this.#activityText : `Waiting for your ${waitsFor}`, mode: this.#mode,
      model: line(this.#model.client?.label ?? '', 500), modelReady: this.#model.client !== null, hasWorkspace: this.#roots.list.length > 0, demonstration: this.#model.isDemonstration,
    };
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.#output.error(error instanceof Error ? error : String(error));
      void vscode.window.showErrorMessage(`Countersign: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}
