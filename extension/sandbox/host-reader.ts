import type { RequestMethod } from '../../tool-host/protocol/methods.ts';
import { createFrameReader } from './frame-reader.ts';
import { type HostResponse, parseResponse } from './host-response.ts';

/** What a tool host's bytes came to. A fault's `reason` is one sentence for a person. */
export type Arrival = { readonly kind: 'response'; readonly message: HostResponse } | { readonly kind: 'fault'; readonly reason: string };

/**
 * The filter between a tool host and whatever acts on its messages. Only answers to requests that `expect` named pass,
 * each once and with a result of its method's shape. Anything else is one fault, and nothing comes after it.
 */
export interface HostReader {
  /** Says that a request with this id is about to be sent. */
  expect(id: number, method: RequestMethod): void;
  push(chunk: Uint8Array): readonly Arrival[];
  /** The stream has ended: a fault if it ended within a message or before an answer. */
  end(): readonly Arrival[];
}

export function createHostReader(): HostReader {
  const frames = createFrameReader();
  const outstanding = new Map<number, RequestMethod>();
  let dead = false;

  function fail(reason: string): Arrival {
    dead = true;
    outstanding.clear();
    return { kind: 'fault', reason: `The tool host ${reason}.` };
  }

  function receive(body: Uint8Array): Arrival {
    const parsed = parseResponse(body, (id) => outstanding.get(id));
    if (parsed.kind === 'fault') return fail(parsed.reason);
    outstanding.delete(parsed.message.id);
    return parsed;
  }

  return {
    expect(id, method) {
      if (outstanding.has(id)) throw new Error(`Request ${id} is already waiting for an answer.`);
      if (!dead) outstanding.set(id, method);
    },
    push(chunk) {
      const arrivals: Arrival[] = [];
      if (dead) return arrivals;
      for (const frame of frames.push(chunk)) {
        const arrival = frame.kind === 'fault' ? fail(frame.reason) : receive(frame.bytes);
        arrivals.push(arrival);
        if (arrival.kind === 'fault') break;
      }
      return arrivals;
    },
    end() {
      if (dead) return [];
      const reason = frames.end() ?? (outstanding.size > 0 ? 'ended before it had answered' : null);
      if (reason !== null) return [fail(reason)];
      dead = true;
      return [];
    },
  };
}
