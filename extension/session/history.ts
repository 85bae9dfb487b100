import type { CallKey } from '../boundary/call.ts';
import type { CallResult } from '../boundary/result.ts';
import type { ModelCall, ModelMessage } from '../model/model-client.ts';
import type { LoggedProposal, LogEvent } from './records.ts';

/** Arguments of this length were refused for their size; they are not repeated to the model with each request. */
const longestArguments = 1024 * 1024;

/**
 * What the model has read and said so far, derived from the log alone. Appending events only appends messages: earlier
 * ones never change, so providers can cache them. Each call of an assistant message has exactly one tool message, in the
 * calls' order; what the person said meanwhile comes after them. While calls of the last step are open, the history ends
 * before their results; a call that is still open when the log goes on to something else never gets another result than
 * `TOOL_OUTCOME_UNKNOWN`.
 */
export function historyOf(events: readonly LogEvent[]): readonly ModelMessage[] {
  const messages: ModelMessage[] = [];
  const personCalls = new Map<CallKey, LoggedProposal>();
  let open: { readonly turn: string; readonly calls: readonly LoggedProposal[]; readonly results: Map<CallKey, CallResult>; told: number } | null = null;
  /** What waits until every call of the step has its result. */
  let held: ModelMessage[] = [];

  const push = (message: ModelMessage): void => {
    if (open === null) messages.push(message);
    else held.push(message);
  };

  function release(): void {
    open = null;
    messages.push(...held);
    held = [];
  }

  function tellResults(): void {
    if (open === null) return;
    for (let call = open.calls[open.told]; call !== undefined; call = open.calls[open.told]) {
      const result = open.results.get(call.call);
      if (result === undefined) return;
      messages.push({ role: 'tool', callId: call.id, text: narrationOf(result) });
      open.told += 1;
    }
    release();
  }

  /** The log has gone on: what is still open stays unknown. */
  function giveUp(): void {
    if (open === null) return;
    for (const call of open.calls.slice(open.told)) {
      const result = open.results.get(call.call);
      messages.push({ role: 'tool', callId: call.id, text: result === undefined ? unknownOutcome : narrationOf(result) });
    }
    release();
  }

  for (const event of events) {
    switch (event.type) {
      case 'user':
        if (open !== null && open.turn !== event.turn) giveUp();
        push({ role: 'user', text: event.text });
        break;
      case 'assistant':
        giveUp();
        if (event.text !== '' || event.calls.length > 0) messages.push({ role: 'assistant', text: event.text, calls: event.calls.map(callOf) });
        if (event.calls.length > 0) open = { turn: event.turn, calls: event.calls, results: new Map(), told: 0 };
        else if (event.finish === 'length') messages.push({ role: 'user', text: cutOffNote });
        break;
      case 'person-call':
        personCalls.set(event.proposal.call, event.proposal);
        break;
      case 'settled': {
        const proposal = personCalls.get(event.call);
        if (proposal !== undefined) {
          personCalls.delete(event.call);
          push({ role: 'user', text: personCallNote(proposal, event.result) });
        } else if (open !== null && open.calls.some(({ call }) => call === event.call)) {
          open.results.set(event.call, event.result);
          tellResults();
        }
        break;
      }
      case 'turn-ended':
        giveUp();
        break;
      case 'session':
      case 'asked':
      case 'decided':
      case 'started':
        break;
    }
  }
  return messages;
}

const unknownOutcome = 'TOOL_OUTCOME_UNKNOWN: what became of this call is not known. Look at the present state before you go on.';
const cutOffNote = '[Your answer reached the token limit and was cut off. Go on from where it stopped.]';

function callOf({ id, name, arguments: text }: LoggedProposal): ModelCall {
  if (text.length < longestArguments) return { id, name, arguments: text };
  return { id, name, arguments: JSON.stringify({ left_out: 'These arguments were larger than a call may be.' }) };
}

function narrationOf(result: CallResult): string {
  const text = result.content.map((part) => part.text).join('\n');
  return text === '' ? '(nothing)' : text;
}

function personCallNote({ name, arguments: args }: LoggedProposal, result: CallResult): string {
  const shown = args.length > 2000 ? `${args.slice(0, 2000)}…` : args;
  return `[I had this call run again: ${name} ${shown}]\n${result.isError ? 'It failed' : 'Its result'}:\n${narrationOf(result)}`;
}
