import type { CallKey } from '../boundary/call.ts';
import type { CallResult } from '../boundary/result.ts';
import type { ModelCall, ModelMessage } from '../model/model-client.ts';
import { undoTool } from './changes.ts';
import { foldedNarration, narrationOf } from './narration.ts';
import type { LoggedProposal, LogEvent, LogEventOf } from './records.ts';
import type { Told } from './told.ts';

/** Arguments of this length were refused for their size; they are not repeated to the model with each request. */
const longestArguments = 1024 * 1024;

/** What the model has read and said so far, derived from the log alone. */
export function historyOf(events: readonly LogEvent[]): readonly ModelMessage[] {
  return new History().tell(events).map(({ message }) => message);
}

interface OpenStep {
  readonly turn: string;
  readonly event: number;
  readonly calls: readonly LoggedProposal[];
  readonly results: Map<CallKey, CallResult>;
  told: number;
}

/** A result that was told: where, and how it is told anew once it is folded. */
interface ToldResult {
  readonly at: number;
  readonly fold: () => Told;
}

/**
 * The history of one log, as it grows. Appending events only appends messages: earlier ones never change, so providers can cache them, but
 * by a `folded` or a `summarised` event. Each call of an assistant message has exactly one tool message, in the calls' order; what the
 * person said meanwhile comes after them. While calls of the last step are open, the history ends before their results; a call that is still
 * open when the log goes on to something else never gets another result than `TOOL_OUTCOME_UNKNOWN`.
 */
export class History {
  #told: Told[] = [];
  /** What waits until every call of the step has its result. */
  #held: Told[] = [];
  #open: OpenStep | null = null;
  #results = new Map<CallKey, ToldResult>();
  #settledPersonCalls = new Set<CallKey>();
  /** How many events have been told. */
  #count = 0;
  /** By event: where a summary that ends before it may end, so that no step is torn. */
  readonly #borders: number[] = [];
  readonly #personCalls = new Map<CallKey, LoggedProposal>();
  readonly #folded = new Set<CallKey>();

  /** Takes up what was appended. `events` begins with what this was given before. */
  tell(events: readonly LogEvent[]): readonly Told[] {
    for (let at = this.#count; at < events.length; at++) {
      const event = events[at];
      if (event === undefined) break;
      this.#borders.push(this.#open?.event ?? at);
      if (event.type === 'summarised') this.#summarise(event, at, events);
      else this.#take(event, at);
      this.#count = at + 1;
    }
    return this.#told;
  }

  /** The rest of the log after the summary's border is told once more, as if it had begun there. */
  #summarise({ through, text }: LogEventOf<'summarised'>, at: number, events: readonly LogEvent[]): void {
    this.#told = [{ message: { role: 'user', text: `${summaryNote}\n\n${text}` }, part: 'summary', event: at, outcome: null }];
    this.#held = [];
    this.#open = null;
    this.#results = new Map();
    this.#settledPersonCalls = new Set();
    const from = this.#borders[Math.min(through, at)] ?? at;
    for (const [index, event] of events.slice(from, at).entries()) if (event.type !== 'summarised') this.#take(event, from + index);
  }

  #take(event: Exclude<LogEvent, { type: 'summarised' }>, at: number): void {
    switch (event.type) {
      case 'user':
        if (this.#open !== null && this.#open.turn !== event.turn) this.#giveUp();
        this.#push({ message: userMessage(event), part: 'user', event: at, outcome: null });
        break;
      case 'assistant':
        this.#giveUp();
        this.#takeAnswer(event, at);
        break;
      case 'person-call':
        this.#personCalls.set(event.proposal.call, event.proposal);
        break;
      case 'settled':
        this.#takeResult(event, at);
        break;
      case 'turn-ended':
        this.#giveUp();
        break;
      case 'folded':
        event.calls.forEach((call) => this.#fold(call));
        break;
      case 'session':
      case 'asked':
      case 'decided':
      case 'started':
        break;
    }
  }

  #takeAnswer({ turn, text, calls, finish, carried }: LogEventOf<'assistant'>, event: number): void {
    if (text !== '' || calls.length > 0) {
      const message: ModelMessage = { role: 'assistant', text, calls: calls.map(callOf), ...(carried === undefined ? {} : { carried }) };
      this.#told.push({ message, part: 'assistant', event, outcome: null });
    }
    if (calls.length > 0) this.#open = { turn, event, calls, results: new Map(), told: 0 };
    else if (finish === 'length') this.#told.push({ message: { role: 'user', text: cutOffNote }, part: 'user', event, outcome: null });
  }

  #takeResult({ call, result }: LogEventOf<'settled'>, event: number): void {
    const proposal = this.#personCalls.get(call);
    if (proposal !== undefined) {
      if (this.#settledPersonCalls.has(call)) return;
      this.#settledPersonCalls.add(call);
      this.#pushNote(proposal, result, event);
    } else if (this.#open !== null && this.#open.calls.some((known) => known.call === call)) {
      this.#open.results.set(call, result);
      this.#tellResults();
    }
  }

  #tellResults(): void {
    const open = this.#open;
    if (open === null) return;
    for (let call = open.calls[open.told]; call !== undefined; call = open.calls[open.told]) {
      const result = open.results.get(call.call);
      if (result === undefined) return;
      this.#tellResult(call, result, open.event);
      open.told += 1;
    }
    this.#release();
  }

  /** The log has gone on: what is still open stays unknown. */
  #giveUp(): void {
    const open = this.#open;
    if (open === null) return;
    for (const call of open.calls.slice(open.told)) {
      const result = open.results.get(call.call);
      if (result === undefined) this.#told.push({ message: { role: 'tool', callId: call.id, text: unknownOutcome }, part: 'results', event: open.event, outcome: null });
      else this.#tellResult(call, result, open.event);
    }
    this.#release();
  }

  #tellResult({ call, id, name }: LoggedProposal, result: CallResult, event: number): void {
    const folded = foldedNarration(call, name, result);
    const tell = (isFolded: boolean): Told => ({
      message: { role: 'tool', callId: id, text: isFolded ? folded : narrationOf(result) }, part: 'results', event,
      outcome: { call, tool: name, folded: isFolded, foldedLength: folded.length },
    });
    this.#results.set(call, { at: this.#told.length, fold: () => tell(true) });
    this.#told.push(tell(this.#folded.has(call)));
  }

  /** Of a call of the person's: it is told where it settled, as their words. */
  #pushNote(proposal: LoggedProposal, result: CallResult, event: number): void {
    this.#push({ message: { role: 'user', text: personCallNote(proposal, result) }, part: 'user', event, outcome: null });
  }

  #fold(call: CallKey): void {
    this.#folded.add(call);
    const result = this.#results.get(call);
    if (result !== undefined) this.#told[result.at] = result.fold();
  }

  #push(told: Told): void {
    if (this.#open === null) this.#told.push(told);
    else this.#held.push(told);
  }

  #release(): void {
    this.#open = null;
    this.#told.push(...this.#held);
    this.#held = [];
  }
}

const unknownOutcome = 'TOOL_OUTCOME_UNKNOWN: what became of this call is not known. Look at the present state before you go on.';
const cutOffNote = '[Your answer reached the token limit and was cut off. Go on from where it stopped.]';
const summaryNote = '[The beginning of this conversation is left out to save room; what follows tells it.]';

function userMessage({ text, images }: LogEventOf<'user'>): ModelMessage {
  if (images === undefined || images.length === 0) return { role: 'user', text };
  return { role: 'user', text, images: images.map(({ digest, mediaType }) => ({ digest, mediaType })) };
}

function callOf({ id, name, arguments: text }: LoggedProposal): ModelCall {
  if (text.length < longestArguments) return { id, name, arguments: text };
  return { id, name, arguments: JSON.stringify({ left_out: 'These arguments were larger than a call may be.' }) };
}

function personCallNote({ name, arguments: args }: LoggedProposal, result: CallResult): string {
  if (name === undoTool) {
    return result.isError
      ? `[I tried to undo changes of yours]\nIt failed:\n${narrationOf(result)}`
      : `[I undid changes of yours; read these files again before you change them]\n${narrationOf(result)}`;
  }
  const shown = args.length > 2000 ? `${args.slice(0, 2000)}…` : args;
  return `[I had this call run again: ${name} ${shown}]\n${result.isError ? 'It failed' : 'Its result'} (data, not my words):\n${narrationOf(result)}`;
}
