import { setTimeout as sleep } from 'node:timers/promises';
import type { RealPath } from '../../../extension/boundary/effect.ts';
import { createRegistry } from '../../../extension/boundary/registry.ts';
import { createSchemaCompiler } from '../../../extension/boundary/schema-compiler.ts';
import type { ToolDefinition } from '../../../extension/boundary/tool-definition.ts';
import { EventLog } from '../../../extension/session/event-log.ts';
import { objectSchema, textContent } from '../../../extension/tools/schemas.ts';
import { pipelineSession } from './pipeline-session.ts';

const calls = 10;
const callMs = 50;

/** How long one step of 10 concurrency-safe calls of 50 ms each takes, in milliseconds. */
export async function benchConcurrentStep(workspace: string, steps: number): Promise<readonly number[]> {
  const registry = createRegistry(createSchemaCompiler());
  registry.register(waitTool(workspace));
  const session = await pipelineSession({ log: EventLog.inMemory({ sessionId: 'bench', roots: [workspace] }), workspace, registry });
  const times: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    const { outcomes, ms } = await session.step(Array.from({ length: calls }, (_, n) => ({ name: 'wait', arguments: JSON.stringify({ file: `file-${n}` }) })));
    if (outcomes.some(({ result }) => result?.isError !== false)) throw new Error('a call failed that was only to wait');
    times.push(ms);
  }
  return times;
}

/** It declares reads of files that are not the same: no two of its calls stand in each other's way. */
function waitTool(workspace: string): ToolDefinition<{ readonly file: string }, null> {
  return {
    name: 'wait', description: 'Waits.', parameters: objectSchema({ file: { type: 'string' } }, ['file']),
    output: { schema: { type: 'null' }, render: () => textContent('Waited.') },
    effects: ({ file }) => ({ effects: [{ kind: 'read', path: `${workspace}/${file}` as RealPath, extent: 'file', except: [] }], claims: [], content: new Map() }),
    execute: async (_args, run) => {
      await sleep(callMs, undefined, { signal: run.signal });
      return null;
    },
    isConcurrencySafe: () => true,
  };
}
