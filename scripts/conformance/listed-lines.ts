import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../project-paths.ts';

/** One line of docs/conformance.md. */
export interface ListedLine {
  /** Such as `C12`. */
  readonly number: string;
  readonly behaviour: string;
  /** The part of the product in which it is due; null where it is due now. */
  readonly dueIn: string | null;
}

const listed = /^- ([A-I]\d+) (?:\[([^\]]+)\] )?(\S.*)$/;
/** A mark that says where a line comes from, and not that it can wait. */
const dueNow = 'first release';

/** The list, in its order. A bullet that cannot be read is an error: it would drop out of the table unseen. */
export async function listedLines(): Promise<readonly ListedLine[]> {
  const text = await readFile(join(root, 'docs/conformance.md'), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('- ')).map(lineOf);
  const doubled = lines.find(({ number }, at) => lines.findIndex((line) => line.number === number) !== at);
  if (doubled !== undefined) throw new Error(`docs/conformance.md has ${doubled.number} twice`);
  return lines;
}

function lineOf(text: string): ListedLine {
  const [, number, mark, behaviour] = listed.exec(text) ?? [];
  if (number === undefined || behaviour === undefined) throw new Error(`docs/conformance.md has a line without a number: ${text}`);
  return { number, behaviour, dueIn: mark === undefined || mark === dueNow ? null : mark };
}
