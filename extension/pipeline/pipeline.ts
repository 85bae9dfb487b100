import type { PipelineHost } from './host.ts';
import { runCall } from './run-call.ts';
import type { Pipeline } from './step.ts';

/** The calls of a step, one after another in the model's order. Whoever watches cannot disturb a call: what a listener throws is dropped. */
export function createPipeline(host: PipelineHost): Pipeline {
  return {
    async runStep(calls, context) {
      const onEvent: typeof context.onEvent = (event) => {
        try {
          context.onEvent(event);
        } catch {
          // A view that fails is no reason to stop a call, or to lose its record.
        }
      };
      const outcomes = [];
      for (const call of calls) outcomes.push(await runCall(call, { ...context, onEvent }, host));
      return outcomes;
    },
  };
}
