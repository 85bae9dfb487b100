import type { CallOutcome, IncomingCall } from '../../../extension/boundary/call.ts';
import type { Registry } from '../../../extension/boundary/registry.ts';
import { MemoryKeptResults } from '../../../extension/files/kept-results.ts';
import { MemoryObjectStore } from '../../../extension/files/object-store.ts';
import { Observations } from '../../../extension/files/observations.ts';
import { noOpenDocuments } from '../../../extension/files/open-documents.ts';
import { Roots } from '../../../extension/files/roots.ts';
import { buildPolicy } from '../../../extension/gate/policy.ts';
import { createPipeline } from '../../../extension/pipeline/pipeline.ts';
import { loggedNarration } from '../../../extension/session/narration.ts';
import type { SessionLog } from '../../../extension/session/records.ts';

export interface PipelineSession {
  /** One step, as the agent has it: the proposals stand in the log, then the calls run. */
  step(calls: readonly { readonly name: string; readonly arguments: string }[]): Promise<Step>;
}

interface Step {
  readonly outcomes: readonly CallOutcome[];
  /** Of the calls, from received to recorded, without the record of the proposals. */
  readonly ms: number;
}

interface SessionParts {
  readonly log: SessionLog;
  /** A real path. */
  readonly workspace: string;
  readonly registry: Registry;
}

/** The real pipeline with the policy of the mode Ask, in a session of its own. */
export async function pipelineSession({ log, workspace, registry }: SessionParts): Promise<PipelineSession> {
  const roots = await Roots.of([{ name: 'workspace', path: workspace }]);
  const policy = buildPolicy({ mode: 'ask', layers: [], readableSecrets: [] }, roots);
  let names = 0;
  const pipeline = createPipeline({
    registry, roots, policy: () => policy, guards: [], documents: noOpenDocuments, observations: new Observations(), objects: new MemoryObjectStore(),
    kept: new MemoryKeptResults((call) => loggedNarration(log.events, call)), log,
    approver: { ask: () => Promise.resolve({ approval: 'unavailable', reason: '' }) },
    conversationOf: () => ({ ask: () => Promise.reject(new Error('nobody is here')) }),
    redact: (text) => text, random: () => `t${++names}`, dryRun: false,
  });
  const context = { origin: 'model', signal: new AbortController().signal, onEvent: () => undefined } as const;
  let [steps, calls] = [0, 0];
  return {
    async step(proposed) {
      const incoming = proposed.map((call): IncomingCall => ({ call: `call-${++calls}`, id: `wire-${calls}`, ...call }));
      log.append({ type: 'assistant', turn: 'turn', step: ++steps, text: '', finish: 'tool-calls', calls: incoming.map(({ call, id, name, arguments: text }) => ({ call, id, name, arguments: text })) });
      const start = performance.now();
      const outcomes = await pipeline.runStep(incoming, context);
      return { outcomes, ms: performance.now() - start };
    },
  };
}
