import type { CallKey } from '../boundary/call.ts';
import type { Observation } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { RegisteredTool } from '../boundary/registry.ts';
import { type Permit, redeem } from '../gate/permit.ts';
import { startRun } from '../gate/run.ts';
import type { PipelineHost } from './host.ts';
import type { StepContext } from './step.ts';

/** How a body ended. What it observed counts either way: a write that landed is known even where the body failed after it. */
export type Executed =
  | { readonly succeeded: true; readonly value: unknown; readonly observed: readonly Observation[] }
  | { readonly succeeded: false; readonly thrown: unknown; readonly observed: readonly Observation[] };

/** Redeems the permit and runs the body with its powers, once, within its time. The start is in the log before the body runs. */
export async function execute(tool: RegisteredTool, permit: Permit, call: CallKey, context: StepContext, host: PipelineHost): Promise<Executed> {
  const planned = await redeem(permit, call, host.policy(), host.guards);
  const { timeoutMs } = tool.definition;
  const deadline = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs);
  const signal = deadline === null ? context.signal : AbortSignal.any([context.signal, deadline]);
  host.log.append({ type: 'started', call, digest: permit.digest, revision: permit.revision, decidedBy: permit.decidedBy, effects: permit.effects });
  context.onEvent({ type: 'running', call });
  const live = startRun(planned, signal, {
    roots: host.roots, documents: host.documents, conversation: host.conversationOf(call, signal), random: host.random,
    progress: (text) => context.onEvent({ type: 'progress', call, text }),
  });
  try {
    return { succeeded: true, value: await tool.definition.execute(planned.arguments, live.run), observed: live.observed };
  } catch (thrown) {
    if (thrown instanceof CodedError) return { succeeded: false, thrown, observed: live.observed };
    if (context.signal.aborted) return { succeeded: false, thrown: new CodedError('ABORTED', 'The turn was stopped while this call ran.', { cause: thrown }), observed: live.observed };
    if (deadline?.aborted === true) return { succeeded: false, thrown: new CodedError('TOOL_TIMEOUT', `The call did not finish within its ${timeoutMs} ms.`, { cause: thrown }), observed: live.observed };
    return { succeeded: false, thrown, observed: live.observed };
  } finally {
    live.settle();
  }
}
