import type { Digest, Effect, EffectOf, Observation, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { isForeign } from '../boundary/foreign-path.ts';
import { isResultPath } from '../boundary/result-path.ts';
import type { Conversation, Outcome, Reader, Run, Written } from '../boundary/tool-definition.ts';
import { type Change, makeAll } from '../edits/change.ts';
import { diskDeletion } from '../edits/delete-disk.ts';
import { stale } from '../edits/world-check.ts';
import { bufferWrite } from '../edits/write-buffer.ts';
import { diskWrite } from '../edits/write-disk.ts';
import { foreignDeletion, foreignWrite } from '../edits/write-foreign.ts';
import type { ForeignFiles } from '../files/foreign-files.ts';
import type { KeptResults } from '../files/kept-results.ts';
import type { ObjectStore } from '../files/object-store.ts';
import type { OpenDocuments } from '../files/open-documents.ts';
import { statOf } from '../files/read-bytes.ts';
import { realPathOf } from '../files/real-path.ts';
import type { Roots } from '../files/roots.ts';
import { type Planned, type Redeemed, spend } from './permit.ts';
import { createReader } from './reader.ts';
import { createResultReader } from './result-reader.ts';

/** What performing needs of the host. */
export interface RunPorts {
  readonly roots: Roots;
  readonly documents: OpenDocuments;
  /** Keeps what a change replaces and what it puts there, before it lands: so that it can be undone, also after others. */
  readonly objects: ObjectStore;
  readonly kept: KeptResults;
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
  const note = (path: RealPath, digest: Digest | 'absent'): void => void observed.push({ path, digest });

  const change = async (effects: readonly ChangeEffect[]): Promise<void> => {
    const changes = effects.map((effect) => changeOf(effect, planned, ports));
    for (const effect of effects) await keepBytes(effect, planned, ports.objects);
    await makeAll(changes, (path) => {
      const effect = effects.find((one) => one.path === path);
      if (effect !== undefined) note(path, effect.kind === 'write' ? effect.result : 'absent');
    });
  };

  const performOne = async (effect: Effect): Promise<Reader | Written | Conversation | undefined> => {
    take(effect);
    switch (effect.kind) {
      case 'read':
        if (isResultPath(effect.path)) return createResultReader(effect.path, ports.kept, alive);
        await recheckPath(effect.path, planned, ports.roots.foreign);
        return createReader(effect, { roots: ports.roots, documents: ports.documents, others: planned.foreseen.effects, signal, alive, recheck: () => recheckPath(effect.path, planned, ports.roots.foreign), note });
      case 'write':
        await change([effect]);
        return { path: effect.path, result: effect.result };
      case 'delete':
        await change([effect]);
        return undefined;
      case 'converse':
        return { ask: async (question, options) => { alive(); return ports.conversation.ask(question, options); } };
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
      const changes = [...remaining].filter((effect) => effect.kind === 'write' || effect.kind === 'delete');
      changes.forEach(take);
      await change(changes);
    },
    progress: (text: string) => { if (!settled) ports.progress(text.slice(0, 500)); },
  } as Run;
  return { run: Object.freeze(run), observed, settle: () => { settled = true; remaining.clear(); } };
}

type ChangeEffect = EffectOf<'write'> | EffectOf<'delete'>;

/** Nothing lands that could not be taken back: where the bytes cannot be kept, the call ends here. */
async function keepBytes(effect: ChangeEffect, planned: Planned, objects: ObjectStore): Promise<void> {
  const result = effect.kind === 'write' ? planned.foreseen.content.get(effect.result) : undefined;
  try {
    for (const bytes of [planned.bases.get(effect.path), result]) if (bytes !== undefined && bytes !== null) await objects.put(bytes);
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw new CodedError('FS_REFUSED', `What stands in ${effect.path} cannot be kept for an undo, so nothing was written. Ask the person to free disk space.`, { cause });
  }
}

/** A signed change as what makes it: of the file on disk, or of the text that the editor holds unsaved. */
function changeOf(effect: ChangeEffect, planned: Planned, ports: RunPorts): Change {
  return effect.kind === 'write' ? writeOf(effect, planned, ports) : deletionOf(effect, planned, ports);
}

function deletionOf({ path, base }: EffectOf<'delete'>, planned: Planned, ports: RunPorts): Change {
  const recheck = async (): Promise<void> => {
    await recheckPath(path, planned, ports.roots.foreign);
    await recheckPlace(path, ports.roots.foreign);
    if (ports.documents.unsaved(path) !== null) throw stale(`${path} has unsaved changes in the editor since it was signed`);
  };
  if (!isForeign(path)) return diskDeletion({ path, base, random: ports.random, recheck });
  const baseBytes = planned.bases.get(path) ?? null;
  if (baseBytes === null) throw new Error(`the content of ${path} that is to be deleted is not known`);
  return foreignDeletion({ path, base, baseBytes, recheck }, ports.roots.foreign);
}

function writeOf(effect: EffectOf<'write'>, planned: Planned, ports: RunPorts): Change {
  const { path, base, via } = effect;
  const bytes = planned.foreseen.content.get(effect.result);
  if (bytes === undefined) throw new Error(`the bytes of the write to ${path} are gone`);
  const baseBytes = planned.bases.get(path) ?? null;
  const recheck = async (): Promise<void> => {
    await recheckPath(path, planned, ports.roots.foreign);
    await recheckPlace(path, ports.roots.foreign);
  };
  switch (via) {
    case 'disk': {
      const recheckSaved = async (): Promise<void> => {
        await recheck();
        if (ports.documents.unsaved(path) !== null) throw stale(`${path} has unsaved changes in the editor since it was signed`);
      };
      return isForeign(path)
        ? foreignWrite({ path, base, bytes, baseBytes, recheck: recheckSaved }, ports.roots.foreign)
        : diskWrite({ path, base, bytes, baseBytes, random: ports.random, recheck: recheckSaved });
    }
    case 'buffer':
      if (base === 'absent' || baseBytes === null) throw new Error(`the text of ${path} that is to be changed in the editor is not known`);
      return bufferWrite({ path, base, baseBytes, bytes, recheck }, ports.documents);
  }
}

/** The path still leads where it led when the call was signed, by every name that it was asked for. */
async function recheckPath(path: RealPath, planned: Planned, foreign: ForeignFiles): Promise<void> {
  if (await leadsTo(path, foreign) !== path) throw stale(`A folder on the way to ${path} leads elsewhere since it was signed`);
  for (const { requested, real } of planned.resolutions) {
    if (real === path && await leadsTo(requested, foreign) !== path) throw stale(`The link ${requested} leads elsewhere since it was signed`);
  }
}

/** A file stands at the path, a folder, or nothing: what the writer looks at more closely. */
async function recheckPlace(path: RealPath, foreign: ForeignFiles): Promise<void> {
  try {
    await statOf(path, foreign);
  } catch (cause) {
    throw stale(`${path} is no place for a file any more (${cause instanceof Error ? cause.message : String(cause)})`);
  }
}

/** null where it leads nowhere by now. */
async function leadsTo(path: string, foreign: ForeignFiles): Promise<RealPath | null> {
  try {
    return await realPathOf(path, foreign);
  } catch {
    return null;
  }
}
