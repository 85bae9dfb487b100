import * as vscode from 'vscode';
import type { Agent } from '../agent/loop.ts';
import { queuedMessageOf } from '../chat/transcript.ts';
import type { ApprovalDesk } from '../gate/approvals.ts';
import type { Mode } from '../gate/modes.ts';
import type { ViewMessage } from '../../webview/protocol/messages.ts';
import type { NoticeActionId } from '../../webview/protocol/state.ts';
import type { DiffReview } from './diff-review.ts';
import type { MessageSender } from './message-sender.ts';
import type { ModelSetup } from './model-setup.ts';
import { openLink } from './open-link.ts';
import type { QuestionDesk } from './question-desk.ts';

/** What an intent of the person's can reach. */
export interface IntentTargets {
  /** null where another window writes the session. */
  readonly agent: Agent | null;
  readonly desk: ApprovalDesk;
  readonly questions: QuestionDesk;
  readonly review: DiffReview;
  readonly model: ModelSetup;
  readonly sender: MessageSender;
  readonly postState: () => void;
  readonly postOlder: () => void;
  /** An answer that did not count, and why. */
  readonly postRefusal: (callId: string, why: string) => void;
  /** What was sent, back to where it was written. */
  readonly giveBack: (text: string, why: string) => void;
  readonly setMode: (mode: Mode) => void;
  readonly newSession: () => Promise<void>;
  readonly takeOver: () => Promise<void>;
  readonly showModelContext: () => Promise<void>;
  readonly openFileOf: (callId: string) => Promise<void>;
  readonly callsSince: (entryId: string) => readonly string[];
  readonly showLog: () => void;
}

/** A moment after the view stands: what its first request needs is loaded while the person reads and types. */
const warmAfterMs = 300;

/** Does what the person wants, as far as whoever decides about it lets it happen. Starts in the caller's tick. */
export function obey(message: ViewMessage, to: IntentTargets): Promise<unknown> | void {
  switch (message.type) {
    case 'ready':
      to.postState();
      setTimeout(() => {
        void to.model.warm().catch(() => undefined);
        void to.model.lookForEditorModels().catch(() => undefined);
      }, warmAfterMs);
      return;
    case 'send':
      return to.sender.send(message);
    case 'unqueue': {
      const waiting = to.agent?.unqueue(queuedMessageOf(message.id));
      if (waiting) to.giveBack(waiting.text, waiting.images.length === 0 ? '' : 'Its images were taken out; add them again.');
      return;
    }
    case 'sendNow':
      return to.agent?.sendNow(queuedMessageOf(message.id));
    case 'stop':
      return to.agent?.stop();
    case 'cardShown':
      return to.desk.shown(message.callId, message.digest, 'card');
    case 'answer': {
      const why = to.desk.answer({ call: message.callId, digest: message.digest, place: 'card', answer: message.answer, reason: message.reason });
      return why === null ? undefined : to.postRefusal(message.callId, why);
    }
    case 'reply':
      return to.questions.reply(message.callId, message.text);
    case 'openDiff':
      return to.review.show(message.callId, message.file);
    case 'openFile':
      return to.openFileOf(message.callId);
    case 'openLink':
      return openLink(message.url);
    case 'askAgain':
      if (to.agent?.busy === true) return inform('Ask again once this turn has ended, or stop it first.');
      return to.agent?.askAgain(message.callId);
    case 'undo':
      return undo([message.callId], to);
    case 'undoSince':
      return undo(to.callsSince(message.entryId), to);
    case 'setMode':
      return to.setMode(message.mode);
    case 'setModel':
      return to.model.choose(message.id);
    case 'addModel':
      return to.model.add();
    case 'loadOlder':
      return to.postOlder();
    case 'newSession':
      return to.newSession();
    case 'showModelContext':
      return to.showModelContext();
    case 'action':
      return act(message.id, to);
  }
}

async function undo(calls: readonly string[], { agent }: IntentTargets): Promise<void> {
  if (agent === null) return;
  const whyNot = await agent.undo(calls);
  if (whyNot !== null) await inform(whyNot);
}

function inform(text: string): Promise<unknown> {
  return Promise.resolve(vscode.window.showInformationMessage(text));
}

function act(id: NoticeActionId, to: IntentTargets): Promise<unknown> | void {
  switch (id) {
    case 'retry':
      return to.agent?.retry();
    case 'setKey':
      return to.model.setKey();
    case 'addModel':
      return to.model.add();
    case 'useDemonstration':
      return to.model.useDemonstration();
    case 'openSettings':
      return Promise.resolve(vscode.commands.executeCommand('countersign.openSettings'));
    case 'openLog':
      return to.showLog();
    case 'newSession':
      return to.newSession();
    case 'takeOver':
      return to.takeOver();
    case 'openFolder':
      return Promise.resolve(vscode.commands.executeCommand('workbench.action.files.openFolder'));
  }
}
