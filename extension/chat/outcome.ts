import type { ErrorCode } from '../boundary/error-codes.ts';
import type { CallResult } from '../boundary/result.ts';
import { undoTool } from '../session/changes.ts';
import type { CallStatus } from '../../webview/protocol/state.ts';

/** How a call's line says that it ended otherwise than well. */
export function statusOf(result: CallResult): CallStatus {
  switch (result.error?.code) {
    case undefined:
      return 'done';
    case 'DENIED_BY_POLICY':
    case 'DENIED_BY_PERSON':
    case 'ASK_UNAVAILABLE':
    case 'ASK_DISMISSED':
      return 'denied';
    case 'TOOL_NOT_STARTED':
    case 'TOOL_OUTCOME_UNKNOWN':
    case 'ABORTED':
    case 'ABORTED_BEFORE_DISPATCH':
      return 'interrupted';
    default:
      return 'failed';
  }
}

/** A call that ended without a decision of the person's may be asked for again, as a new call of theirs. */
export function canAskAgain(result: CallResult): boolean {
  const code = result.error?.code;
  return code === 'TOOL_NOT_STARTED' || code === 'TOOL_OUTCOME_UNKNOWN' || code === 'ASK_DISMISSED' || code === 'ASK_UNAVAILABLE' || code === 'ABORTED_BEFORE_DISPATCH';
}

const words: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_PROPOSAL: 'not a proposal', TOO_LARGE: 'too large', DUPLICATE_ID: 'id used twice', UNKNOWN_TOOL: 'unknown tool', INVALID_ARGS: 'wrong arguments',
  INVALID_EFFECTS: 'cannot be judged', DENIED_BY_POLICY: 'denied by a rule', DENIED_BY_PERSON: 'denied', ASK_UNAVAILABLE: 'nobody to ask', ASK_DISMISSED: 'not answered',
  ABORTED_BEFORE_DISPATCH: 'stopped', ABORTED: 'stopped', TOOL_TIMEOUT: 'took too long', STALE_PERMIT: 'changed meanwhile, nothing written', FS_NOT_OBSERVED: 'not read yet',
  FS_STALE: 'changed since it was read', FS_NOT_FOUND: 'not found', FS_NOT_TEXT: 'not text', FS_ENCODING: 'another encoding', FS_REFUSED: 'refused', FS_DIRTY: 'unsaved in the editor',
  EDIT_NOT_FOUND: 'text not found', EDIT_AMBIGUOUS: 'text not unique', EDIT_INVALID: 'not an edit', TOOL_NOT_STARTED: 'not started', TOOL_OUTCOME_UNKNOWN: 'outcome unknown',
  LOG_UNAVAILABLE: 'log cannot be written',
};

/** An undo has read nothing: what stands in its way is that the file is another by now, or that there is nothing to take back. */
const wordsOfUndo: Readonly<Partial<Record<ErrorCode, string>>> = { FS_STALE: 'cannot be undone', FS_NOT_FOUND: 'cannot be undone', EDIT_INVALID: 'nothing to undo' };

export function errorInWords(tool: string, code: ErrorCode): string {
  return (tool === undoTool ? wordsOfUndo[code] : undefined) ?? words[code] ?? 'failed';
}
