import type { CallKey } from '../boundary/call.ts';
import { resultPath } from '../boundary/result-path.ts';
import type { CallResult } from '../boundary/result.ts';
import type { LogEvent } from './records.ts';

/** What the model reads of a result. Never empty: some servers refuse a message without text. */
export function narrationOf(result: CallResult): string {
  const text = result.content.map((part) => part.text).join('\n');
  return text === '' ? '(nothing)' : text;
}

/** The narration of a call as the log holds it; null where the log holds no result of it. */
export function loggedNarration(events: readonly LogEvent[], call: CallKey): string | null {
  const settled = events.findLast((event) => event.type === 'settled' && event.call === call);
  return settled?.type === 'settled' ? narrationOf(settled.result) : null;
}

/** What stands in place of a narration that is left out. */
export function foldedNarration(call: CallKey, tool: string, result: CallResult): string {
  const text = narrationOf(result);
  const kind = result.isError ? 'an error' : 'its result';
  return `[Left out to save room: ${kind}, ${text.length.toLocaleString('en')} characters in ${lineCount(text).toLocaleString('en')} lines. To read it again, call read_file with the path "${resultPath(call)}"; or call ${tool} again for the present state.]`;
}

function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
