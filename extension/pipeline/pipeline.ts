import type { PipelineHost } from './host.ts';
import { StepSchedule } from './schedule.ts';
import type { Pipeline } from './step.ts';

/** Runs the calls of a step, see `StepSchedule`. Whoever watches cannot disturb a call: what a listener throws is dropped. */
export function createPipeline(host: PipelineHost): Pipeline {
  return {
    runStep(calls, context) {
      const onEvent: typeof context.onEvent = (event) => {
        try {
          context.onEvent(event);
        } catch {
          // A view that fails is no reason to stop a call, or to lose its record.
        }
      };
      return new StepSchedule(calls, { ...context, onEvent }, host).run();
    },
  };
}
