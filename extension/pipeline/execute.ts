import type { CallKey } from '../boundary/call.ts';
import type { Observation } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { RegisteredTool } from '../boundary/registry.ts';
import { type Permit, redeem } from '../gate/permit.ts';
import { startRun } from '../gate/run.ts';
import { messageOf, tamed } from './error-result.ts';
import type { PipelineHost } from './host.ts';
import type { StepContext } from './step.ts';

/** How a body ended. What it observed counts either way: a write that landed is known even where the body failed after it. */
export type Executed =
  | { readonly succeeded: true; readonly value: unknown; readonly observed: readonly Observation[] }
  | { readonly succeeded: false; readonly thrown: unknown; readonly observed: readonly Observation[] };

/** Redeems the permit and runs the body with its powers, once, within its time. The start is in the log before the body runs. */
export async function execute(tool: RegisteredTool, permit: Permit, call: CallKey, context: StepContext, host: PipelineHost): Promise<Executed> {
  const planned = await redeem(permit, call, host.policy, host.guards);
  context.signal.throwIfAborted();
  const { timeoutMs } = tool.definition;
  const deadline = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs);
  const signal = deadline === null ? context.signal : AbortSignal.any([context.signal, deadline]);
  host.log.append({ type: 'started', call, digest: permit.digest, revision: permit.revision, decidedBy: permit.decidedBy, effects: permit.effects });
  context.onEvent({ type: 'running', call });
  const live = startRun(planned, signal, {
    roots: host.roots, documents: host.documents, objects: host.objects, kept: host.kept, conversation: host.conversationOf(call, signal), random: host.random,
    progress: (text) => context.onEvent({ type: 'progress', call, text }),
  });
  const cut = (): CodedError | null => cutShort(signal, deadline, timeoutMs);
  try {
    const value = await tool.definition.execute(planned.arguments, live.run);
    const late = cut();
    if (late !== null) return { succeeded: false, thrown: withWord(late, 'It had finished by then: what it did stands.'), observed: live.observed };
    return { succeeded: true, value, observed: live.observed };
  } catch (raw) {
    const late = cut();
    const thrown = tamed(raw);
    if (late === null) return { succeeded: false, thrown, observed: live.observed };
    // A body that ends because it was told to has nothing to add; whatever else ended it is kept.
    if (raw === signal.reason || thrown.name === 'AbortError') return { succeeded: false, thrown: late, observed: live.observed };
    if (thrown instanceof CodedError && thrown.code !== 'ABORTED') return { succeeded: false, thrown, observed: live.observed };
    return { succeeded: false, thrown: withWord(late, `It ended with: ${messageOf(thrown)}`, thrown), observed: live.observed };
  } finally {
    live.settle();
  }
}

/** What cut the call short, whichever came first; null where nothing did. */
function cutShort(signal: AbortSignal, deadline: AbortSignal | null, timeoutMs: number | undefined): CodedError | null {
  if (!signal.aborted) return null;
  if (deadline?.aborted === true && signal.reason === deadline.reason) return new CodedError('TOOL_TIMEOUT', `The call did not finish within its ${timeoutMs} ms.`);
  return new CodedError('ABORTED', 'The turn was stopped while this call ran.');
}

function withWord(error: CodedError, word: string, cause?: unknown): CodedError {
  return new CodedError(error.code, `${error.message} ${word}`, { cause });
}
