import { checkForeseen } from '../boundary/check-effects.ts';
import { CodedError, type ErrorCode } from '../boundary/error-codes.ts';
import { sha256 } from '../boundary/digest.ts';
import type { Effect, EffectOf, RealPath } from '../boundary/effect.ts';
import type { ForeignFiles } from '../files/foreign-files.ts';
import type { Proposal } from '../boundary/proposal.ts';
import type { RegisteredTool } from '../boundary/registry.ts';
import { isResultPath } from '../boundary/result-path.ts';
import { refuseReadOnly } from '../edits/read-only.ts';
import { completeEffect } from '../gate/decide.ts';
import { realPathOf } from '../files/real-path.ts';
import { pathsOf } from '../gate/match.ts';
import { digestOfEffects, type Planned } from '../gate/permit.ts';
import { messageOf, tamed } from './error-result.ts';
import { JudgedLook, LookDenied, type LookParts, refuseUnobserved } from './look.ts';

/** Says what a call would do. Throws LookDenied, INVALID_EFFECTS, or what the world itself refuses; nothing has happened then. */
export async function foresee(tool: RegisteredTool, proposal: Proposal, parts: LookParts): Promise<Planned> {
  const look = new JudgedLook(parts);
  try {
    const given = checkForeseen(await tool.definition.effects(proposal.arguments, look));
    const effects = given.effects.map((effect) => Object.freeze(completeEffect(effect, parts.tool, parts.policy)));
    const foreseen = Object.freeze({ ...given, effects: Object.freeze(effects) });
    // A tool that went on after a look had been denied: the call is denied all the same.
    if (look.denied !== null) throw look.denied;
    for (const effect of [...effects, ...foreseen.claims]) await refuseUnreal(effect, parts.roots.foreign);
    for (const effect of effects) {
      if (effect.kind !== 'write' && effect.kind !== 'delete') continue;
      refuseUnlooked(effect, look.bases);
      // Whatever a tool checked by itself: what the session does not know as it is now is not written over.
      if (effect.base !== 'absent' && tool.audience === 'model') refuseUnobserved(parts.observations, effect.path, effect.base, parts.roots.display(effect.path));
      await refuseUnfit(effect, parts);
    }
    return Object.freeze({
      call: proposal.call, tool: parts.tool, arguments: proposal.arguments, foreseen, digest: digestOfEffects(foreseen),
      resolutions: look.resolutions, bases: look.bases,
    });
  } catch (raw) {
    const error = look.denied ?? tamed(raw);
    if (error instanceof LookDenied || parts.signal.aborted) throw error;
    if (error instanceof CodedError) throw look.holdsUnapproved ? hushed(error) : error;
    const why = look.holdsUnapproved ? '' : `: ${messageOf(error)}`;
    throw new CodedError('INVALID_EFFECTS', `What this call would do could not be foreseen, so it is denied${why}.`, look.holdsUnapproved ? {} : { cause: error });
  }
}

/** Rules are about real paths: an effect that names another way to a file would pass them by. */
async function refuseUnreal(effect: Effect, foreign: ForeignFiles): Promise<void> {
  for (const path of pathsOf(effect)) {
    if (effect.kind === 'read' && isResultPath(path)) continue;
    if (await realPathOf(path, foreign) !== path) throw new CodedError('INVALID_EFFECTS', `What this call would do cannot be judged, so it is denied: ${path} is a link, or lies behind one.`);
  }
}

/** The card shows the change against the base that was looked at; another one would make it show another change. */
function refuseUnlooked({ kind, path, base }: EffectOf<'write'> | EffectOf<'delete'>, bases: ReadonlyMap<RealPath, Uint8Array | null>): void {
  const bytes = bases.get(path) ?? null;
  if ((bytes === null ? 'absent' : sha256(bytes)) !== base) throw new CodedError('INVALID_EFFECTS', `What this call would do cannot be judged, so it is denied: the base of the ${kind === 'write' ? 'write to' : 'deletion of'} ${path} is not what was looked at.`);
}

/** What is known to fail when it is performed is refused before anybody is asked. */
async function refuseUnfit(effect: EffectOf<'write'> | EffectOf<'delete'>, { documents, roots }: LookParts): Promise<void> {
  const display = roots.display(effect.path);
  if (effect.kind === 'delete' || effect.via === 'disk') return refuseReadOnly(effect.path, `${effect.kind === 'write' ? 'change' : 'delete'} ${display}`, roots.foreign);
  const unfit = documents.unsaved(effect.path)?.unfit ?? null;
  if (unfit !== null) throw new CodedError('FS_DIRTY', `${display} has unsaved changes in the editor and cannot be changed there: ${unfit}. Ask the person to save it first.`);
}

/** Codes whose messages speak of a path and never of what the file there holds. */
const speaksOfPath: readonly ErrorCode[] = ['FS_NOT_OBSERVED', 'FS_STALE', 'FS_NOT_FOUND', 'FS_REFUSED', 'FS_DIRTY', 'STALE_PERMIT'];

/** The error without what it may quote of a file that nobody has allowed to be read. */
function hushed(error: CodedError): CodedError {
  if (error.quiet !== undefined) return new CodedError(error.code, error.quiet);
  if (speaksOfPath.includes(error.code)) return error;
  return new CodedError(error.code, 'It cannot be done as proposed. What the file holds is not said, since reading it has not been approved; read it with read_file first.');
}
