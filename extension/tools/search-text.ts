import type { LeftOut, TextMatch, ToolDefinition } from '../boundary/tool-definition.ts';
import { makeVisible } from '../edits/visible.ts';
import { leftOutNote, leftOutSchema } from './left-out.ts';
import { countSchema, objectSchema, textContent, textSchema } from './schemas.ts';
import { treeReads } from './tree-reads.ts';

interface Args {
  readonly query: string;
  readonly isRegex?: false;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly contextLines?: number;
}

type Match = { readonly display: string; readonly line: number; readonly text: string; readonly before: readonly string[]; readonly after: readonly string[] };
type Value = { readonly matches: readonly Match[]; readonly filesSearched: number; readonly unsearched: readonly string[]; readonly leftOut: readonly { readonly display: string; readonly glob: string }[]; readonly truncated: boolean };

const globs = (description: string) => ({ type: 'array', maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 1000 }, description }) as const;
const lines = { type: 'array', items: textSchema } as const;

export const searchText: ToolDefinition<Args, Value> = {
  name: 'search_text',
  description: 'Searches the workspace for literal text, case-sensitive, line by line. Gives path:line: text.',
  parameters: objectSchema({
    query: { type: 'string', minLength: 1, maxLength: 1000, pattern: '^[^\\r\\n]*$', description: 'The text to find, within one line.' },
    isRegex: { const: false, description: 'Regular expressions are not available.' },
    include: globs('Only files that match one of these globs.'),
    exclude: globs('No files that match one of these globs.'),
    contextLines: { type: 'integer', minimum: 0, maximum: 10, description: 'Lines of context before and after each match.' },
  }, ['query']),
  output: {
    schema: objectSchema({
      matches: { type: 'array', items: objectSchema({ display: textSchema, line: countSchema, text: textSchema, before: lines, after: lines }, ['display', 'line', 'text', 'before', 'after']) },
      filesSearched: countSchema, unsearched: lines, leftOut: leftOutSchema, truncated: { type: 'boolean' },
    }, ['matches', 'filesSearched', 'unsearched', 'leftOut', 'truncated']),
    render: (_args, value) => textContent(narrate(value)),
  },
  effects: async (_args, look) => ({ effects: await treeReads(undefined, look), claims: [], content: new Map() }),
  execute: async ({ query, include = [], exclude = [], contextLines = 0 }, run) => {
    const matches: TextMatch[] = [];
    const leftOut: LeftOut[] = [];
    const unsearched: string[] = [];
    let filesSearched = 0;
    let truncated = false;
    for (const effect of run.effects) {
      if (effect.kind !== 'read') continue;
      const found = await (await run.perform(effect)).search({ query, include, exclude, contextLines });
      matches.push(...found.matches);
      leftOut.push(...found.leftOut);
      if (found.skippedLarge > 0) unsearched.push(`${files(found.skippedLarge)} larger than 5 MiB`);
      if (found.skippedBinary > 0) unsearched.push(files(found.skippedBinary, 'binary '));
      unsearched.push(...found.unreadable.slice(0, 20).map((path) => `${makeVisible(path.toWellFormed())} (cannot be read)`));
      filesSearched += found.filesSearched;
      truncated ||= found.truncated;
    }
    return {
      matches: matches.map(({ display, line, text, before, after }) => ({ display: display.toWellFormed(), line, text: text.toWellFormed(), before: before.map((row) => row.toWellFormed()), after: after.map((row) => row.toWellFormed()) })),
      filesSearched, truncated, unsearched, leftOut: leftOut.map(({ display, glob }) => ({ display: display.toWellFormed(), glob })),
    };
  },
  isConcurrencySafe: () => true,
  presentCall: ({ query }) => ({ title: `Search for ${JSON.stringify(query)}`, parts: [] }),
  presentResult: (_args, result) => ({ summary: /^\[(\d+ match(?:es)?)/m.exec(result.content[0]?.text ?? '')?.[1] ?? '' }),
};

function narrate({ matches, filesSearched, unsearched, truncated, leftOut }: Value): string {
  const count = `[${matches.length} ${matches.length === 1 ? 'match' : 'matches'} in ${files(filesSearched)} searched${truncated ? '; cut: there are more, narrow the search' : ''}]`;
  return `${matches.map(rows).join('\n')}${matches.length > 0 ? '\n' : ''}${count}${unsearched.length === 0 ? '' : `\n[not searched: ${unsearched.join(', ')}]`}${leftOutNote(leftOut)}`;
}

function rows({ display: path, line, text, before, after }: Match): string {
  const display = makeVisible(path);
  if (before.length === 0 && after.length === 0) return `${display}:${line}: ${text}`;
  return [
    ...before.map((row, index) => `${display}-${line - before.length + index}- ${row}`), `${display}:${line}: ${text}`,
    ...after.map((row, index) => `${display}-${line + 1 + index}- ${row}`), '--',
  ].join('\n');
}

function files(count: number, kind = ''): string {
  return `${count} ${kind}${count === 1 ? 'file' : 'files'}`;
}
