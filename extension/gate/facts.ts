import type { Effect, Foreseen, RealPath } from '../boundary/effect.ts';
import { type ForeignFiles, noForeignFiles } from '../files/foreign-files.ts';
import { errnoOf } from '../files/real-path.ts';
import { readBytes, statOf } from '../files/read-bytes.ts';

/** What the gate knows of the world beside the effects: gathered before each decision, so that deciding is a pure function. */
export interface Facts {
  /** Paths that have more names than one, with how many. */
  readonly hardLinks: ReadonlyMap<RealPath, number>;
  /** package.json files whose `scripts` would change. */
  readonly scriptChanges: ReadonlySet<RealPath>;
}

export const noFacts: Facts = { hardLinks: new Map(), scriptChanges: new Set() };

export async function gatherFacts(foreseen: Foreseen, foreign: ForeignFiles = noForeignFiles): Promise<Facts> {
  const hardLinks = new Map<RealPath, number>();
  const scriptChanges = new Set<RealPath>();
  for (const effect of foreseen.effects) {
    for (const path of changedPaths(effect)) {
      const links = await linkCount(path, foreign);
      if (links > 1) hardLinks.set(path, links);
      if (/(?:^|[\\/])package\.json[. ]*$/i.test(path) && await changesScripts(effect, path, foreseen, foreign)) scriptChanges.add(path);
    }
  }
  return { hardLinks, scriptChanges };
}

function changedPaths(effect: Effect): readonly RealPath[] {
  switch (effect.kind) {
    case 'write':
    case 'delete':
      return [effect.path];
    case 'move':
      return [effect.from, effect.to];
    default:
      return [];
  }
}

async function linkCount(path: RealPath, foreign: ForeignFiles): Promise<number> {
  try {
    const stats = await statOf(path, foreign);
    return stats !== null && stats.isFile() ? stats.nlink : 0;
  } catch (error) {
    // What cannot be looked at counts as linked elsewhere: the stricter answer.
    return errnoOf(error) === 'ENOENT' ? 0 : 2;
  }
}

async function changesScripts(effect: Effect, path: RealPath, foreseen: Foreseen, foreign: ForeignFiles): Promise<boolean> {
  if (effect.kind !== 'write') return true;
  const after = scriptsOf(foreseen.content.get(effect.result));
  try {
    return scriptsOf((await readBytes(path, foreign))?.bytes) !== after || after === unreadable;
  } catch {
    return true;
  }
}

const unreadable = Symbol('unreadable');

function scriptsOf(bytes: Uint8Array | undefined): string | typeof unreadable {
  if (bytes === undefined) return JSON.stringify({});
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof parsed === 'object' && parsed !== null && 'scripts' in parsed ? JSON.stringify(parsed.scripts) : JSON.stringify({});
  } catch {
    return unreadable;
  }
}
