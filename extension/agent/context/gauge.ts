import type { ModelCapabilities, ModelClient } from '../../model/model-client.ts';

/** What was learned of one model in this session. */
interface Learned {
  /** What the provider counts for one token of our estimate. */
  readonly ratio: number;
  /** What it refused was longer; null while it has refused nothing. */
  readonly limit: number | null;
}

/** Beyond these a report is taken for a mistake: servers exist that count nothing, or everything twice. */
const leastRatio = 0.5;
const mostRatio = 3;
/** Of what was refused, the share that is taken to fit. */
const shareOfRefused = 0.9;

/** Turns estimates into tokens as the provider counts them, and knows how many of them fit. */
export class Gauge {
  readonly #learned = new Map<string, Learned>();
  /** Before a model has reported anything by itself. */
  readonly #first: number;

  constructor(first = 1) {
    this.#first = bounded(first);
  }

  ratio(client: ModelClient): number {
    return this.#of(client).ratio;
  }

  /** Tokens that a request may have: what fits, less what the answer needs. */
  limit(client: ModelClient): number {
    const fits = limitOf(client.capabilities);
    const { limit } = this.#of(client);
    return limit === null ? fits : Math.min(fits, limit);
  }

  /** The provider counted `input` tokens where our estimate was `estimated`. */
  report(client: ModelClient, estimated: number, input: number): void {
    if (!(estimated > 0) || !(input > 0)) return;
    this.#learned.set(client.label, { ...this.#of(client), ratio: bounded(input / estimated) });
  }

  /** The provider refused a request as too long that we took for so many tokens. */
  refused(client: ModelClient, tokens: number): void {
    this.#learned.set(client.label, { ...this.#of(client), limit: Math.floor(Math.min(this.limit(client), tokens * shareOfRefused)) });
  }

  #of(client: ModelClient): Learned {
    return this.#learned.get(client.label) ?? { ratio: this.#first, limit: null };
  }
}

/** Where an answer may take as much as the whole, half of it is left to the request all the same. */
function limitOf({ contextTokens, outputTokens }: ModelCapabilities): number {
  return Math.max(contextTokens - outputTokens, Math.floor(contextTokens / 2), 1000);
}

function bounded(ratio: number): number {
  return Number.isFinite(ratio) ? Math.min(mostRatio, Math.max(leastRatio, ratio)) : 1;
}
