import type { CallKey } from '../boundary/call.ts';
import type { Effect } from '../boundary/effect.ts';
import type { CallChanges, FileChange } from '../boundary/file-change.ts';
import type { LogEvent, LogEventOf, LoggedProposal } from './records.ts';

/** The tool by which a person takes changes back. */
export const undoTool = 'undo_changes';

interface Started {
  readonly effects: readonly Effect[];
  readonly message: number;
}

interface ChangingCall extends CallChanges {
  /** How many messages the person had sent when it started. */
  readonly message: number;
  /** The calls that it took back; null for one that is no undo. */
  readonly undoes: readonly CallKey[] | null;
}

/** Which calls changed files, and which of them are taken back: a fold over the log, one event after another. */
export class ChangeLedger {
  readonly #started = new Map<CallKey, Started>();
  readonly #undoes = new Map<CallKey, readonly CallKey[]>();
  /** In the order in which they ended. */
  readonly #calls = new Map<CallKey, ChangingCall>();
  /** Calls whose changes an undo that stands has taken back. */
  readonly #undone = new Set<CallKey>();
  #messages = 0;

  /** Takes the next event of the log. Gives the calls of which `canUndo` may say something else now. */
  record(event: LogEvent): readonly CallKey[] {
    switch (event.type) {
      case 'user':
        this.#messages += 1;
        return [];
      case 'person-call':
        if (event.proposal.name === undoTool) this.#undoes.set(event.proposal.call, callsOf(event.proposal));
        return [];
      case 'started':
        this.#started.set(event.call, { effects: event.effects, message: this.#messages });
        return [];
      case 'settled':
        return this.#settled(event);
      default:
        return [];
    }
  }

  /** What a call really made of files; null where it changed none. */
  changesOf(call: CallKey): CallChanges | null {
    return this.#calls.get(call) ?? null;
  }

  /** It changed files, and no undo that stands has taken that back. Of an undo: it can be taken back itself. */
  canUndo(call: CallKey): boolean {
    return this.#calls.has(call) && !this.#undone.has(call);
  }

  /** The calls to undo so that nothing stands of what changed since a message of the person's, counted from 1; in the order of the log. */
  since(message: number): readonly CallKey[] {
    const inRange = (call: CallKey): boolean => (this.#calls.get(call)?.message ?? 0) >= message;
    const left = new Set([...this.#calls.keys()].filter(inRange));
    for (const call of [...left].toReversed()) {
      const undoes = this.#calls.get(call)?.undoes ?? null;
      // An undo and what it took back are nothing together; one that also took back what came before the message is a change of its own.
      if (!left.has(call) || undoes === null || this.#undone.has(call) || !undoes.every(inRange)) continue;
      for (const one of [call, ...undoes]) left.delete(one);
    }
    return [...left];
  }

  #settled({ call, result, observed }: LogEventOf<'settled'>): readonly CallKey[] {
    const started = this.#started.get(call);
    this.#started.delete(call);
    if (started === undefined) return [];
    // Where a crash left the outcome unknown it may have landed: an undo finds that out by what stands there.
    const isUnknown = result.error?.code === 'TOOL_OUTCOME_UNKNOWN';
    const files = started.effects.flatMap(changeOf).filter((change) => isUnknown || observed.some(({ path, digest }) => path === change.path && digest === change.result));
    if (files.length === 0) return [];
    const undoes = this.#undoes.get(call) ?? null;
    this.#calls.set(call, { call, order: this.#calls.size, files, message: started.message, undoes });
    if (undoes === null || result.isError) return [call];
    const touched = new Set<CallKey>([call]);
    for (const one of undoes) this.#mark(one, 'undone', touched);
    return [...touched];
  }

  /** That a call's changes are gone, or there again; an undo's own undo turns what it had taken back. */
  #mark(call: CallKey, as: 'undone' | 'standing', touched: Set<CallKey>): void {
    if (as === 'undone') this.#undone.add(call);
    else this.#undone.delete(call);
    touched.add(call);
    for (const one of this.#calls.get(call)?.undoes ?? []) this.#mark(one, as === 'undone' ? 'standing' : 'undone', touched);
  }
}

function changeOf(effect: Effect): readonly FileChange[] {
  switch (effect.kind) {
    case 'write':
      return [{ path: effect.path, base: effect.base, result: effect.result }];
    case 'delete':
      return [{ path: effect.path, base: effect.base, result: 'absent' }];
    default:
      return [];
  }
}

function callsOf({ arguments: text }: LoggedProposal): readonly CallKey[] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('calls' in value) || !Array.isArray(value.calls)) return [];
    return value.calls.filter((call): call is string => typeof call === 'string');
  } catch {
    return [];
  }
}
