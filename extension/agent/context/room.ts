import type { ModelClient, ModelRequest } from '../../model/model-client.ts';
import { type Answer, requestAnswer, type StepPlace } from '../answer.ts';
import type { AgentEvent, AgentFailure } from '../events.ts';
import type { AgentParts } from '../parts.ts';
import type { Context } from './context.ts';
import { enoughOf, type Fold, foldsIn, gainOf, largestFirst, startOfLast } from './fold.ts';
import { type OlderPart, olderPart, summaryMessages, summaryText } from './summary.ts';

/** Shares of what fits. Room is made from `full` on, down to `wanted`; where folding does not come to `tolerable`, a summary is made. */
const full = 0.8;
const tolerable = 0.65;
const wanted = 0.5;
/** An older part that weighs less is not summed up: it would save next to nothing. */
const worthwhile = 0.1;
/** Steps that are neither folded nor summed up. */
const keptSteps = 3;
/** What these may weigh in a summary's stead. */
const keptShare = 0.25;

/** Everything that making room needs of a turn. */
export interface RoomParts {
  readonly parts: AgentParts;
  readonly context: Context;
  readonly place: StepPlace;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => void;
}

/** `made`: something was left out that was in the last request. */
export type Room = { readonly type: 'enough' } | { readonly type: 'made' } | Exclude<Answer, { type: 'finished' }>;

export function needsRoom({ parts, context }: Pick<RoomParts, 'parts' | 'context'>): boolean {
  const client = parts.client();
  return client !== null && context.tokens(client) > full * context.limit(client);
}

/**
 * Sees to it that the next request fits, before it is made: old results are folded first, and where that is not enough, the older part is
 * summed up. All at once and rarely, since each time the provider's cache of what stood there is lost.
 */
export async function makeRoom(room: RoomParts): Promise<Room> {
  const client = room.parts.client();
  if (client === null) return { type: 'enough' };
  const before = room.parts.log.events.length;
  const stopped = await reduce(room, client, keptSteps);
  if (stopped !== null) return stopped;
  // The last steps are all that is left: better to read their results in parts than not to go on.
  if (room.context.tokens(client) > room.context.limit(client)) foldRecent(room, client, full);
  return { type: room.parts.log.events.length > before ? 'made' : 'enough' };
}

/** Makes more room than was thought to be needed: the provider has refused the last request as too long. */
export async function makeMoreRoom(room: RoomParts): Promise<Room> {
  const client = room.parts.client();
  if (client === null) return { type: 'enough' };
  room.context.refused(client);
  const before = room.parts.log.events.length;
  const stopped = await reduce(room, client, 1);
  if (stopped !== null) return stopped;
  if (room.context.tokens(client) > tolerable * room.context.limit(client)) foldRecent(room, client, wanted);
  return { type: room.parts.log.events.length > before ? 'made' : 'enough' };
}

async function reduce(room: RoomParts, client: ModelClient, steps: number): Promise<Exclude<Answer, { type: 'finished' }> | null> {
  const { context } = room;
  const limit = context.limit(client);
  const ratio = context.ratio(client);
  const tokens = context.tokens(client);
  const folds = foldsIn(context.told, 0, startOfLast(context.told, steps));
  const older = olderPart(context.told, steps, (keptShare * limit) / ratio);
  const isWorthwhile = older.weight * ratio > worthwhile * limit;
  if (tokens - gainOf(folds) * ratio <= tolerable * limit || !isWorthwhile) {
    fold(room, enoughOf(folds, (tokens - wanted * limit) / ratio));
    return null;
  }
  // The summary knows more where it is made of the results themselves; but it has to fit, too.
  if (tokens > limit) fold(room, folds);
  return summarise(room, client, olderPart(context.told, steps, (keptShare * limit) / ratio));
}

function foldRecent(room: RoomParts, client: ModelClient, share: number): void {
  const { context } = room;
  const excess = (context.tokens(client) - share * context.limit(client)) / context.ratio(client);
  fold(room, enoughOf(largestFirst(foldsIn(context.told, 0, context.told.length)), excess));
}

function fold({ parts, place }: RoomParts, folds: readonly Fold[]): void {
  if (folds.length > 0) parts.log.append({ type: 'folded', turn: place.turn, calls: folds.map(({ call }) => call) });
}

async function summarise(room: RoomParts, client: ModelClient, older: OlderPart): Promise<Exclude<Answer, { type: 'finished' }> | null> {
  const { parts, context, place, signal } = room;
  for (const share of [0.9, 0.45]) {
    const free = (share * context.limit(client) - context.instructionTokens(client)) / context.ratio(client);
    // With the same tools: providers refuse a history with calls without them, and cache them. A call in the answer goes nowhere.
    const request: ModelRequest = context.requestOf(summaryMessages(older, free));
    const answer = await requestAnswer(parts, place, request, signal, quietly(room.emit));
    if (answer.type === 'stopped') return { type: 'stopped', text: '', thinking: '' };
    if (answer.type === 'failed') {
      if (answer.failure.kind === 'too-long' && share > 0.5) continue;
      return failed(answer.failure.message);
    }
    if (answer.text.trim() === '' || answer.reason === 'refusal') return failed('The model gave no summary.');
    parts.log.append({ type: 'summarised', turn: place.turn, through: older.through, text: summaryText(parts.log.events, older.through, answer.text) });
    return null;
  }
  return failed('The model takes less than that.');
}

/** The summary is no answer to the person: only that it is made, or waited for, is shown. */
function quietly(emit: (event: AgentEvent) => void): (event: AgentEvent) => void {
  return (event) => {
    if (event.type !== 'activity') return;
    emit(event.activity === 'waiting' ? event : { ...event, text: 'Summarising the conversation so far' });
  };
}

function failed(why: string): { readonly type: 'failed'; readonly failure: AgentFailure } {
  return {
    type: 'failed',
    failure: { kind: 'too-long', message: `The conversation has grown too long for the model, and its older part could not be summed up. ${why} Try again, start a new session, or choose a model with a larger context.` },
  };
}
