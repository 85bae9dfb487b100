import { CodedError } from '../boundary/error-codes.ts';
import type { DirectoryEntry, ToolDefinition } from '../boundary/tool-definition.ts';
import { makeVisible } from '../edits/visible.ts';
import { objectSchema, pathSchema, textContent } from './schemas.ts';

interface Args {
  readonly path?: string;
}

type Value = { readonly entries: readonly { readonly name: string; readonly type: string; readonly size: number }[] };

export const listDirectory: ToolDefinition<Args, Value> = {
  name: 'list_directory',
  description: 'Lists what stands in a folder: folders end with /, links with @, files have their size in bytes. Without a path: the workspace folder.',
  parameters: objectSchema({ path: pathSchema('The folder, relative to the workspace folder.') }),
  output: {
    schema: objectSchema({
      entries: { type: 'array', items: objectSchema({ name: { type: 'string' }, type: { enum: ['file', 'directory', 'link', 'other'] }, size: { type: 'integer', minimum: 0 } }, ['name', 'type', 'size']) },
    }, ['entries']),
    render: (_args, { entries }) => textContent(entries.length === 0 ? '(empty)' : entries.map((entry) => line({ ...entry, name: makeVisible(entry.name) })).join('\n')),
  },
  effects: async ({ path }, look) => {
    const folders = path === undefined ? await look.roots() : [await look.locate(path)];
    const file = folders.find(({ type }) => type !== 'directory');
    if (file !== undefined) throw new CodedError('FS_REFUSED', `${file.display} is a file. Use read_file.`);
    if (folders.length === 0) throw new CodedError('FS_NOT_FOUND', 'No folder is open. Ask the person to open a folder.');
    return { effects: folders.map(({ path: folder }) => ({ kind: 'read', path: folder, extent: 'file', except: [] })), claims: [], content: new Map() };
  },
  execute: async (_args, run) => {
    const entries: DirectoryEntry[] = [];
    for (const effect of run.effects) {
      if (effect.kind !== 'read') continue;
      const reader = await run.perform(effect);
      // With several workspace folders, a path begins with the folder's name.
      const prefix = run.effects.length > 1 ? `${reader.display}/` : '';
      entries.push(...(await reader.entries()).map((entry) => ({ ...entry, name: prefix + entry.name.toWellFormed() })));
    }
    return { entries: entries.map(({ name, type, size }) => ({ name, type, size })) };
  },
  isConcurrencySafe: () => true,
  presentCall: ({ path }) => ({ title: path === undefined || path === '.' ? 'List the workspace folder' : `List ${path}`, parts: [] }),
  presentResult: (_args, result) => {
    const text = result.content[0]?.text ?? '';
    return { summary: text === '(empty)' ? 'empty' : `${text.split('\n').length} entries` };
  },
};

function line({ name, type, size }: Pick<DirectoryEntry, 'name' | 'size'> & { readonly type: string }): string {
  switch (type) {
    case 'directory':
      return `${name}/`;
    case 'link':
      return `${name}@`;
    default:
      return `${name}  ${size}`;
  }
}
