import { basename } from 'node:path';
import type { CallKey } from '../boundary/call.ts';
import type { Digest, Effect, EffectOf, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { CallChanges, FileChange } from '../boundary/file-change.ts';
import type { Look, Snapshot, ToolDefinition } from '../boundary/tool-definition.ts';
import { type FileState, type ObjectOf, undoneState } from '../edits/undo.ts';
import { objectSchema, textContent, textSchema } from './schemas.ts';

export interface UndoParts {
  /** What a call of this session really changed; null where it changed no file. */
  readonly changesOf: (call: CallKey) => CallChanges | null;
  readonly object: ObjectOf;
  /** A path as the model and the person read it. */
  readonly display: (path: RealPath) => string;
}

interface Args {
  readonly calls: readonly CallKey[];
}

type Done = 'restored' | 'deleted' | 'created';
type Value = { readonly files: readonly { readonly display: string; readonly done: Done }[] };

/** Takes back what calls changed: a tool of the person's, which no model knows. All of it or nothing. */
export function createUndoChanges(parts: UndoParts): ToolDefinition<Args, Value> {
  return {
    name: 'undo_changes',
    description: 'Takes back what calls of this session changed in files, and keeps what was changed since.',
    parameters: objectSchema({ calls: { type: 'array', minItems: 1, maxItems: 100_000, uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 200 } } }, ['calls']),
    output: {
      schema: objectSchema({ files: { type: 'array', items: objectSchema({ display: textSchema, done: { enum: ['restored', 'deleted', 'created'] } }, ['display', 'done']) } }, ['files']),
      render: (_args, { files }) => textContent(`Undone: ${files.map(({ display, done }) => `${display} (${inWords[done]})`).join(', ')}. What was changed since is kept.`),
    },
    effects: async ({ calls }, look) => {
      const files = byFile(calls, parts.changesOf);
      if (files.size === 0) throw new CodedError('EDIT_INVALID', calls.length === 1 ? 'This call changed no file; there is nothing to undo.' : 'These calls changed no files; there is nothing to undo.');
      return plan(files, look, parts);
    },
    execute: async (_args, run) => {
      await run.performAll();
      return { files: run.effects.flatMap((effect) => ('path' in effect ? [{ display: parts.display(effect.path), done: doneBy(effect) }] : [])) };
    },
    presentCall: ({ calls }) => ({ title: titleOf([...byFile(calls, parts.changesOf).keys()]), parts: [] }),
    presentResult: (_args, result) => ({ summary: result.isError ? '' : 'undone' }),
  };
}

const inWords: Readonly<Record<Done, string>> = { restored: 'as it was before', deleted: 'deleted', created: 'there again' };

function doneBy(effect: Effect): Done {
  if (effect.kind === 'delete') return 'deleted';
  return effect.kind === 'write' && effect.base === 'absent' ? 'created' : 'restored';
}

/** The changes of each file, the newest first. */
function byFile(calls: readonly CallKey[], changesOf: UndoParts['changesOf']): ReadonlyMap<RealPath, readonly FileChange[]> {
  const found = calls.flatMap((call) => changesOf(call) ?? []).toSorted((a, b) => b.order - a.order);
  return Map.groupBy(found.flatMap(({ files }) => files), ({ path }) => path);
}

async function plan(files: ReadonlyMap<RealPath, readonly FileChange[]>, look: Look, parts: UndoParts): Promise<Awaited<ReturnType<ToolDefinition['effects']>>> {
  const effects: Effect[] = [];
  const content = new Map<Digest, Uint8Array>();
  const refusals: CodedError[] = [];
  for (const [path, changes] of files) {
    const snapshot = await look.read(path);
    const state = snapshot.path === path ? await undoneState(snapshot.display, snapshot, changes, parts.object) : movedAway(parts.display(path));
    const effect = state instanceof CodedError ? state : effectOf(snapshot, state);
    if (effect instanceof CodedError) {
      refusals.push(effect);
    } else if (effect !== null) {
      effects.push(effect);
      if (effect.kind === 'write' && 'bytes' in state && state.bytes !== null) content.set(effect.result, state.bytes);
    }
  }
  if (refusals.length > 0) throw refused(refusals);
  if (effects.length === 0) throw new CodedError('EDIT_INVALID', 'There is nothing to undo: the files are without these changes already.');
  return { effects, claims: [], content };
}

function movedAway(display: string): CodedError {
  return new CodedError('FS_STALE', `${display} is a link by now, or lies behind one. Undo it by hand`);
}

/** null where nothing would change. */
function effectOf({ path, display, digest, via }: Snapshot, state: FileState): EffectOf<'write'> | EffectOf<'delete'> | CodedError | null {
  if (state.digest === digest) return null;
  if (state.digest !== 'absent') return { kind: 'write', path, base: digest, result: state.digest, via };
  if (via === 'buffer') return new CodedError('FS_DIRTY', `${display} would be deleted, and it has unsaved changes in the editor. Save or revert it first`);
  return digest === 'absent' ? null : { kind: 'delete', path, base: digest };
}

const maxRefusals = 10;

/** One error of all that cannot be undone, so that a person sees at once what stands in the way. */
function refused(refusals: readonly CodedError[]): CodedError {
  const more = refusals.length > maxRefusals ? `\nand ${refusals.length - maxRefusals} more files.` : '';
  const all = (words: (one: CodedError) => string): string => `Nothing was undone. ${refusals.slice(0, maxRefusals).map((one) => `${words(one)}.`).join('\n')}${more}`;
  return new CodedError(refusals[0]?.code ?? 'FS_STALE', all(({ message }) => message), { quiet: all((one) => one.quiet ?? one.message) });
}

function titleOf(paths: readonly RealPath[]): string {
  const names = paths.slice(0, 3).map((path) => basename(path));
  if (names.length === 0) return 'Undo';
  return `Undo changes of ${names.join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;
}
