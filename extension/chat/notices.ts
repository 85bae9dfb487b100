import type { AgentFailure } from '../agent/events.ts';
import type { TurnEnd, TurnFailureKind } from '../session/records.ts';
import type { NoticeAction, NoticeEntry } from '../../webview/protocol/state.ts';
import { line, lines } from './card.ts';

const retry: NoticeAction = { id: 'retry', label: 'Try again' };
const goOn: NoticeAction = { id: 'retry', label: 'Go on' };
const setKey: NoticeAction = { id: 'setKey', label: 'Set the key…' };
const openSettings: NoticeAction = { id: 'openSettings', label: 'Open settings' };
const addModel: NoticeAction = { id: 'addModel', label: 'Add a model…' };
const newSession: NoticeAction = { id: 'newSession', label: 'New session' };

/** How a turn ended, where that needs a word. The same live and after a reload. */
export function turnNotice(turn: string, end: TurnEnd, message: string, kind: TurnFailureKind | undefined): NoticeEntry | null {
  const notice = (level: NoticeEntry['level'], text: string, actions: readonly NoticeAction[]): NoticeEntry => ({ kind: 'notice', id: `end:${turn}`, level, text: line(text, 10_000), actions });
  switch (end) {
    case 'answered':
      return message === '' ? null : notice('info', message, []);
    case 'stopped':
      return notice('info', 'Stopped.', []);
    case 'interrupted':
      return notice('info', message, [goOn]);
    case 'step-limit':
      return notice('warning', message, [goOn]);
    case 'failed':
      return notice('error', message, actionsFor(kind ?? 'internal'));
  }
}

/** What the model knows of the conversation before it, from here on. The conversation itself stays where it is. */
export function summaryNotice(n: number, text: string): NoticeEntry {
  return {
    kind: 'notice', id: `summary:${n}`, level: 'info', actions: [],
    text: lines(`The conversation had grown too long for the model. From here on it reads this summary in place of the older part, which stays in the session:\n\n${text}`, 19_000),
  };
}

/** A failure with what to do next, as far as its kind tells. */
export function failureNotice(turn: string | null, failure: AgentFailure): NoticeEntry {
  return { kind: 'notice', id: turn === null ? 'failure' : `end:${turn}`, level: 'error', text: line(failure.message, 10_000), actions: actionsFor(failure.kind) };
}

function actionsFor(kind: TurnFailureKind): readonly NoticeAction[] {
  switch (kind) {
    case 'key':
      return [setKey, retry, openSettings];
    case 'no-model':
      return [addModel, retry];
    case 'not-found':
      return [openSettings, retry];
    case 'too-long':
      return [retry, newSession];
    case 'network':
    case 'protocol':
    case 'bad-request':
      return [retry, openSettings];
    case 'log':
      return [newSession];
    case 'busy':
    case 'server':
    case 'broken-stream':
    case 'aborted':
    case 'cut-off':
    case 'refusal':
    case 'internal':
      return [retry];
  }
}
