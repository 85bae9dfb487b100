import type { PipelineHost } from './host.ts';
import { runCall } from './run-call.ts';
import type { Pipeline } from './step.ts';

/** The calls of a step, one after another in the model's order. */
export function createPipeline(host: PipelineHost): Pipeline {
  return {
    async runStep(calls, context) {
      const outcomes = [];
      for (const call of calls) outcomes.push(await runCall(call, context, host));
      return outcomes;
    },
  };
}
