import { loadOnce } from '../load-once.ts';
import type { ModelCall, ModelClient, ModelEvent, ModelRequest } from '../model-client.ts';
import type { Timer } from '../response-watch.ts';

const tour = loadOnce(() => import('./tour.ts'));

export const demonstrationId = 'demonstration';
export const demonstrationLabel = 'Demonstration (a script)';

export interface DemonstrationPorts {
  readonly timer: Timer;
  /** Between two pieces: about as fast as people are used to. */
  readonly delayMs?: number;
}

/**
 * A script that plays a model: it needs no server and no key, and sends nothing. What it proposes are calls like any model's. It depends on
 * the request alone, so the same conversation always goes on in the same way. Its texts are loaded with its first answer.
 */
export function createDemonstration({ timer, delayMs = 20 }: DemonstrationPorts): ModelClient {
  return {
    label: demonstrationLabel,
    capabilities: { images: false, parallelCalls: true, thinking: false, contextTokens: 128_000, outputTokens: 8192 },
    bodyOf: ({ messages, tools }) => JSON.stringify({ note: 'Nothing is sent: this is what the script reads.', tools, messages }),
    async *stream(request, signal) {
      try {
        for await (const event of answerTo(request)) {
          if (await isStopped(timer, delayMs, signal)) {
            yield stopped;
            return;
          }
          yield event;
        }
      } catch (error) {
        yield { type: 'failed', failure: { kind: 'protocol', retryable: false, message: `The demonstration could not be loaded (${error instanceof Error ? error.message : String(error)}). Reload the window, or install the extension again.` } };
      }
    },
  };
}

/** Loads its texts ahead of its first answer. */
export async function warmDemonstration(): Promise<void> {
  await tour();
}

const stopped: ModelEvent = { type: 'failed', failure: { kind: 'aborted', retryable: false, message: 'The request was stopped.' } };

async function* answerTo(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const { tourStep } = await tour();
  const step = tourStep(request);
  for (const text of step.text.match(/\s*\S+\s*/g) ?? []) yield { type: 'text', text };
  const calls = step.calls.map((call, index): ModelCall => ({ id: `demonstration_${request.messages.length}_${index + 1}`, name: call.name, arguments: JSON.stringify(call.arguments) }));
  for (const [index, call] of calls.entries()) {
    yield { type: 'call-started', index, id: call.id, name: call.name };
    for (const text of call.arguments.match(/[^]{1,80}/g) ?? []) yield { type: 'call-arguments', index, text };
  }
  yield { type: 'finished', reason: calls.length > 0 ? 'tool-calls' : 'stop', calls, usage: null };
}

/** Waits, no longer than until the signal fires. */
function isStopped(timer: Timer, ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (isAborted: boolean): void => {
      disarm();
      signal.removeEventListener('abort', abort);
      resolve(isAborted);
    };
    const abort = (): void => end(true);
    signal.addEventListener('abort', abort, { once: true });
    const disarm = timer(ms, () => end(false));
  });
}
