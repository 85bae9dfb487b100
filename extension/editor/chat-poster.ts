import { line } from '../chat/card.ts';
import { meterOf } from '../chat/meter.ts';
import { Pages } from '../chat/pages.ts';
import type { Change } from '../chat/transcript.ts';
import type { ContextUse } from '../agent/events.ts';
import type { PlanItem } from '../session/plan.ts';
import type { ContextMeter, Entry, Models, PlanItem as ShownItem, Status } from '../../webview/protocol/state.ts';
import type { ChatChannel } from './chat-channel.ts';
import type { LiveSession } from './live-session.ts';

/** Lines of the log that the person is told of beside the conversation: why a session is not the one that was open before. */
const noticeLimit = 10_000;

export interface Shown {
  readonly id: string;
  readonly live: LiveSession;
  readonly notice: string | null;
  readonly models: Models;
  readonly status: Status;
  readonly history: readonly string[];
}

/** Tells the view what it does not know yet: the whole state when it asks, and then each change of what it holds. */
export class ChatPoster {
  readonly #channel: ChatChannel;
  readonly #shown: () => Shown;
  #pages = new Pages();

  constructor(channel: ChatChannel, shown: () => Shown) {
    this.#channel = channel;
    this.#shown = shown;
  }

  state(): void {
    const { id, live, notice, models, status, history } = this.#shown();
    this.#pages = new Pages();
    const { entries, older } = this.#pages.newest(live.transcript.entries);
    this.#channel.post({
      type: 'state', sessionId: id, entries: notice === null ? entries : [...entries, noticeOf(notice)], older, status, models, context: shownContext(live.context), plan: shownPlan(live.plan),
      history: history.slice(-100).map((text) => text.slice(0, 20_000).toWellFormed()),
    });
  }

  older(): void {
    this.#channel.post({ type: 'older', ...this.#pages.before(this.#shown().live.transcript.entries) });
  }

  changes(changes: readonly Change[]): void {
    for (const change of changes) if (this.#pages.concerns(change)) this.#channel.post(change);
  }

  status(): void {
    this.#channel.post({ type: 'status', status: this.#shown().status });
  }

  models(): void {
    this.#channel.post({ type: 'models', models: this.#shown().models });
  }

  context(context: ContextUse | null): void {
    this.#channel.post({ type: 'context', context: shownContext(context) });
  }

  plan(plan: readonly PlanItem[]): void {
    this.#channel.post({ type: 'plan', plan: shownPlan(plan) });
  }
}

function noticeOf(notice: string): Entry {
  return { kind: 'notice', id: 'session', level: 'warning', text: line(notice, noticeLimit), actions: [{ id: 'openLog', label: 'Show the log' }] };
}

function shownContext(context: ContextUse | null): ContextMeter | null {
  return context === null ? null : meterOf(context);
}

function shownPlan(plan: readonly PlanItem[]): readonly ShownItem[] {
  return plan.slice(0, 100).map(({ text, status }) => ({ text: line(text, 2000), status }));
}
