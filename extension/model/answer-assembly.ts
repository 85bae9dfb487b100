import type { Carried, FinishReason, ModelCall, ModelEvent, TokenUsage } from './model-client.ts';

/** What one data line of a stream adds to an answer, in whatever protocol it came. */
export interface AnswerPiece {
  readonly text: string;
  readonly thinking: string;
  readonly refusal: string;
  readonly calls: readonly CallDelta[];
  readonly finish: string | null;
  readonly usage: TokenUsage | null;
}

export interface CallDelta {
  /** null where the server sends none. */
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export const emptyPiece: AnswerPiece = { text: '', thinking: '', refusal: '', calls: [], finish: null, usage: null };

export interface AnswerLimits {
  /** UTF-16 units of text in one answer, and of thinking. */
  readonly text: number;
  /**
   * UTF-16 units kept of one call's arguments. Just above what the boundary accepts: a longer text is kept no further,
   * and what is kept is still refused there as too large.
   */
  readonly callArguments: number;
  /** UTF-16 units kept of the arguments of all calls together. */
  readonly allArguments: number;
  readonly calls: number;
}

export const answerLimits: AnswerLimits = {
  text: 8 * 1024 * 1024,
  callArguments: 1024 * 1024 + 4096,
  allArguments: 16 * 1024 * 1024,
  calls: 128,
};

interface OpenCall {
  readonly index: number | null;
  readonly position: number;
  id: string;
  name: string;
  readonly pieces: string[];
  length: number;
  announced: boolean;
}

/** Puts one answer together from its pieces. */
export interface AnswerAssembly {
  /** The events of this piece, or the limit that it broke, in words. */
  take(piece: AnswerPiece): readonly ModelEvent[] | { readonly broken: string };
  /** What the server gave as its reason to finish, or null so far. */
  readonly finish: string | null;
  finished(carried?: readonly Carried[]): Extract<ModelEvent, { type: 'finished' }>;
}

export function createAnswerAssembly(limits: AnswerLimits = answerLimits): AnswerAssembly {
  const calls: OpenCall[] = [];
  let textLength = 0;
  let thinkingLength = 0;
  let argumentsLength = 0;
  let finish: string | null = null;
  let refused = false;
  let usage: TokenUsage | null = null;

  function callFor(delta: CallDelta): OpenCall | undefined {
    const known = delta.index === null ? calls.at(-1) : calls.findLast((call) => call.index === delta.index);
    // A new id and a name under an index (or none) that is taken: servers exist that number every call 0.
    const isOther = known !== undefined && delta.id !== '' && known.id !== '' && delta.id !== known.id && delta.name !== '';
    if (known !== undefined && !isOther) return known;
    if (calls.length >= limits.calls) return undefined;
    const call: OpenCall = { index: delta.index, position: calls.length, id: '', name: '', pieces: [], length: 0, announced: false };
    calls.push(call);
    return call;
  }

  function takeCall(delta: CallDelta, events: ModelEvent[]): string | null {
    const call = callFor(delta);
    if (call === undefined) return `more than ${limits.calls} tool calls in one answer`;
    // The first name and id stand: some servers repeat them with every delta.
    if (call.id === '') call.id = delta.id;
    if (call.name === '') call.name = delta.name;
    if (!call.announced && call.name !== '') {
      call.announced = true;
      events.push({ type: 'call-started', index: call.position, id: idOf(call), name: call.name });
    }
    const room = Math.max(0, limits.callArguments - call.length);
    const kept = delta.arguments.length > room ? delta.arguments.slice(0, room) : delta.arguments;
    if (kept === '') return null;
    call.pieces.push(kept);
    call.length += kept.length;
    argumentsLength += kept.length;
    if (argumentsLength > limits.allArguments) return `tool calls with more than ${limits.allArguments} characters of arguments in one answer`;
    if (call.announced) events.push({ type: 'call-arguments', index: call.position, text: kept });
    return null;
  }

  return {
    get finish() {
      return finish;
    },
    take(piece) {
      const events: ModelEvent[] = [];
      thinkingLength += piece.thinking.length;
      if (thinkingLength > limits.text) return { broken: `more than ${limits.text} characters of thinking in one answer` };
      if (piece.thinking !== '') events.push({ type: 'thinking', text: piece.thinking });
      const text = piece.text + piece.refusal;
      if (piece.refusal !== '') refused = true;
      textLength += text.length;
      if (textLength > limits.text) return { broken: `more than ${limits.text} characters of text in one answer` };
      if (text !== '') events.push({ type: 'text', text });
      for (const delta of piece.calls) {
        const broken = takeCall(delta, events);
        if (broken !== null) return { broken };
      }
      // That it was cut off stands, whatever a server says after it.
      if (finish === null || !cutOff.has(finish)) finish = piece.finish ?? finish;
      usage = piece.usage ?? usage;
      return events;
    },
    finished(carried = []) {
      const complete = calls.map((call): ModelCall => ({ id: idOf(call), name: call.name, arguments: call.pieces.join('') }));
      const reason = reasonOf(finish, refused, complete.length);
      return { type: 'finished', reason, calls: complete, usage, ...(carried.length > 0 ? { carried } : {}) };
    },
  };
}

function idOf(call: OpenCall): string {
  return call.id === '' ? `call_${call.position + 1}` : call.id;
}

/** By the limit, and where the server gave up in the middle, as DeepSeek and vLLM say it: what had come of a call is not whole. */
const cutOff: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length', 'insufficient_system_resource', 'abort']);

/** Servers differ in their words: that there are calls counts for more than what the reason says of them. */
function reasonOf(finish: string | null, refused: boolean, calls: number): FinishReason {
  if (finish !== null && cutOff.has(finish)) return 'length';
  if (finish === 'content_filter' || refused) return 'refusal';
  return calls > 0 ? 'tool-calls' : 'stop';
}
