import type { JsonObject } from '../boundary/json.ts';
import type { LeftOut } from '../boundary/tool-definition.ts';
import { makeVisible } from '../edits/visible.ts';
import { objectSchema } from './schemas.ts';

export const leftOutSchema: JsonObject = { type: 'array', items: objectSchema({ display: { type: 'string' }, glob: { type: 'string' } }, ['display', 'glob']) };

const mostNamed = 20;
/** Nobody who searches a project means this; saying it each time would be noise. */
const gitsOwn = '**/.git/**';

/** Says what a read of a tree left out, and by which rule; nothing where nothing was. */
export function leftOutNote(given: readonly LeftOut[]): string {
  const leftOut = given.filter(({ glob }) => glob !== gitsOwn);
  if (leftOut.length === 0) return '';
  const named = leftOut.slice(0, mostNamed).map(({ display, glob }) => `${makeVisible(display)} (${glob})`);
  const more = leftOut.length > mostNamed ? `, and ${leftOut.length - mostNamed} more` : '';
  return `\n[left out: ${named.join(', ')}${more}]`;
}
