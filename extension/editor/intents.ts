import * as vscode from 'vscode';
import type { Agent } from '../agent/loop.ts';
import type { ApprovalDesk } from '../gate/approvals.ts';
import type { Mode } from '../gate/modes.ts';
import { warmOpenAIChat } from '../model/openai-chat.ts';
import type { ViewMessage } from '../../webview/protocol/messages.ts';
import type { NoticeActionId } from '../../webview/protocol/state.ts';
import type { DiffReview } from './diff-review.ts';
import { openLink } from './open-link.ts';
import type { QuestionDesk } from './question-desk.ts';

/** What an intent of the person's can reach. */
export interface IntentTargets {
  readonly agent: () => Agent;
  readonly desk: ApprovalDesk;
  readonly questions: QuestionDesk;
  readonly review: DiffReview;
  readonly postState: () => void;
  /** An answer that did not count, and why. */
  readonly postRefusal: (callId: string, why: string) => void;
  readonly setMode: (mode: Mode) => void;
  readonly newSession: () => Promise<void>;
  readonly showModelContext: () => Promise<void>;
  readonly openFileOf: (callId: string) => Promise<void>;
  readonly setKey: () => Promise<void>;
  readonly showLog: () => void;
}

/** Does what the person wants, as far as whoever decides about it lets it happen. Starts in the caller's tick. */
export function obey(message: ViewMessage, to: IntentTargets): Promise<unknown> | void {
  switch (message.type) {
    case 'ready':
      to.postState();
      // Loaded while the person reads and types, so that the first request does not wait for it.
      setTimeout(() => void warmOpenAIChat().catch(() => undefined), 300);
      return;
    case 'send':
      return to.agent().send(message.text);
    case 'stop':
      return to.agent().stop();
    case 'cardShown':
      return to.desk.shown(message.callId, message.digest, 'card');
    case 'answer': {
      const why = to.desk.answer({ call: message.callId, digest: message.digest, place: 'card', answer: message.answer, reason: message.reason });
      return why === null ? undefined : to.postRefusal(message.callId, why);
    }
    case 'reply':
      return to.questions.reply(message.callId, message.text);
    case 'openDiff':
      return to.review.show(message.callId);
    case 'openFile':
      return to.openFileOf(message.callId);
    case 'openLink':
      return openLink(message.url);
    case 'askAgain':
      if (!to.agent().busy) return to.agent().askAgain(message.callId);
      return Promise.resolve(vscode.window.showInformationMessage('Ask again once this turn has ended, or stop it first.'));
    case 'setMode':
      return to.setMode(message.mode);
    case 'newSession':
      return to.newSession();
    case 'showModelContext':
      return to.showModelContext();
    case 'action':
      return act(message.id, to);
  }
}

function act(id: NoticeActionId, to: IntentTargets): Promise<unknown> | void {
  switch (id) {
    case 'retry':
      return to.agent().retry();
    case 'setKey':
      return to.setKey();
    case 'openSettings':
      return Promise.resolve(vscode.commands.executeCommand('countersign.openSettings'));
    case 'openLog':
      return to.showLog();
    case 'newSession':
      return to.newSession();
    case 'openFolder':
      return Promise.resolve(vscode.commands.executeCommand('workbench.action.files.openFolder'));
  }
}
