import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Activity, AgentEvent } from '../agent/events.ts';
import { FileObjectStore } from '../files/object-store.ts';
import type { Roots } from '../files/roots.ts';
import { ApprovalDesk } from '../gate/approvals.ts';
import type { Mode } from '../gate/modes.ts';
import { buildPolicy, type Policy } from '../gate/policy.ts';
import type { Status } from '../../webview/protocol/state.ts';
import type { ViewMessage } from '../../webview/protocol/messages.ts';
import { ChatChannel } from './chat-channel.ts';
import { ChatPoster } from './chat-poster.ts';
import type { ChatServer } from './chat-view.ts';
import { DiffReview } from './diff-review.ts';
import { FollowedRuntime } from './followed-session.ts';
import { uriOfPath } from './foreign-uri.ts';
import { ModelContextDocument } from './model-context.ts';
import { obey } from './intents.ts';
import { laterOn } from './later-on.ts';
import type { LiveSession } from './live-session.ts';
import { MessageSender } from './message-sender.ts';
import { ModelSetup } from './model-setup.ts';
import { contextScheme } from './names.ts';
import { QuestionDesk } from './question-desk.ts';
import { SessionRuntime } from './session-runtime.ts';
import { type FollowedSession, type OpenedSession, SessionStore, type WritingSession } from './session-store.ts';
import { onSettingsChanged, readPolicyLayers, readReadableSecrets, readStartMode, readStepBudget, readUnseenMs } from './settings.ts';
import { rootsOfWorkspace } from './workspace-roots.ts';

const logCameInside = 'A folder has been added in which the log of the session so far lies. It was left as it is; this is a new session, with its log outside.';

/** All that stands behind the view and the commands, made when one of them is first used. */
export interface Workbench extends vscode.Disposable {
  readonly chat: ChatServer;
  readonly review: DiffReview;
  readonly model: ModelSetup;
  focusComposer(): void;
  newSession(): Promise<void>;
  stop(): void;
  showModelContext(): Promise<void>;
  showLog(): void;
}

export async function openWorkbench(context: vscode.ExtensionContext): Promise<Workbench> {
  const output = vscode.window.createOutputChannel('Countersign', { log: true });
  try {
    const roots = await rootsOfWorkspace(vscode.workspace.workspaceFolders ?? [], (message) => output.warn(message));
    const store = new SessionStore(context, roots);
    const opened = await store.open(pathsOf(roots));
    const bench = new EditorWorkbench(context, output, roots, store, opened);
    context.subscriptions.push(output);
    return bench;
  } catch (error) {
    output.dispose();
    throw error;
  }
}

function pathsOf(roots: Roots): readonly string[] {
  return roots.list.map(({ path }) => path);
}

class EditorWorkbench implements Workbench {
  readonly chat: ChatChannel;
  readonly review: DiffReview;
  readonly model: ModelSetup;
  readonly #output: vscode.LogOutputChannel;
  readonly #desk: ApprovalDesk;
  readonly #questions: QuestionDesk;
  readonly #poster: ChatPoster;
  readonly #sender: MessageSender;
  readonly #contextDocument = new ModelContextDocument();
  readonly #disposables: vscode.Disposable[];
  readonly #context: vscode.ExtensionContext;
  #store: SessionStore;
  #objects: FileObjectStore;
  #roots: Roots;
  #session: OpenedSession;
  #live: LiveSession;
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
    this.#objects = objectsOf(store);
    this.model = new ModelSetup({ secrets: context.secrets, workspaceState: context.workspaceState, globalState: context.globalState, warn: (message) => output.warn(message) });
    this.#mode = readStartMode();
    this.#policy = this.#readPolicy();
    this.#desk = new ApprovalDesk({
      now: () => performance.now(), after: laterOn, unseenMs: readUnseenMs,
      onOpen: (ask) => { this.review.opened(ask); this.#postStatus(); },
      onClose: (ask) => { this.#run(this.review.closed(ask)); this.#postStatus(); },
    });
    this.review = new DiffReview(this.#desk);
    this.#questions = new QuestionDesk({
      after: laterOn, unseenMs: readUnseenMs, isSeen: () => this.chat.visible,
      onChange: (call, question) => { this.#poster.changes(this.#live.transcript.question(call, question)); this.#postStatus(); },
    });
    this.chat = new ChatChannel({ onMessage: (message) => this.#onMessage(message), warn: (message) => output.warn(message) });
    this.#poster = new ChatPoster(this.chat, () => ({
      id: this.#session.id, live: this.#live, notice: this.#session.notice, models: this.model.models(), status: this.#status(), history: this.#store.prompts.prompts,
    }));
    this.#sender = new MessageSender({
      agent: () => this.#live.agent, objects: () => this.#objects, readsImages: () => this.model.client?.capabilities.images !== false,
      giveBack: (text, why) => this.#giveBack(text, why), remember: (text) => this.#store.prompts.add(text),
    });
    this.#session = opened;
    this.#live = this.#start(opened);
    this.#disposables = [
      this.review, this.model, vscode.workspace.registerTextDocumentContentProvider(contextScheme, this.#contextDocument),
      this.model.onChanged(() => { this.#poster.models(); this.#poster.context(this.#live.context); }),
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
      const next = await this.#store.create(pathsOf(this.#roots));
      await this.#leave();
      this.#session.log.close();
      this.#mode = readStartMode();
      this.#policy = this.#readPolicy();
      this.#show(next);
    });
  }

  stop(): void {
    this.#live.agent?.stop();
  }

  async showModelContext(): Promise<void> {
    const request = this.#live.request();
    await this.#contextDocument.show(request, this.model.client?.bodyOf(request) ?? null);
  }

  showLog(): void {
    this.#output.show();
  }

  dispose(): void {
    // The log first: what is cut off here was not stopped by anybody, and the repair says so at the next start.
    this.#session.log.close();
    this.#store.prompts.save();
    this.#live.agent?.stop();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Shows a session in the place of the one before, which has been left. */
  #show(session: OpenedSession, queued: OpenedSession['queued'] = session.queued): void {
    this.#session = session;
    this.#activity = 'idle';
    this.#activityText = '';
    this.#live = this.#start(session, queued);
    this.#poster.state();
    this.#showWaiting();
  }

  #start(session: OpenedSession, queued: OpenedSession['queued'] = session.queued): LiveSession {
    if (session.notice !== null) this.#output.warn(session.notice);
    return session.kind === 'writing' ? this.#write(session, queued) : this.#follow(session);
  }

  #write(session: WritingSession, queued: OpenedSession['queued']): LiveSession {
    this.#store.onLost(session, async () => {
      if (this.#session !== session) return;
      this.#live.agent?.stop();
      this.#desk.dismissAll();
      await this.#live.agent?.settled();
    }, () => this.#run(this.#onLost(session)));
    return new SessionRuntime({
      session, folder: this.#store.folder, objects: this.#objects, roots: this.#roots, policy: () => this.#policy, client: () => this.model.client, stepLimit: readStepBudget,
      approver: this.#desk, questions: this.#questions, redact: (text) => this.model.redact(text), queued,
      onChanges: (changes) => this.#poster.changes(changes), onPlan: (plan) => this.#poster.plan(plan), onEvent: (event) => this.#onEvent(session, event),
    });
  }

  #follow(session: FollowedSession): LiveSession {
    const stopWatching = this.#store.onFree(session, () => { if (this.#session === session) this.#run(this.#takeOver('by itself')); });
    session.log.onEnd((why) => {
      stopWatching();
      if (this.#session !== session) return;
      // Into the transcript, so that it is still said when the view is opened anew.
      const message = `This session cannot be followed any more: ${why}. Take it over, or start a new session.`;
      this.#poster.changes(this.#live.transcript.live({ type: 'failed', turn: null, failure: { kind: 'log', message } }));
    });
    return new FollowedRuntime({ session, onChanges: (changes) => this.#poster.changes(changes), onPlan: (plan) => this.#poster.plan(plan), onDispose: stopWatching });
  }

  /** Another window has taken the session: it goes on there, and is shown here. */
  #onLost(session: WritingSession): Promise<void> {
    return this.#change(async () => {
      if (this.#session !== session) return;
      this.#live.dispose();
      this.#show(this.#store.follow(session.id));
      await Promise.resolve();
    });
  }

  #takeOver(why: 'by itself' | 'as the person wants'): Promise<void> {
    return this.#change(async () => {
      const followed = this.#session;
      if (followed.kind !== 'following') return;
      const taken = await this.#store.takeOver(followed).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      if (typeof taken === 'string') {
        // By itself: another window was faster, and is followed now.
        if (why === 'as the person wants') this.#run(this.#offerNewSession(taken));
        return;
      }
      this.#live.dispose();
      followed.log.close();
      this.#show(taken);
    });
  }

  async #offerNewSession(why: string): Promise<void> {
    const newSession = 'New session';
    if (await vscode.window.showWarningMessage(why, newSession) === newSession) await this.newSession();
  }

  #onEvent(session: WritingSession, event: AgentEvent): void {
    switch (event.type) {
      case 'failed':
        this.#output.error(event.failure.message);
        return;
      case 'activity':
        this.#activity = event.activity;
        this.#activityText = event.text;
        this.#postStatus();
        return;
      case 'context':
        this.#poster.context(event.context);
        return;
      case 'queue':
        try {
          this.#store.keepQueue(session, event.queued);
        } catch (error) {
          this.#output.warn(`What waits could not be kept for a reload: ${error instanceof Error ? error.message : String(error)}`);
        }
        return;
      case 'draft-text':
      case 'draft-thinking':
      case 'draft-call':
      case 'draft-dropped':
      case 'call':
      case 'usage':
    }
  }

  #onMessage(message: ViewMessage): void {
    if (this.#changing !== null) {
      void this.#changing.then(() => this.#onMessage(message));
      return;
    }
    const work = obey(message, {
      agent: this.#live.agent, desk: this.#desk, questions: this.#questions, review: this.review, model: this.model, sender: this.#sender,
      postState: () => { this.#poster.state(); this.#showWaiting(); }, postOlder: () => this.#poster.older(),
      postRefusal: (callId, why) => this.chat.post({ type: 'answerRefused', callId, why }), giveBack: (text, why) => this.#giveBack(text, why),
      setMode: (mode) => this.#setMode(mode), newSession: () => this.newSession(), takeOver: () => this.#takeOver('as the person wants'),
      showModelContext: () => this.showModelContext(), openFileOf: (callId) => this.#openFile(callId), callsSince: (entryId) => this.#live.transcript.callsSince(entryId),
      showLog: () => this.showLog(),
    });
    if (work !== undefined) this.#run(work);
  }

  #giveBack(text: string, why: string): void {
    this.chat.post({ type: 'sendRefused', text, why });
  }

  #setMode(mode: Mode): void {
    this.#mode = mode;
    this.#policy = this.#readPolicy();
    this.#postStatus();
  }

  async #openFile(call: string): Promise<void> {
    const path = this.#live.pathOf(call);
    if (path !== null) await vscode.window.showTextDocument(uriOfPath(path), { preview: true });
  }

  #onSettings(): void {
    this.#policy = this.#readPolicy();
    this.model.readSettings();
    this.#postStatus();
  }

  /** What lies inside the workspace has changed: the session goes on, on the folders of now. */
  #onFolders(): Promise<void> {
    return this.#change(async () => {
      const roots = await rootsOfWorkspace(vscode.workspace.workspaceFolders ?? [], (message) => this.#output.warn(message));
      const store = this.#store.isOutside(roots) ? this.#store : new SessionStore(this.#context, roots);
      const next = store === this.#store ? this.#session : { ...await store.create(pathsOf(roots)), notice: logCameInside };
      await this.#leave();
      const queued = this.#live.agent?.queued ?? [];
      if (next !== this.#session) this.#session.log.close();
      if (store !== this.#store) this.#objects = objectsOf(store);
      this.#store = store;
      this.#roots = roots;
      this.#policy = this.#readPolicy();
      this.#show(next, queued);
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

  async #leave(): Promise<void> {
    this.#live.agent?.stop();
    this.#desk.dismissAll();
    await this.#live.agent?.settled();
    this.#live.dispose();
  }

  #readPolicy(): Policy {
    const policy = buildPolicy({ mode: this.#mode, layers: readPolicyLayers(), readableSecrets: readReadableSecrets() }, this.#roots);
    for (const { place, message } of policy.problems) this.#output.warn(`${place}: ${message}`);
    return policy;
  }

  #postStatus(): void {
    this.#poster.status();
    this.#showWaiting();
  }

  #showWaiting(): void {
    this.chat.showWaiting(this.#desk.open.length + this.#questions.open);
  }

  #status(): Status {
    const waitsFor = this.#desk.open.length > 0 ? 'approval' : this.#questions.open > 0 ? 'answer' : null;
    return {
      activity: waitsFor === null ? this.#activity : 'asking', text: waitsFor === null ? this.#activityText : `Waiting for your ${waitsFor}`, mode: this.#mode,
      hasWorkspace: this.#roots.list.length > 0, readOnly: this.#session.kind === 'following',
    };
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.#output.error(error instanceof Error ? error : String(error));
      void vscode.window.showErrorMessage(`Countersign: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}

/** Beside the sessions, and shared by them. */
function objectsOf(store: SessionStore): FileObjectStore {
  return new FileObjectStore(join(store.folder, 'objects'), () => randomBytes(8).toString('hex'));
}
