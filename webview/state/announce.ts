import { isBusy, openCalls, type ChatState } from './chat-state.ts';
import type { CallEntry, Entry, Status } from '../protocol/state.ts';
import { planText } from './plan.ts';
import { elsewhere } from './sending.ts';

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
  const polite = [ofStatus(before, after), ofPlan(before, after), after.status.readOnly && !before.status.readOnly ? elsewhere : ''];
  return { polite: polite.filter((text) => text !== '').join(' '), assertive: fresh.map(ofCall).join(' ') };
}

/** Where the plan of a session changes; not where another session is shown. */
function ofPlan(before: ChatState, after: ChatState): string {
  if (after.plan.length === 0 || after.generation !== before.generation) return '';
  const text = planText(after.plan);
  return text === planText(before.plan) ? '' : text;
}

function ofCall(call: CallEntry): string {
  if (call.question !== null) return `Question: ${call.question.question} Press ${cardShortcut} to go to it.`;
  return `Approval needed: ${call.card?.title ?? call.title}. Press ${cardShortcut} to go to it.`;
}

function ofStatus(earlier: ChatState, after: ChatState): string {
  const { status: before } = earlier;
  const { status, conversation } = after;
  if (before.activity === status.activity) return isBusy(status) ? '' : ofEndedCall(earlier, after);
  if (isBusy(status)) return isWorthSaying(before, status) ? statusText(status) : '';
  const last = lastOf(conversation);
  switch (last?.kind) {
    case 'notice': return last.text;
    case 'assistant': return 'Answer complete';
    case 'call': return ofCallEnd(last);
    case 'user':
    case undefined: return 'Stopped';
  }
}

/** A call of the person's own may have begun and ended before anything was drawn. */
function ofEndedCall(before: ChatState, after: ChatState): string {
  if (after.generation !== before.generation) return '';
  const last = lastOf(after.conversation);
  if (last === lastOf(before.conversation) || last?.kind !== 'call' || !hasEnded(last)) return '';
  const hadEnded = before.conversation.some(({ entries }) => entries.some((entry) => entry.id === last.id && hasEnded(entry)));
  return hadEnded ? '' : ofCallEnd(last);
}

function hasEnded(entry: Entry): boolean {
  return entry.kind === 'call' && ['done', 'failed', 'denied', 'interrupted'].includes(entry.status);
}

function ofCallEnd({ title, summary, status }: CallEntry): string {
  return `${title}: ${summary === '' ? status : summary}`;
}

/** That work has begun, waits or is being stopped; not each of the many steps between. */
function isWorthSaying(before: Status, { activity }: Status): boolean {
  return activity !== 'asking' && (!isBusy(before) || activity === 'waiting' || activity === 'stopping');
}

/** What has come last; what still waits to be sent stands below it. */
function lastOf(conversation: ChatState['conversation']): Entry | undefined {
  for (const { entries } of conversation.toReversed()) {
    const last = entries.findLast((entry) => entry.kind !== 'user' || entry.queued === 'no');
    if (last !== undefined) return last;
  }
  return undefined;
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
