import type { Digest, Effect, Observation, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { Conversation, Outcome, Reader, Run, Written } from '../boundary/tool-definition.ts';
import { stale } from '../edits/world-check.ts';
import { type PlannedWrite, writeAll } from '../edits/write-all.ts';
import type { OpenDocuments } from '../files/open-documents.ts';
import { statOf } from '../files/read-bytes.ts';
import { realPathOf } from '../files/real-path.ts';
import type { Roots } from '../files/roots.ts';
import { type Planned, type Redeemed, spend } from './permit.ts';
import { createReader } from './reader.ts';

/** What performing needs of the host. */
export interface RunPorts {
  readonly roots: Roots;
  readonly documents: OpenDocuments;
  readonly conversation: Conversation;
  readonly random: () => string;
  readonly progress: (text: string) => void;
}

/** A redeemed permit at work: its powers, and what it saw and wrote. */
export interface LiveRun {
  readonly run: Run;
  readonly observed: readonly Observation[];
  /** Ends every power; called once the body has settled. */
  settle(): void;
}

/** The powers of one redeemed permit. Effects are performed by identity, each once, each checked against the world just before. */
export function startRun(planned: Redeemed, signal: AbortSignal, ports: RunPorts): LiveRun {
  if (!spend(planned)) throw new Error('this plan was not redeemed here, or has been run already');
  const remaining = new Set<Effect>(planned.foreseen.effects);
  const observed: Observation[] = [];
  let settled = false;

  const alive = (): void => {
    if (settled) throw new Error('the call has settled; its powers are gone');
  };
  const take = (effect: Effect): void => {
    alive();
    if (!remaining.delete(effect)) throw new Error('only the signed effects can be performed, each once, by identity');
    signal.throwIfAborted();
  };
  const note = (path: RealPath, digest: Digest): void => void observed.push({ path, digest });

  const write = async (effects: readonly Extract<Effect, { kind: 'write' }>[]): Promise<void> => {
    await writeAll(effects.map((effect) => writePlan(effect, planned, ports)));
    for (const effect of effects) note(effect.path, effect.result);
  };

  const performOne = async (effect: Effect): Promise<Reader | Written | Conversation> => {
    take(effect);
    switch (effect.kind) {
      case 'read':
        await recheckPath(effect.path, planned);
        return createReader(effect, { roots: ports.roots, signal, alive, recheck: () => recheckPath(effect.path, planned), note });
      case 'write':
        await write([effect]);
        return { path: effect.path, result: effect.result };
      case 'converse':
        return { ask: async (question, options) => { alive(); return ports.conversation.ask(question, options); } };
      case 'delete':
      case 'move':
      case 'run':
      case 'process':
      case 'fetch':
      case 'mcp':
        throw new CodedError('TOOL_FAILED', `Nothing here can ${effect.kind} yet.`);
    }
  };

  const run = {
    signal,
    effects: planned.foreseen.effects,
    perform: async <E extends Effect>(effect: E): Promise<Outcome<E>> => await performOne(effect) as Outcome<E>,
    performAll: async () => {
      const writes = [...remaining].filter((effect) => effect.kind === 'write');
      writes.forEach(take);
      await write(writes);
    },
    progress: (text: string) => { if (!settled) ports.progress(text.slice(0, 500)); },
  } as Run;
  return { run: Object.freeze(run), observed, settle: () => { settled = true; remaining.clear(); } };
}

function writePlan(effect: Extract<Effect, { kind: 'write' }>, planned: Planned, ports: RunPorts): PlannedWrite {
  const bytes = planned.foreseen.content.get(effect.result);
  if (bytes === undefined) throw new Error(`the bytes of the write to ${effect.path} are gone`);
  return {
    path: effect.path, base: effect.base, bytes, baseBytes: planned.bases.get(effect.path) ?? null, random: ports.random,
    recheck: async () => {
      await recheckPath(effect.path, planned);
      await recheckPlace(effect.path);
      if (ports.documents.isDirty(effect.path)) throw stale(`${effect.path} has unsaved changes in the editor since it was signed`);
    },
  };
}

/** The path still leads where it led when the call was signed, by every name that it was asked for. */
async function recheckPath(path: RealPath, planned: Planned): Promise<void> {
  if (await leadsTo(path) !== path) throw stale(`A folder on the way to ${path} leads elsewhere since it was signed`);
  for (const { requested, real } of planned.resolutions) {
    if (real === path && await leadsTo(requested) !== path) throw stale(`The link ${requested} leads elsewhere since it was signed`);
  }
}

/** A file stands at the path, a folder, or nothing: what the writer looks at more closely. */
async function recheckPlace(path: RealPath): Promise<void> {
  try {
    await statOf(path);
  } catch (cause) {
    throw stale(`${path} is no place for a file any more (${cause instanceof Error ? cause.message : String(cause)})`);
  }
}

/** null where it leads nowhere by now. */
async function leadsTo(path: string): Promise<RealPath | null> {
  try {
    return await realPathOf(path);
  } catch {
    return null;
  }
}
