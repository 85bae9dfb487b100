import { isBusy, openCalls, type ChatState } from './chat-state.ts';
import type { CallEntry, Status } from '../protocol/state.ts';

/** What a screen reader is told of a change; an empty text says nothing. */
export interface Announcement {
  readonly polite: string;
  readonly assertive: string;
}

export const cardShortcut = 'Alt+Shift+A';

/** Never the text of a stream: what began, what ended, and what waits for the person. */
export function announce(before: ChatState, after: ChatState): Announcement {
  const fresh = after.open === before.open && after.generation === before.generation
    ? [] : openCalls(after).filter((call) => !before.open.includes(call.id));
  return { polite: ofStatus(before.status, after), assertive: fresh.map(ofCall).join(' ') };
}

function ofCall(call: CallEntry): string {
  if (call.question !== null) return `Question: ${call.question.question} Press ${cardShortcut} to go to it.`;
  return `Approval needed: ${call.card?.title ?? call.title}. Press ${cardShortcut} to go to it.`;
}

function ofStatus(before: Status, { status, conversation }: ChatState): string {
  if (before.activity === status.activity) return '';
  if (isBusy(status)) return status.activity === 'asking' ? '' : statusText(status);
  const last = conversation.at(-1)?.entries.at(-1);
  if (last?.kind === 'notice') return last.text;
  return last?.kind === 'assistant' ? 'Answer complete' : 'Stopped';
}

/** The host's own words, or plain ones where it gave none. */
export function statusText(status: Status): string {
  if (status.text !== '') return status.text;
  switch (status.activity) {
    case 'idle': return '';
    case 'requesting': return 'Waiting for the model';
    case 'streaming': return 'Answering';
    case 'deciding': return 'Checking the call against the rules';
    case 'asking': return 'Waiting for your answer';
    case 'running': return 'Working';
    case 'waiting': return 'Waiting to try again';
    case 'stopping': return 'Stopping';
  }
}
