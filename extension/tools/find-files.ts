import type { LeftOut, ToolDefinition } from '../boundary/tool-definition.ts';
import { makeVisible } from '../edits/visible.ts';
import { leftOutNote, leftOutSchema } from './left-out.ts';
import { objectSchema, pathSchema, textContent } from './schemas.ts';
import { treeReads } from './tree-reads.ts';

interface Args {
  readonly pattern: string;
  readonly path?: string;
}

type Value = { readonly files: readonly string[]; readonly leftOut: readonly { readonly display: string; readonly glob: string }[]; readonly truncated: boolean };

const mostShown = 1000;

export const findFiles: ToolDefinition<Args, Value> = {
  name: 'find_files',
  description: 'Finds files by a glob on their path below a folder, such as **/*.test.ts. A pattern without / matches names at any depth.',
  parameters: objectSchema({
    pattern: { type: 'string', minLength: 1, maxLength: 1000, description: 'A glob: *, **, ?, [abc], {a,b}.' },
    path: pathSchema('The folder to look in. Without it: every workspace folder.'),
  }, ['pattern']),
  output: {
    schema: objectSchema({ files: { type: 'array', items: { type: 'string' } }, leftOut: leftOutSchema, truncated: { type: 'boolean' } }, ['files', 'leftOut', 'truncated']),
    render: (_args, value) => textContent(narrate(value)),
  },
  effects: async ({ path }, look) => ({ effects: await treeReads(path, look), claims: [], content: new Map() }),
  execute: async ({ pattern }, run) => {
    const files: string[] = [];
    const leftOut: LeftOut[] = [];
    let truncated = false;
    for (const effect of run.effects) {
      if (effect.kind !== 'read') continue;
      const found = await (await run.perform(effect)).find(pattern);
      files.push(...found.files.map((file) => file.toWellFormed()));
      leftOut.push(...found.leftOut);
      truncated ||= found.truncated;
    }
    return { files: files.slice(0, mostShown), leftOut: leftOut.map(({ display, glob }) => ({ display: display.toWellFormed(), glob })), truncated: truncated || files.length > mostShown };
  },
  isConcurrencySafe: () => true,
  presentCall: ({ pattern, path }) => ({ title: `Find files ${pattern}${path === undefined ? '' : ` in ${path}`}`, parts: [] }),
  presentResult: (_args, result) => {
    const text = result.content[0]?.text ?? '';
    return { summary: text.startsWith('(none') ? 'none' : `${text.split('\n').filter((line) => !line.startsWith('[')).length} files` };
  },
};

function narrate({ files, leftOut, truncated }: Value): string {
  const body = files.length === 0 ? '(none found)' : files.map(makeVisible).join('\n');
  return `${body}${truncated ? '\n[cut: there are more; narrow the pattern or name a folder]' : ''}${leftOutNote(leftOut)}`;
}
