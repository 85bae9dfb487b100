import type { Answer, Ask, AskFile } from '../boundary/ask.ts';
import type { EffectOf } from '../boundary/effect.ts';
import type { Verdict } from '../boundary/verdict.ts';
import { diffFile } from '../edits/line-diff.ts';
import type { Planned } from '../gate/permit.ts';
import type { PipelineHost } from './host.ts';
import type { StepContext } from './step.ts';

/** Puts a call before a person. One `asked` and one `decided` record, whatever happens in between; an approver that fails has not approved. */
export async function askFor(planned: Planned, verdict: Verdict, context: StepContext, host: PipelineHost): Promise<Answer> {
  const ask = askOf(planned, verdict, host);
  const { call, digest } = planned;
  host.log.append({ type: 'asked', call, digest, verdict, content: ask.content });
  context.onEvent({ type: 'asking', call, ask });
  const answer = await answerOf(ask, context, host);
  host.log.append({ type: 'decided', call, digest, approval: answer.approval, reason: answer.reason });
  return answer;
}

async function answerOf(ask: Ask, { signal }: StepContext, { approver }: PipelineHost): Promise<Answer> {
  try {
    const { approval, reason } = await approver.ask(ask, signal);
    return { approval, reason: reason.toWellFormed() };
  } catch {
    return { approval: signal.aborted ? 'cancelled' : 'unavailable', reason: '' };
  }
}

function askOf(planned: Planned, verdict: Verdict, host: PipelineHost): Ask {
  const { effects, claims, content } = planned.foreseen;
  const files = effects.filter((effect) => effect.kind === 'write' || effect.kind === 'delete').map((effect): AskFile => ({
    path: effect.path, display: host.roots.display(effect.path), base: planned.bases.get(effect.path) ?? null,
    result: effect.kind === 'delete' ? null : bytesOf(effect, content),
  }));
  // Only what a rule of ours has to say beside "it asks": the card shows the deciding rule by itself.
  const warnings = verdict.rules.filter(({ level, decision }) => level === 'built-in' && decision !== 'allow').map(({ matched, reason }) => `${matched}: ${reason}`);
  return {
    call: planned.call, digest: planned.digest, verdict, files,
    content: { effects, claims, diffs: files.map(diffFile), warnings: [...new Set([...throughLinks(planned), ...inTheEditor(planned, host), ...warnings])] },
  };
}

/** What would be changed in a document that the person has not saved. */
function inTheEditor({ foreseen }: Planned, { roots }: PipelineHost): readonly string[] {
  return foreseen.effects.flatMap((effect) => (effect.kind === 'write' && effect.via === 'buffer'
    ? [`${roots.display(effect.path)} has unsaved changes: it is changed in the editor, on top of them, and not saved`] : []));
}

/** Where a name leads elsewhere than it says: the target is what would be touched. */
function throughLinks({ resolutions }: Planned): readonly string[] {
  return resolutions.filter(({ requested, real }) => requested !== real).map(({ requested, real }) => `${requested} leads through a link to ${real}`);
}

function bytesOf(effect: EffectOf<'write'>, content: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const bytes = content.get(effect.result);
  if (bytes === undefined) throw new Error(`the bytes of the write to ${effect.path} are gone`);
  return bytes;
}
