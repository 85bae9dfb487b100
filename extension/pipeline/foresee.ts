import { checkForeseen } from '../boundary/check-effects.ts';
import { CodedError, type ErrorCode } from '../boundary/error-codes.ts';
import type { Proposal } from '../boundary/proposal.ts';
import type { RegisteredTool } from '../boundary/registry.ts';
import { completeEffect } from '../gate/decide.ts';
import { digestOfEffects, type Planned } from '../gate/permit.ts';
import { JudgedLook, LookDenied, type LookParts, refuseUnobserved } from './look.ts';

/** Says what a call would do. Throws LookDenied, INVALID_EFFECTS, or what the world itself refuses; nothing has happened then. */
export async function foresee(tool: RegisteredTool, proposal: Proposal, parts: LookParts): Promise<Planned> {
  const look = new JudgedLook(parts);
  try {
    const given = checkForeseen(await tool.definition.effects(proposal.arguments, look));
    const effects = given.effects.map((effect) => Object.freeze(completeEffect(effect, parts.tool, parts.policy)));
    const foreseen = Object.freeze({ ...given, effects: Object.freeze(effects) });
    for (const effect of effects) {
      // Whatever a tool checked by itself: what the session does not know as it is now is not written over.
      if (effect.kind === 'write' && effect.base !== 'absent') refuseUnobserved(parts.observations, effect.path, effect.base, parts.roots.display(effect.path));
    }
    return Object.freeze({
      call: proposal.call, tool: parts.tool, arguments: proposal.arguments, foreseen, digest: digestOfEffects(foreseen),
      resolutions: look.resolutions, bases: look.bases,
    });
  } catch (error) {
    if (error instanceof LookDenied || parts.signal.aborted) throw error;
    if (error instanceof CodedError) throw look.holdsUnapproved ? hushed(error) : error;
    const cause = look.holdsUnapproved ? undefined : error;
    throw new CodedError('INVALID_EFFECTS', `What this call would do could not be foreseen, so it is denied${cause instanceof Error ? `: ${cause.message}` : ''}.`, { cause });
  }
}

const quotesContent: readonly ErrorCode[] = ['EDIT_NOT_FOUND', 'EDIT_AMBIGUOUS', 'EDIT_INVALID', 'PATCH_INVALID', 'FS_ENCODING', 'FS_NOT_TEXT', 'INVALID_EFFECTS'];

/** The error without what it may quote of a file that nobody has allowed to be read. */
function hushed(error: CodedError): CodedError {
  if (error.quiet !== undefined) return new CodedError(error.code, error.quiet);
  if (!quotesContent.includes(error.code)) return error;
  return new CodedError(error.code, 'It cannot be done as proposed. What the file holds is not said, since reading it has not been approved; read it with read_file first.');
}
