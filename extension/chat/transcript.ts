import type { AgentEvent } from '../agent/events.ts';
import type { CallEvent, CallKey, Origin } from '../boundary/call.ts';
import type { CallResult } from '../boundary/result.ts';
import type { AssistantEntry, CallEntry, Entry, EntryImage, NoticeEntry } from '../../webview/protocol/state.ts';
import type { QueuedMessage } from '../agent/parts.ts';
import { ChangeLedger } from '../session/changes.ts';
import type { LoggedImage, LogEvent, LogEventOf, LoggedProposal } from '../session/records.ts';
import { cardOf, line, lines } from './card.ts';
import { failureNotice, summaryNotice, turnNotice } from './notices.ts';
import { canAskAgain, errorInWords, statusOf } from './outcome.ts';
import type { Presenter } from './presenter.ts';

/** How the entries changed, as the view is told. */
export type Change =
  | { readonly type: 'entry'; readonly entry: Entry }
  | { readonly type: 'remove'; readonly id: string }
  | { readonly type: 'delta'; readonly id: string; readonly field: 'text' | 'thinking'; readonly text: string };

const maxDetail = 20_000;
const maxText = 1_000_000;

/**
 * What the chat shows: a fold over the session's log, so that a reload shows the same, and over it what is only on its way (streaming
 * text, calls whose arguments still arrive, progress).
 */
export class Transcript {
  readonly #presenter: Presenter;
  readonly #entries = new Map<string, Entry>();
  readonly #proposals = new Map<CallKey, LoggedProposal>();
  readonly #byPerson = new Set<CallKey>();
  readonly #reasons = new Map<CallKey, string>();
  #queued: readonly QueuedMessage[] = [];
  /** The entries of the person's messages, in their order. */
  readonly #messages: string[] = [];
  readonly #ledger = new ChangeLedger();
  /** What is only on its way: text that streams, calls whose arguments still arrive. */
  readonly #drafts = new Set<string>();
  #summaries = 0;
  /** Whether an entry has been put at the end. */
  #grew = false;
  /** The notice that offers to go on with the last turn. */
  #lastEnd = '';

  constructor(presenter: Presenter) {
    this.#presenter = presenter;
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** A record of the log: what lasts. */
  record(event: LogEvent): readonly Change[] {
    return this.#aboveQueue(() => [...this.#recorded(event), ...this.#undoable(this.#ledger.record(event))]);
  }

  /** What calls changed, and what of it can be taken back. */
  get changes(): Pick<ChangeLedger, 'changesOf' | 'since'> {
    return this.#ledger;
  }

  /** The calls to undo so that nothing is left of what changed since a message, by the id of its entry. */
  callsSince(entryId: string): readonly CallKey[] {
    const index = this.#messages.indexOf(entryId);
    return index < 0 ? [] : this.#ledger.since(index + 1);
  }

  /** What is only on its way. */
  live(event: AgentEvent): readonly Change[] {
    return event.type === 'queue' ? this.#queue(event.queued) : this.#aboveQueue(() => this.#happening(event));
  }

  #recorded(event: LogEvent): readonly Change[] {
    switch (event.type) {
      case 'session':
        return [];
      case 'user': {
        const id = `user:${event.turn}:${this.#messages.length + 1}`;
        this.#messages.push(id);
        return [
          ...this.#dropNotice(event.turn), ...this.#remove(lostTurn), ...this.#endOffer(),
          this.#put({ kind: 'user', id, text: cut(event.text), images: picturesOf(event.images), queued: 'no', canUndoSince: false }),
        ];
      }
      case 'assistant':
        return this.#assistant(event);
      case 'person-call':
        return [...this.#remove(lostTurn), ...(event.of === null ? [] : this.#update(event.of, { canAskAgain: false })), this.#wanted(event.proposal)];
      case 'asked':
        return this.#call(event.call, (entry, { name, arguments: text }) => ({ ...entry, status: 'asking', card: cardOf(event, this.#presenter.call(name, text, this.#originOf(event.call))) }));
      case 'decided':
        this.#reasons.set(event.call, event.reason);
        return this.#call(event.call, (entry) => ({ ...entry, status: 'waiting' }));
      case 'started':
        return this.#call(event.call, (entry) => ({ ...entry, status: 'running', summary: '' }));
      case 'settled':
        return this.#call(event.call, (entry, proposal) => this.#settled(entry, proposal, event.call, event.result));
      case 'turn-ended': {
        const notice = turnNotice(event.turn, event.end, event.message, event.kind);
        return [...this.#dropNotice(event.turn), ...this.#dropEveryDraft(), ...(notice === null ? [] : [this.#put(this.#endedBy(notice))])];
      }
      case 'summarised':
        this.#summaries += 1;
        return [this.#put(summaryNotice(this.#summaries, event.text))];
      case 'folded':
        return [];
    }
  }

  #happening(event: Exclude<AgentEvent, { type: 'queue' }>): readonly Change[] {
    switch (event.type) {
      case 'draft-text':
        return [...this.#dropNotice(event.turn), ...this.#draftText(draftId(event.turn, event.step), 'text', event.text)];
      case 'draft-thinking':
        return [...this.#dropNotice(event.turn), ...this.#draftText(draftId(event.turn, event.step), 'thinking', event.text)];
      case 'draft-call':
        return [this.#draft(newCall(`${draftId(event.turn, event.step)}:${event.index}`, event.name, `${line(event.name, 200)} …`, 'receiving'))];
      case 'draft-dropped':
        return this.#dropDrafts(event.turn, event.step);
      case 'failed':
        // Where the log cannot be written, no record of the turn's end takes away what was on its way.
        return [...this.#dropEveryDraft(), ...this.#remove(lostTurn), this.#put(this.#endedBy(failureNotice(event.turn, event.failure)))];
      case 'call':
        return this.#callEvent(event.event);
      case 'activity':
      case 'usage':
      case 'context':
        return [];
    }
  }

  /** A question of the agent's to the person stands open, or does not any more. */
  question(call: CallKey, question: { readonly text: string; readonly options: readonly string[] } | null): readonly Change[] {
    const open = question === null ? null : { callId: call, question: lines(question.text, 20_000), options: question.options.slice(0, 20).map((option) => line(option, 1000)) };
    return this.#update(call, { question: open });
  }

  /** What can be taken back has changed for these calls, and so for the messages before them. */
  #undoable(calls: readonly CallKey[]): readonly Change[] {
    if (calls.length === 0) return [];
    const changes = calls.flatMap((call) => this.#update(call, { canUndo: this.#ledger.canUndo(call) }));
    for (const [index, id] of [...this.#messages.entries()].toReversed()) {
      const entry = this.#entries.get(id);
      if (entry?.kind !== 'user') continue;
      const canUndoSince = this.#ledger.since(index + 1).length > 0;
      // A change after a message is one after every message before it.
      if (calls.length === 1 && canUndoSince && entry.canUndoSince) break;
      if (canUndoSince !== entry.canUndoSince) changes.push(this.#put({ ...entry, canUndoSince }));
    }
    return changes;
  }

  #assistant(event: LogEventOf<'assistant'>): readonly Change[] {
    const id = draftId(event.turn, event.step);
    const changes = [...this.#dropNotice(event.turn), ...this.#dropDraftCalls(event.turn, event.step)];
    const thinking = event.thinking ?? '';
    this.#drafts.delete(id);
    if (event.text !== '' || thinking !== '') changes.push(this.#put({ kind: 'assistant', id, text: cut(event.text), thinking: cut(thinking), streaming: false }));
    else changes.push(...this.#remove(id));
    return [...changes, ...event.calls.map((proposal) => this.#proposed(proposal))];
  }

  /** A call of the person's: only such a one is drawn by the tools that are theirs alone. */
  #wanted(proposal: LoggedProposal): Change {
    this.#byPerson.add(proposal.call);
    return this.#proposed(proposal);
  }

  #originOf(call: CallKey): Origin {
    return this.#byPerson.has(call) ? 'person' : 'model';
  }

  #proposed(proposal: LoggedProposal): Change {
    this.#proposals.set(proposal.call, proposal);
    const { title } = this.#presenter.call(proposal.name, proposal.arguments, this.#originOf(proposal.call));
    return this.#put(newCall(proposal.call, proposal.name, line(title, 500), 'waiting'));
  }

  #callEvent(event: CallEvent): readonly Change[] {
    switch (event.type) {
      case 'progress':
        return this.#update(event.call, { summary: line(event.text, 500) });
      case 'settled': {
        const { call, result } = event.outcome;
        const entry = this.#entries.get(call);
        // Only where the log could not take it: a call that is over does not go on turning.
        if (result === null || entry?.kind !== 'call' || !isUnsettled(entry)) return [];
        return this.#call(call, (open, proposal) => this.#settled(open, proposal, call, result));
      }
      case 'received':
      case 'asking':
      case 'running':
        return [];
    }
  }

  #settled(entry: CallEntry, { name, arguments: text }: LoggedProposal, call: CallKey, result: CallResult): CallEntry {
    const reason = this.#reasons.get(call) ?? '';
    const summary = result.error === null ? this.#presenter.result(name, text, result, this.#originOf(call)) : `${errorInWords(name, result.error.code)}${reason === '' ? '' : `: ${reason}`}`;
    return {
      ...entry, status: statusOf(result), summary: line(summary, 500), question: null, canAskAgain: canAskAgain(result),
      detail: cutTo(result.content.map(({ text: part }) => part).join('\n'), maxDetail),
    };
  }

  #draftText(id: string, field: 'text' | 'thinking', text: string): readonly Change[] {
    const known = this.#entries.get(id);
    const entry: AssistantEntry = known?.kind === 'assistant' ? known : { kind: 'assistant', id, text: '', thinking: '', streaming: true };
    const more = text.slice(0, Math.max(0, maxText - entry[field].length));
    if (entry !== known) return [this.#draft({ ...entry, [field]: more })];
    if (more === '') return [];
    this.#entries.set(id, { ...entry, [field]: entry[field] + more });
    return [{ type: 'delta', id, field, text: more }];
  }

  #dropDrafts(turn: string, step: number): readonly Change[] {
    return [...this.#dropDraftCalls(turn, step), ...this.#remove(draftId(turn, step))];
  }

  #dropDraftCalls(turn: string, step: number): readonly Change[] {
    // Not by counting up: a call whose name never came has no entry, and those after it have one.
    const drafts = `${draftId(turn, step)}:`;
    return [...this.#drafts].flatMap((id) => (id.startsWith(drafts) ? this.#remove(id) : []));
  }

  /** What was still on its way when its turn ended will not arrive. */
  #dropEveryDraft(): readonly Change[] {
    return [...this.#drafts].flatMap((id) => this.#remove(id));
  }

  #queue(queued: readonly QueuedMessage[]): readonly Change[] {
    const gone = this.#queued.flatMap(({ id }) => this.#remove(queuedId(id)));
    this.#queued = queued;
    return [...gone, ...queued.map(({ id, text, images, when }) => this.#put({ kind: 'user', id: queuedId(id), text: cut(text), images: picturesOf(images), queued: when, canUndoSince: false }))];
  }

  /** What waits stands below all that comes meanwhile: taken out and put in again where something new has come. */
  #aboveQueue(change: () => readonly Change[]): readonly Change[] {
    if (this.#queued.length === 0) return change();
    this.#grew = false;
    const changes = change();
    return this.#grew ? [...changes, ...this.#queue(this.#queued)] : changes;
  }

  #endedBy(notice: NoticeEntry): NoticeEntry {
    this.#lastEnd = notice.id;
    return notice;
  }

  /** Only the last turn can be gone on with: an older notice keeps its words, not that button. */
  #endOffer(): readonly Change[] {
    const notice = this.#entries.get(this.#lastEnd);
    this.#lastEnd = '';
    return notice?.kind === 'notice' ? [this.#put({ ...notice, actions: notice.actions.filter(({ id }) => id !== 'retry') })] : [];
  }

  /** A turn that goes on has not ended. */
  #dropNotice(turn: string): readonly Change[] {
    return this.#remove(`end:${turn}`);
  }

  #call(call: CallKey, change: (entry: CallEntry, proposal: LoggedProposal) => CallEntry): readonly Change[] {
    const entry = this.#entries.get(call);
    const proposal = this.#proposals.get(call);
    return entry?.kind === 'call' && proposal !== undefined ? [this.#put(change(entry, proposal))] : [];
  }

  #update(call: CallKey, change: Partial<CallEntry>): readonly Change[] {
    const entry = this.#entries.get(call);
    return entry?.kind === 'call' ? [this.#put({ ...entry, ...change })] : [];
  }

  #put(entry: Entry): Change {
    this.#grew ||= !this.#entries.has(entry.id);
    this.#entries.set(entry.id, entry);
    return { type: 'entry', entry };
  }

  #draft(entry: Entry): Change {
    this.#drafts.add(entry.id);
    return this.#put(entry);
  }

  #remove(id: string): readonly Change[] {
    this.#drafts.delete(id);
    return this.#entries.delete(id) ? [{ type: 'remove', id }] : [];
  }
}

/** The id of a failure that has no turn in the log. */
const lostTurn = 'failure';

function isUnsettled({ status }: CallEntry): boolean {
  return status === 'waiting' || status === 'asking' || status === 'running';
}

function draftId(turn: string, step: number): string {
  return `answer:${turn}:${step}`;
}

function newCall(id: string, tool: string, title: string, status: CallEntry['status']): CallEntry {
  return { kind: 'call', id, tool: line(tool, 200), title, status, summary: '', detail: '', card: null, question: null, canAskAgain: false, canUndo: false };
}

/** The id of the entry of a message that waits. */
function queuedId(id: string): string {
  return `queued:${id}`;
}

/** The id of a waiting message, by that of its entry. */
export function queuedMessageOf(entryId: string): string {
  return entryId.replace(/^queued:/, '');
}

function picturesOf(images: readonly LoggedImage[] = []): readonly EntryImage[] {
  return images.map(({ thumbnail, mediaType, bytes }) => ({ thumbnail, label: `${mediaType}, ${bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`}` }));
}

function cut(text: string): string {
  return cutTo(text, maxText);
}

function cutTo(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}\n[${text.length - max} more characters are not shown]` : text;
}
