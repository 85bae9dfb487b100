import type { CallKey, IncomingCall, Origin } from '../boundary/call.ts';
import type { ModelCall } from '../model/model-client.ts';
import { undoTool } from '../session/changes.ts';
import type { LoggedProposal, LogEvent } from '../session/records.ts';

/** The log keeps no more of arguments that are refused for their size. */
const longestLogged = 1024 * 1024;
/** Some providers carry state of theirs in an id; beyond this it is no id. */
const longestId = 8192;

export interface StepProposals {
  readonly logged: readonly LoggedProposal[];
  readonly incoming: readonly IncomingCall[];
}

/** A call of the person's own. */
export interface PersonProposal {
  readonly logged: LoggedProposal;
  readonly incoming: IncomingCall;
}

/**
 * Gives each call of a step our own key, and an id that no other call of the session has: providers repeat theirs in
 * every step, and a conversation with two results under one id is refused.
 */
export function nameCalls(calls: readonly ModelCall[], cutOff: boolean, events: readonly LogEvent[], newId: () => string): StepProposals {
  const taken = new Set(proposalsIn(events).map(({ proposal }) => proposal.id));
  const inStep = new Set<string>();
  const logged: LoggedProposal[] = [];
  const incoming: IncomingCall[] = [];
  for (const { id, name, arguments: text } of calls) {
    const call = newId();
    const wireId = freeId(id.length > longestId || id === '' ? 'call' : id.toWellFormed(), taken);
    taken.add(wireId);
    logged.push({ call, id: wireId, name: name.toWellFormed(), arguments: text.slice(0, longestLogged).toWellFormed() });
    incoming.push({ call, id: wireId, name, arguments: text, ...(cutOff ? { cutOff } : {}), ...(inStep.has(id) ? { duplicate: true } : {}) });
    inStep.add(id);
  }
  return { logged, incoming };
}

/** The same call once more, as the person's own; undefined where there is no such call, or it names what only a person may ask for. */
export function askedAgain(of: CallKey, events: readonly LogEvent[], newId: () => string): PersonProposal | undefined {
  const found = proposalsIn(events).find(({ proposal }) => proposal.call === of);
  if (found === undefined || (found.by === 'model' && found.proposal.name === undoTool)) return undefined;
  return nameOne(found.proposal, found.cutOff, events, newId);
}

/** That what these calls changed be taken back, as the person's own call. */
export function undoProposal(calls: readonly CallKey[], events: readonly LogEvent[], newId: () => string): PersonProposal | undefined {
  return nameOne({ id: 'undo', name: undoTool, arguments: JSON.stringify({ calls }) }, false, events, newId);
}

function nameOne(call: ModelCall, cutOff: boolean, events: readonly LogEvent[], newId: () => string): PersonProposal | undefined {
  const { logged: [logged], incoming: [incoming] } = nameCalls([call], cutOff, events, newId);
  return logged === undefined || incoming === undefined ? undefined : { logged, incoming };
}

/** What a provider cut off, by its token limit or its filter, is whole in none of its calls. */
export function isCutOff(finish: 'stop' | 'tool-calls' | 'length' | 'refusal'): boolean {
  return finish === 'length' || finish === 'refusal';
}

interface Proposed {
  readonly proposal: LoggedProposal;
  readonly by: Origin;
  readonly cutOff: boolean;
}

function proposalsIn(events: readonly LogEvent[]): readonly Proposed[] {
  return events.flatMap((event): readonly Proposed[] => {
    if (event.type === 'assistant') return event.calls.map((proposal) => ({ proposal, by: 'model', cutOff: isCutOff(event.finish) }));
    return event.type === 'person-call' ? [{ proposal: event.proposal, by: 'person', cutOff: false }] : [];
  });
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  for (let n = 2; ; n++) {
    const candidate = `${id}_${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}
