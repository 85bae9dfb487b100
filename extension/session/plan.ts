import type { CallKey } from '../boundary/call.ts';
import type { LogEvent, LoggedProposal } from './records.ts';

export interface PlanItem {
  readonly text: string;
  readonly status: 'pending' | 'active' | 'done';
}

/** The plan as the last `update_plan` that succeeded left it; a fold over the log. */
export class PlanFold {
  readonly #proposed = new Map<CallKey, string>();
  #items: readonly PlanItem[] = [];

  get items(): readonly PlanItem[] {
    return this.#items;
  }

  /** Whether the plan is another one now. */
  record(event: LogEvent): boolean {
    switch (event.type) {
      case 'assistant':
        event.calls.forEach((call) => this.#propose(call));
        return false;
      case 'person-call':
        this.#propose(event.proposal);
        return false;
      case 'settled': {
        const text = this.#proposed.get(event.call);
        this.#proposed.delete(event.call);
        const items = text === undefined || event.result.isError ? null : itemsIn(text);
        if (items === null) return false;
        this.#items = items;
        return true;
      }
      default:
        return false;
    }
  }

  #propose({ call, name, arguments: text }: LoggedProposal): void {
    if (name === 'update_plan') this.#proposed.set(call, text);
  }
}

export function planOf(events: readonly LogEvent[]): readonly PlanItem[] {
  const fold = new PlanFold();
  for (const event of events) fold.record(event);
  return fold.items;
}

/** null where these are not the arguments of the tool: then the call would not have succeeded. */
function itemsIn(text: string): readonly PlanItem[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('items' in value) || !Array.isArray(value.items)) return null;
  const items = value.items.flatMap(itemIn);
  return items.length === value.items.length ? items : null;
}

function itemIn(value: unknown): readonly PlanItem[] {
  if (typeof value !== 'object' || value === null || !('text' in value) || !('status' in value)) return [];
  const { text, status } = value;
  return typeof text === 'string' && (status === 'pending' || status === 'active' || status === 'done') ? [{ text, status }] : [];
}
