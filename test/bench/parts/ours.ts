import { join } from 'node:path';
import { createRegistry } from '../../../extension/boundary/registry.ts';
import { EventLog } from '../../../extension/session/event-log.ts';
import { registerBuiltInTools } from '../../../extension/tools/built-in.ts';
import { compiledAhead } from '../../../extension/tools/compiled-schemas.ts';
import { type Samples, sampled } from './call-times.ts';
import { heapBytes } from './heap.ts';
import { pipelineSession } from './pipeline-session.ts';
import { argumentsText, expectNarration, name } from './plan-call.ts';

/** One session through the real pipeline, one call a step. A sample is the call alone; the processor's time is that of whole steps, with the record of the proposal. */
export async function benchOurs(home: string, place: 'memory' | 'disk', calls: number): Promise<Samples> {
  return (await runSession(home, place, calls)).samples;
}

/** What such a session adds to the heap, in megabytes: it holds its whole log, the proposals too. */
export async function heapOfSession(home: string, calls: number): Promise<number> {
  const before = heapBytes();
  const { log } = await runSession(home, 'memory', calls);
  const megabytes = (heapBytes() - before) / 1024 / 1024;
  // Looked at only now, so that the log is held until then.
  if (log.events.length !== calls * 3 + 1) throw new Error(`${log.events.length} records of ${calls} calls`);
  return megabytes;
}

let files = 0;

async function runSession(home: string, place: 'memory' | 'disk', calls: number): Promise<{ readonly samples: Samples; readonly log: EventLog }> {
  const registry = createRegistry(compiledAhead);
  registerBuiltInTools(registry);
  const start = { sessionId: 'bench', roots: [home] };
  const log = place === 'memory' ? EventLog.inMemory(start) : EventLog.create(join(home, 'logs', `${++files}.jsonl`), start);
  const session = await pipelineSession({ log, workspace: home, registry });
  const samples = await sampled(calls, 1, async () => {
    const { outcomes, ms } = await session.step([{ name, arguments: argumentsText }]);
    expectNarration(outcomes[0]?.result?.content[0]?.text, 'the pipeline');
    return ms;
  });
  log.close();
  return { samples, log };
}
