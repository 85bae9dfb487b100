import type { Digest } from '../../boundary/effect.ts';
import type { ModelClient, ModelMessage, ModelRequest, TokenUsage } from '../../model/model-client.ts';
import { History } from '../../session/history.ts';
import type { Told } from '../../session/told.ts';
import type { ContextPart, ContextUse } from '../events.ts';
import type { AgentParts } from '../parts.ts';
import { type Instructions, totalOf, weigh } from './estimate.ts';
import { Gauge } from './gauge.ts';

export type ContextParts = Pick<AgentParts, 'log' | 'client' | 'schemas' | 'systemPrompt' | 'image'>;

/** What the model would read of a session: its requests, and how much of the model's context they take. One for each agent. */
export class Context {
  readonly #parts: ContextParts;
  readonly #history = new History();
  readonly #images = new Map<Digest, string>();
  #gauge: Gauge | null = null;
  /** Of the last request, not corrected. */
  #sent = 0;
  #cachedShare: number | null = null;

  constructor(parts: ContextParts) {
    this.#parts = parts;
  }

  get told(): readonly Told[] {
    return this.#history.tell(this.#parts.log.events);
  }

  /** The next request of the session, with the images that have been fetched. */
  request(): ModelRequest {
    const { told } = this;
    this.#sent = totalOf(weigh(told, this.#instructions(this.#parts.client())));
    return this.requestOf(told.map(({ message }) => message));
  }

  /** A request of these messages, as the session's are. */
  requestOf(messages: readonly ModelMessage[]): ModelRequest {
    const request = { messages: [{ role: 'system', text: this.#parts.systemPrompt() } as const, ...messages], tools: this.#parts.schemas() };
    return this.#images.size === 0 || !this.#showsImages ? request : { ...request, images: new Map(this.#images) };
  }

  /** Fetches images that the model is to be shown; those that no message refers to any more are let go. null where there is nothing to wait for. */
  fetchImages(): Promise<void> | null {
    const { image } = this.#parts;
    if (image === undefined || !this.#showsImages) return null;
    const shown = new Set(this.told.flatMap(({ message }) => (message.role === 'user' ? (message.images ?? []).map(({ digest }) => digest) : [])));
    for (const digest of this.#images.keys()) if (!shown.has(digest)) this.#images.delete(digest);
    const missing = [...shown].filter((digest) => !this.#images.has(digest));
    return missing.length === 0 ? null : this.#fetch(missing, image);
  }

  /** Tokens of the next request. */
  tokens(client: ModelClient): number {
    return totalOf(weigh(this.told, this.#instructions(client))) * this.ratio(client);
  }

  /** Tokens of what every request begins with. */
  instructionTokens(client: ModelClient): number {
    return totalOf(weigh([], this.#instructions(client))) * this.ratio(client);
  }

  /** What the provider counts for one token of our estimate. */
  ratio(client: ModelClient): number {
    return this.#gaugeNow().ratio(client);
  }

  limit(client: ModelClient): number {
    return this.#gaugeNow().limit(client);
  }

  /** Takes up what the provider counted of the last request. */
  learn(usage: TokenUsage | null): void {
    const client = this.#parts.client();
    this.#cachedShare = usage === null || usage.input <= 0 ? null : Math.min(1, Math.max(0, usage.cachedInput / usage.input));
    if (client !== null && usage !== null) this.#gaugeNow().report(client, this.#sent, usage.input);
  }

  /** The provider refused the last request as too long. */
  refused(client: ModelClient): void {
    this.#gaugeNow().refused(client, this.#sent * this.ratio(client));
  }

  /** null where no model is set up. */
  use(): ContextUse | null {
    const client = this.#parts.client();
    if (client === null) return null;
    const ratio = this.ratio(client);
    const weights = weigh(this.told, this.#instructions(client));
    const rounded = (part: ContextPart): number => Math.round(weights[part] * ratio);
    const parts = {
      instructions: rounded('instructions'), user: rounded('user'), assistant: rounded('assistant'), results: rounded('results'), images: rounded('images'), summary: rounded('summary'),
    };
    return { used: totalOf(parts), limit: this.limit(client), parts, cachedShare: this.#cachedShare };
  }

  #instructions(client: ModelClient | null): Instructions {
    return { system: this.#parts.systemPrompt(), tools: this.#parts.schemas(), images: client?.capabilities.images === true };
  }

  /** Made when it is first needed: it goes by what the log last says that a provider counted. */
  #gaugeNow(): Gauge {
    this.#gauge ??= new Gauge(this.#ratioInLog());
    return this.#gauge;
  }

  #ratioInLog(): number {
    const { events } = this.#parts.log;
    const at = events.findLastIndex((event) => event.type === 'assistant' && event.usage !== undefined && event.usage.input > 0);
    const answer = events[at];
    if (answer?.type !== 'assistant' || answer.usage === undefined) return 1;
    return answer.usage.input / totalOf(weigh(new History().tell(events.slice(0, at)), this.#instructions(this.#parts.client())));
  }

  async #fetch(digests: readonly Digest[], image: NonNullable<ContextParts['image']>): Promise<void> {
    for (const digest of digests) {
      const base64 = await image(digest);
      if (base64 !== null) this.#images.set(digest, base64);
    }
  }

  get #showsImages(): boolean {
    return this.#parts.client()?.capabilities.images === true;
  }
}
