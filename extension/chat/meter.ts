import type { ContextPart, ContextUse } from '../agent/events.ts';
import type { ContextMeter } from '../../webview/protocol/state.ts';

const labels: readonly (readonly [ContextPart, string])[] = [
  ['instructions', 'Instructions and tools'], ['user', 'Your messages'], ['assistant', 'Answers'], ['results', 'Tool results'], ['images', 'Images'], ['summary', 'Summary'],
];

/** What fills the model's context, as the view draws it: largest first, nothing that is empty. */
export function meterOf({ used, limit, parts, cachedShare }: ContextUse): ContextMeter {
  const named = labels.map(([part, label]) => ({ label, tokens: parts[part] }));
  return { used, limit, cachedShare, parts: named.filter(({ tokens }) => tokens > 0).toSorted((a, b) => b.tokens - a.tokens) };
}
