/** Calls `fire` after `ms`, unless the returned function is called before. */
export type Timer = (ms: number, fire: () => void) => () => void;

export interface WatchLimits {
  /** Until the first byte: a model may read a long prompt before it says anything. */
  readonly firstByteMs: number;
  /** Between two bytes. */
  readonly idleMs: number;
  /** After the server has given its reason to finish. */
  readonly tailMs: number;
  /** Bytes of one line, and of the whole response. */
  readonly line: number;
  readonly total: number;
  /** Bytes read of a response that is an error. */
  readonly errorBody: number;
}

export const watchLimits: WatchLimits = {
  firstByteMs: 300_000, idleMs: 120_000, tailMs: 5_000,
  line: 16 * 1024 * 1024, total: 256 * 1024 * 1024, errorBody: 64 * 1024,
};

export type Fault = { readonly kind: 'idle'; readonly ms: number } | { readonly kind: 'too-long'; readonly what: string };

/** What the bytes of one response show that its parsed events do not: silence, endless lines, how it began and how it ended. */
export interface ResponseWatch {
  /** `fetch`, whose response is watched. `abort` is called where the server is silent for too long. */
  fetch(url: string, init: RequestInit, abort: () => void): Promise<Response>;
  /** From here on only the tail of the stream is waited for. */
  expectEnd(): void;
  /** Why the watch gave up, if it did. */
  readonly fault: Fault | null;
  /** Whether headers have come. */
  readonly answered: boolean;
  /** The first characters of the body. */
  readonly head: string;
  /** Whether the stream said `[DONE]`. */
  readonly done: boolean;
  /** Whether the body ended in the middle of an event. */
  readonly torn: boolean;
}

export function watchResponse(timer: Timer, limits: WatchLimits = watchLimits): ResponseWatch {
  let fault: Fault | null = null;
  let answered = false;
  let ended = false;
  let waitMs = limits.firstByteMs;
  let head: Buffer = Buffer.alloc(0);
  let tail = '';
  let total = 0;
  let line = 0;

  const isDone = (): boolean => /(^|[\r\n])data: ?\[DONE\]/.test(tail);

  function note(bytes: Uint8Array): void {
    total += bytes.length;
    const lastBreak = bytes.lastIndexOf(10);
    line = lastBreak < 0 ? line + bytes.length : bytes.length - lastBreak - 1;
    if (head.length < 1024) head = Buffer.concat([head, bytes.subarray(0, 1024 - head.length)]);
    tail = (tail + Buffer.from(bytes.subarray(-256)).toString('latin1')).slice(-256);
    if (line > limits.line) fault = { kind: 'too-long', what: `one line of more than ${limits.line} bytes` };
    if (total > limits.total) fault = { kind: 'too-long', what: `an answer of more than ${limits.total} bytes` };
  }

  function watched(body: ReadableStream<Uint8Array>, isError: boolean): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        const giveUp = (reason: Fault): void => {
          fault = reason;
          controller.error(new Error(reason.kind));
          void reader.cancel().catch(() => {});
        };
        const ms = waitMs;
        const disarm = timer(ms, () => giveUp({ kind: 'idle', ms }));
        try {
          const { value, done } = await reader.read();
          if (fault !== null) return;
          if (done) {
            ended = true;
            controller.close();
            return;
          }
          waitMs = Math.min(waitMs, limits.idleMs);
          note(value);
          if (fault !== null) return giveUp(fault);
          controller.enqueue(value);
          if (isError && total > limits.errorBody) {
            controller.close();
            void reader.cancel().catch(() => {});
          }
        } finally {
          disarm();
        }
      },
      async cancel(reason) {
        // After `[DONE]` the rest is read to its end, so that the connection can serve the next request.
        if (!isDone()) return reader.cancel(reason);
        const disarm = timer(limits.tailMs, () => void reader.cancel().catch(() => {}));
        void readToEnd(reader).catch(() => {}).finally(disarm);
      },
    }, { highWaterMark: 0 });
  }

  return {
    async fetch(url, init, abort) {
      const ms = waitMs;
      const disarm = timer(ms, () => {
        fault = { kind: 'idle', ms };
        abort();
      });
      try {
        const response = await globalThis.fetch(url, init);
        answered = true;
        if (response.body === null) return response;
        const { status, statusText, headers } = response;
        return new Response(watched(response.body, !response.ok), { status, statusText, headers });
      } finally {
        disarm();
      }
    },
    expectEnd() {
      waitMs = limits.tailMs;
    },
    get fault() {
      return fault;
    },
    get answered() {
      return answered;
    },
    get head() {
      return head.toString('utf8');
    },
    get done() {
      return isDone();
    },
    get torn() {
      return ended && tail !== '' && !/(\n\n|\r\r|\r\n\r\n)\s*$/.test(tail);
    },
  };
}

async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (;;) {
    const { done } = await reader.read();
    if (done) return;
  }
}
