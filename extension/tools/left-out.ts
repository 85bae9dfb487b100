import type { JsonObject } from '../boundary/json.ts';
import type { LeftOut } from '../boundary/tool-definition.ts';
import { objectSchema } from './schemas.ts';

export const leftOutSchema: JsonObject = { type: 'array', items: objectSchema({ display: { type: 'string' }, glob: { type: 'string' } }, ['display', 'glob']) };

const mostNamed = 20;

/** Says what a read of a tree left out, and by which rule; nothing where nothing was. */
export function leftOutNote(leftOut: readonly LeftOut[]): string {
  if (leftOut.length === 0) return '';
  const named = leftOut.slice(0, mostNamed).map(({ display, glob }) => `${display} (${glob})`);
  const more = leftOut.length > mostNamed ? `, and ${leftOut.length - mostNamed} more` : '';
  return `\n[left out, since a rule covers them: ${named.join(', ')}${more}]`;
}
